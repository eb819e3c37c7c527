/** Where scripts and styles of a page come from: its own origin, or hashes of what is in the file itself. */
export interface PolicySources {
  readonly script: string
  readonly style: string
  readonly connect: string
}

export const servedSources: PolicySources = {script: "'self'", style: "'self'", connect: "'self'"}

/**
 * What the browser may load, run and reach: nothing but the studio's own files. Workers are started from texts that the page
 * holds (`blob:`), and inherit the policy; Graphviz is WebAssembly.
 */
export function studioPolicy({script, style, connect}: PolicySources): string {
  return [
    "default-src 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    'worker-src blob:',
    `connect-src ${connect}`,
    `style-src ${style}`,
    'img-src blob: data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types adfa'
  ].join('; ')
}
