import {build} from 'tsdown'

/** Bundle a TypeScript entry and all that it imports into the text of one ES module for browsers. */
export async function bundleForBrowser(entry: string): Promise<string> {
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
  if (chunks.length !== 1) throw new Error(`expected one chunk, got ${chunks.map(chunk => chunk.fileName).join(', ')}`)
  return chunks[0].code
}
