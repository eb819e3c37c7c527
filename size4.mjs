import {build} from 'esbuild'
import {gzipSync} from 'node:zlib'
import {readFileSync} from 'node:fs'
const text = readFileSync('src/index.ts','utf8')
const names = ['learn','bootstrap','refine','evaluate','diagnose','suggestAnchors','explain','estimateNoise','readCorpus','mergeCounts','countsToBytes','countsFromBytes','fit','topWords','buildCorpus']
async function size(src){ const r=await build({stdin:{contents:src,resolveDir:process.cwd()+'/src',loader:'ts'},bundle:true,format:'esm',minify:true,write:false,external:['highs'],splitting:true,outdir:'x',metafile:true}); const o=r.outputFiles; const f=Object.entries(r.metafile.outputs).find(([,v])=>v.entryPoint==='<stdin>'); const loaded=new Set([f[0]]); for (const p of loaded) for (const {kind,path} of r.metafile.outputs[p].imports) if(kind==='import-statement') loaded.add(path); const by={}; for(const p of loaded) for(const [k,v] of Object.entries(r.metafile.outputs[p].inputs)) by[k]=v.bytesInOutput; return {gz:[...loaded].reduce((s,p)=>s+gzipSync(o.find(f=>f.path.endsWith(p)).contents).length,0),by} }
const all = await size(text); console.log('all',all.gz)
for (const n of names){ const s=text.replace(new RegExp(`(?<=[{,]\\s*)${n}(?=\\s*[,}])`),'  ').replace(/\{\s*,/g,'{').replace(/,\s*,/g,',').replace(/\{\s*\}/g,'{}'); if(s===text){console.log('??',n);continue}
 try{const r=await size(s); console.log(n, all.gz-r.gz, Object.keys(all.by).filter(k=>!r.by[k]).map(k=>k.replace('src/','')+' '+all.by[k]).join(', '))}catch(e){console.log(n,'ERR',e.message.slice(0,200))} }
