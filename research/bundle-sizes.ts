/**
 * Sizes of the package entries in a browser bundle, minified and gzipped, without what is loaded on demand (`loadSolvers`):
 * `npm run build && npx tsx research/bundle-sizes.ts`.
 */
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {gzipSync} from 'node:zlib'
import {build} from 'esbuild'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const entries = {adfa: 'index', 'adfa/predict': 'predict', 'adfa/report': 'report'} as const

/** Bytes that each entry loads at once. */
export async function bundleSizes(): Promise<Record<keyof typeof entries, number>> {
  const sizes = Object.entries(entries).map(async ([name, file]) => [name, await gzipped(join(dist, `${file}.js`))])
  return Object.fromEntries(await Promise.all(sizes))
}

async function gzipped(entry: string): Promise<number> {
  const {outputFiles, metafile} = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    minify: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: 'out'
  })
  const {outputs} = metafile
  const first = Object.keys(outputs).find(path => entry.endsWith(outputs[path].entryPoint ?? '-')) ?? ''
  const loaded = new Set([first])
  for (const path of loaded)
    for (const {kind, path: next} of outputs[path].imports) if (kind === 'import-statement') loaded.add(next)
  return outputFiles
    .filter(({path}) => [...loaded].some(name => path.endsWith(name)))
    .reduce((sum, {contents}) => sum + gzipSync(contents).length, 0)
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, bytes] of Object.entries(await bundleSizes()))
    console.log(`${name}: ${(bytes / 1000).toFixed(1)} kB`)
