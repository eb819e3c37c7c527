import {build} from 'esbuild'
import {gzipSync} from 'node:zlib'
for (const entry of ['src/index.ts', 'src/predict.ts']) {
  const r = await build({entryPoints: ['/work/w-bundle/' + entry], bundle: true, format: 'esm', minify: true, write: false, external: ['highs', 'node:*'], metafile: true, splitting: true, outdir: '/tmp/x'})
  console.log(entry, r.outputFiles.map(f => [f.path, f.contents.length, gzipSync(f.contents).length].join(' ')))
  const by = {}
  for (const o of Object.values(r.metafile.outputs)) for (const [f, {bytesInOutput}] of Object.entries(o.inputs)) { const k = f.replace(/.*src\//,'').split("/").join('/'); by[k]=(by[k]??0)+bytesInOutput }
  for (const [k,v] of Object.entries(by).sort((a,b)=>b[1]-a[1])) console.log('  ', v, k)
}
