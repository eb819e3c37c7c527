import {build} from 'tsdown'

/**
 * Bundle a TypeScript entry and all that it imports into ES modules for browsers, name to text: `bundle.js`, and one for each
 * part that is loaded on demand.
 */
export async function bundleForBrowser(entry: string): Promise<ReadonlyMap<string, string>> {
  const bundles = await build({
    config: false,
    entry: {bundle: entry},
    format: 'esm',
    platform: 'browser',
    deps: {alwaysBundle: /^[^.]/, onlyBundle: false},
    dts: false,
    write: false,
    clean: false,
    report: false,
    logLevel: 'error'
  })
  const chunks = bundles.flatMap(bundle => bundle.chunks).filter(chunk => chunk.type === 'chunk')
  return new Map(chunks.map(({fileName, code}) => [fileName, code]))
}
