import {fileKind} from '../../base/checks/index.ts'
import {checkFeatureCount, exactId, isHeldOut, parseRow, type Row, type RowReading} from '../data/index.ts'
import {
  byteOrderMarkLength,
  bytesOf,
  documentText,
  joined,
  latin1,
  NEWLINE,
  recordLimit,
  textOf,
  tooLong
} from './bytes.ts'
import {documentError, reasonOf} from './document-error.ts'

/** The formats whose lines can be parsed one by one, so that any thread can parse some of them. */
export type LineFormat = 'jsonl' | 'svmlight'

/** How the lines of a file are parsed. */
interface LineFile {
  readonly format: LineFormat
  /** What errors call the file. */
  readonly name: string
  readonly fields: RowReading
}

interface LineBlock extends LineFile {
  readonly kind: 'lines'
  /** Whole lines, in an ArrayBuffer of their own. */
  readonly bytes: Uint8Array
  /** The number of the first of them, from 1. */
  readonly firstLine: number
}

/** Some neighbouring documents: rows, or lines that any thread can parse. */
export type DocumentBlock =
  | LineBlock
  | ({readonly kind: 'rows'; readonly rows: readonly Row[]} & Pick<RowReading, 'part'>)

/**
 * Cut pieces of bytes at line ends. Every line is whole in one block; a byte order mark at the start of the file is dropped.
 * The bytes of a block are a copy: they may be transferred to another thread while the next block is read.
 */
export async function* lineBlocks(
  chunks: AsyncIterable<Uint8Array>,
  {format, name, fields}: LineFile,
  isFileStart = true
): AsyncGenerator<DocumentBlock> {
  let pending: Uint8Array[] = []
  let pendingLength = 0
  let firstLine = 1
  const blockOf = (parts: readonly Uint8Array[]): LineBlock => {
    const bytes = parts.length === 1 ? new Uint8Array(parts[0]) : joined(parts)
    const start = isFileStart && firstLine === 1 ? byteOrderMarkLength(bytes) : 0
    return {kind: 'lines', format, name, fields, bytes: bytes.subarray(start), firstLine}
  }
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (pendingLength + (end > 0 ? chunk.indexOf(NEWLINE) : chunk.length) > recordLimit)
      throw tooLong(name, firstLine, 'line', 'check that this is the right file and the right format')
    if (end > 0) {
      const block = blockOf([...pending, chunk.subarray(0, end)])
      // Before the block, and perhaps its bytes, is given away.
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) firstLine++
      yield block
      pending = []
      pendingLength = 0
    }
    if (end < chunk.length) {
      pending.push(chunk.subarray(end))
      pendingLength += chunk.length - end
    }
  }
  if (pendingLength > 0) yield blockOf(pending)
}

/** The documents of a block, all at once. */
export function parseBlock(block: DocumentBlock): readonly Row[] {
  const rows: Row[] = []
  eachRow(block, row => rows.push(row))
  return rows
}

/** Visit the documents of a block one by one: those that the visitor forgets take no memory. */
export function eachRow(block: DocumentBlock, visit: (row: Row) => void): void {
  const {part} = block.kind === 'rows' ? block : block.fields
  const take = (row: Row | undefined) => {
    if (row !== undefined && (part === undefined || isHeldOut(row) === (part === 'held-out'))) visit(row)
  }
  if (block.kind === 'rows') {
    for (const row of block.rows) take(row)
    return
  }
  const parse = block.format === 'jsonl' ? parseLine : parseSvmlight
  const text = documentText(block.bytes, block.name, block.firstLine)
  let line = block.firstLine
  for (let from = 0; from < text.length; line++) {
    const newline = text.indexOf('\n', from)
    const end = newline < 0 ? text.length : newline
    const content = text.slice(from, end > from && text[end - 1] === '\r' ? end - 1 : end)
    if (content.trim() !== '') take(parse(content, block, line))
    from = end + 1
  }
}

/** Whether a block has a document, or a line that {@link parseBlock} refuses. */
export function holdsDocuments(block: DocumentBlock): boolean {
  if (block.kind === 'rows') return block.rows.length > 0
  const content = block.format === 'jsonl' ? /\S/ : /^\s*[^\s#]/m
  return content.test(textOf(block.bytes))
}

/** The same text by itself: a part of a longer one keeps all of that in memory. */
function copied(text: string): string {
  return textOf(bytesOf(text))
}

function parseLine(text: string, block: LineBlock, line: number): Row {
  const where = `${block.name}:${line}`
  const isRounded = (id: unknown) => typeof id === 'number' && !Number.isSafeInteger(id)
  const exact = (id: unknown, key: string) => (isRounded(id) ? exactId(id, copied(text), key) : id)
  return parseRow(parseJson(text, where, block), block.fields, where, exact)
}

function parseJson(text: string, where: string, {name, bytes, firstLine}: LineBlock): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const kind = firstLine === 1 ? fileKind(latin1(bytes.subarray(0, 100))) : undefined
    if (kind !== undefined && kind !== 'documents')
      throw documentError(name, `the file holds ${kind}, not documents`, 'give files of documents here', error)
    const rule = 'every line must hold one whole JSON object; fix or remove the line'
    throw documentError(where, `not valid JSON: ${reasonOf(error)}`, rule, error)
  }
}

/**
 * svmlight, one document per line: `label,label index:1 index:1 # comment`.
 *
 * Labels become tags, as they are written. A line that begins with a blank has an empty list of labels (as libsvm writes
 * multi-label documents); one that begins with a feature has unknown labels. Blank lines and comment lines are skipped,
 * `qid:` is ignored. A comment begins at a `#` after a blank, so that `c#` can be a label.
 */
function parseSvmlight(text: string, {name}: LineBlock, line: number): Row | undefined {
  const where = `${name}:${line}`
  const content = copied(text.includes('#') ? text.replace(/(^|\s)#.*$/s, '') : text)
  if (content.trim() === '') return undefined
  // Splitting at a single character is several times faster; blanks in a row give empty parts, which are skipped.
  const parts = content.split(content.includes('\t') ? /[ \t]/ : ' ')
  const hasLabels = !parts[0].includes(':')
  const tags = !hasLabels ? undefined : parts[0] === '' ? [] : parts[0].split(',')
  if (tags?.includes(''))
    throw documentError(
      where,
      `the labels "${parts[0]}" have an empty one among them`,
      'separate labels by single commas'
    )
  const features: string[] = []
  for (const part of hasLabels ? parts.slice(1) : parts) {
    if (part === '' || part.startsWith('qid:')) continue
    const [, index, value] = FEATURE.exec(part) ?? []
    if (value !== '1' && Number(value) !== 1 && Number(value) !== 0)
      throw documentError(
        where,
        `"${part}" is not a feature that is absent or present`,
        'features are written index:1, with a whole number as index and 0 (absent) or 1 (present) as value; ' +
          'binarise the data first, for instance by writing 1 for every value above 0'
      )
    if (value === '1' || Number(value) === 1) features.push(index)
  }
  checkFeatureCount(features.length, where)
  return {id: undefined, text: new Map(), features, tags, labels: undefined}
}

/** A feature and its value, however that is written: `7:1`, `7:1.0`, `7:1e0`. */
const FEATURE = /^(0|[1-9]\d*):([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i
