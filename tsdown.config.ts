import {defineConfig} from 'tsdown'

export default defineConfig({
  entry: {index: 'src/index.ts', node: 'src/node.ts', adfa: 'src/cli/adfa.ts'},
  format: 'esm',
  platform: 'neutral',
  external: [/^node:/],
  fixedExtension: false,
  dts: true
})
