import {build} from 'esbuild'
import {gzipSync} from 'node:zlib'
const entry = process.argv[2] ?? 'dist/index.js'
const {outputFiles, metafile:{outputs}} = await build({entryPoints:[entry],bundle:true,format:'esm',minify:true,splitting:true,write:false,metafile:true,outdir:'out'})
const first = Object.keys(outputs).find(p=>outputs[p].entryPoint===entry)
const loaded=new Set([first])
for (const p of loaded) for (const {kind,path} of outputs[p].imports) if(kind==='import-statement') loaded.add(path)
for (const p of loaded){ const f=outputFiles.find(f=>f.path.endsWith(p)); console.log(p,f.contents.length,gzipSync(f.contents).length)
 for (const [k,v] of Object.entries(outputs[p].inputs)) console.log('   ',v.bytesInOutput,k)}
console.log('LAZY'); for (const p of Object.keys(outputs)) if(!loaded.has(p)) console.log(p, outputs[p].bytes)
const cat = Buffer.concat([...loaded].map(p=>Buffer.from(outputFiles.find(f=>f.path.endsWith(p)).contents)))
console.log('one stream', gzipSync(cat).length, cat.length)
