import {defineConfig} from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    node: 'src/node.ts',
    adfa: 'src/app/cli/adfa.ts',
    'count-worker': 'src/read/engines/count-worker.ts',
    'experiment-worker': 'src/app/experiments/experiment-worker.ts'
  },
  format: 'esm',
  platform: 'neutral',
  deps: {neverBundle: [/^node:/]},
  fixedExtension: false,
  dts: true
})
