import {copyFile, mkdir, writeFile} from 'node:fs/promises'
import {defineConfig} from 'tsdown'
import {buildStudio} from './studio-build.ts'

/** Entries of the package, by the name behind `adfa/`; those of one room are the room's own `index.ts`. */
const entry = {
  index: 'src/index.ts',
  predict: 'src/predict.ts',
  node: 'src/node.ts',
  noise: 'src/learn/noise/index.ts',
  moments: 'src/learn/moments/index.ts',
  structure: 'src/learn/structure/index.ts',
  network: 'src/base/network/index.ts',
  pooling: 'src/read/pooling/index.ts',
  labelling: 'src/use/labelling/index.ts',
  baselines: 'src/use/baselines/index.ts',
  synthetic: 'src/use/synthetic/index.ts',
  report: 'src/app/report/index.ts',
  comparison: 'src/use/comparison/index.ts',
  adfa: 'src/app/cli/adfa.ts',
  'count-worker': 'src/read/engines/count-worker.ts',
  'evaluate-worker': 'src/app/cli/evaluate/evaluate-worker.ts',
  'predict-worker': 'src/app/cli/predict-worker.ts'
}

/**
 * HiGHS is bundled, since its script asks for `node:module` by name, which stops bundlers for browsers. Under Node the name
 * is put together at run time instead; the WebAssembly file goes beside the chunk, where the script looks for it.
 */
const highs = {
  name: 'highs',
  transform(code: string, id: string) {
    if (!/[\\/]highs[\\/]build[\\/]highs\.mjs$/.test(id)) return null
    const found = 'await import("node:module")'
    if (!code.includes(found)) throw new Error(`highs no longer has ${found}; look how it finds Node now`)
    return {code: code.replace(found, 'await import(["node","module"].join(":"))'), map: null}
  }
}

export default defineConfig({
  entry,
  format: 'esm',
  platform: 'neutral',
  plugins: [highs],
  deps: {neverBundle: [/^node:/], alwaysBundle: ['highs'], onlyBundle: ['highs']},
  fixedExtension: false,
  dts: true,
  // The declarations have them.
  outputOptions: {comments: {jsdoc: false}},
  onSuccess: async () => {
    await copyFile('node_modules/highs/build/highs.wasm', 'dist/highs.wasm')
    await mkdir('dist/studio', {recursive: true})
    for (const [name, text] of await buildStudio()) await writeFile(`dist/${name}`, text)
  }
})
