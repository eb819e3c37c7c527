export {
  type Block,
  type Cell,
  type ChartBlock,
  heading,
  type Inline,
  type Marked,
  paragraph,
  plainText,
  type TableBlock,
  type TableColumn
} from './blocks.ts'
export {Bar, type BlockHost, Blocks, InlineText} from './show.tsx'
export {type Column, Table} from './table.tsx'
export {blocksText, textTable} from './text.ts'
