import type {Row, RowFields} from '../data/index.ts'
import {type LineBlock, someLine} from './line-blocks.ts'
import {readJsonLines} from './read-json-lines.ts'
import {readSvmlight, withoutComment} from './read-svmlight.ts'

/** The formats whose lines can be understood one by one, so that any thread can parse some of them. */
export type LineFormat = 'jsonl' | 'svmlight'

/** Some whole lines of a file with all that is needed to parse them. The bytes have an ArrayBuffer of their own. */
export interface LinesOfFile extends LineBlock {
  readonly kind: 'lines'
  readonly format: LineFormat
  /** What errors call the file. */
  readonly name: string
  readonly fields: RowFields
}

/** Some neighbouring documents: bytes that are still to be parsed, by whoever has time, or rows. */
export type DocumentBlock = LinesOfFile | {readonly kind: 'rows'; readonly rows: readonly Row[]}

/** The documents of a block; it needs nothing but the block. */
export function parseBlock(block: DocumentBlock): readonly Row[] {
  if (block.kind === 'rows') return block.rows
  return block.format === 'jsonl' ? readJsonLines(block, block.name, block.fields) : readSvmlight(block, block.name)
}

/** Whether a block has a document, or a line that {@link parseBlock} refuses. Cost: that of the first document. */
export function holdsDocuments(block: DocumentBlock): boolean {
  if (block.kind === 'rows') return block.rows.length > 0
  const content = block.format === 'jsonl' ? (text: string) => text : withoutComment
  return someLine(block, text => content(text).trim() !== '')
}
