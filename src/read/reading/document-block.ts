import {fileKind} from '../../base/checks/index.ts'
import {checkFeatureCount, exactId, isHeldOut, parseRow, type Row, type RowReading} from '../data/index.ts'
import {
  byteOrderMarkLength,
  bytesOf,
  documentError,
  documentText,
  joined,
  latin1,
  NEWLINE,
  reasonOf,
  recordLimit,
  textOf,
  tooLong
} from './bytes.ts'
import {type ReaderContext, wholeBytes} from './source-file.ts'

/** Lines of JSON, which any thread can parse. */
interface LineBlock {
  /** What errors call the file. */
  readonly name: string
  readonly fields: RowReading
  /** Whole lines, in an ArrayBuffer of their own. */
  readonly bytes: Uint8Array
  /** The number of the first of them, from 1. */
  readonly firstLine: number
}

/** Some neighbouring documents: rows, or lines that any thread can parse. */
export type DocumentBlock = readonly Row[] | LineBlock

/** Every line is whole in one block, whose bytes are a copy: they may go to another thread while the next block is read. */
export async function* lineBlocks(
  chunks: AsyncIterable<Uint8Array>,
  {name, fields}: Pick<ReaderContext, 'name' | 'fields'>
): AsyncGenerator<LineBlock> {
  let pending: Uint8Array[] = []
  let pendingLength = 0
  let firstLine = 1
  const blockOf = (parts: readonly Uint8Array[]): LineBlock => {
    const bytes = parts.length === 1 ? new Uint8Array(parts[0]) : joined(parts)
    return {name, fields, bytes, firstLine}
  }
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (pendingLength + (end > 0 ? chunk.indexOf(NEWLINE) : chunk.length) > recordLimit)
      throw tooLong(name, firstLine, 'line')
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

export function parseBlock(block: DocumentBlock): readonly Row[] {
  if (!('bytes' in block)) return block
  const rows: Row[] = []
  eachRow(block, row => rows.push(row))
  return rows
}

/** Visit the documents of a block one by one: those that the visitor forgets take no memory. */
export function eachRow(block: DocumentBlock, visit: (row: Row) => void): void {
  if (!('bytes' in block)) for (const row of block) visit(row)
  else
    eachLine(block, (line, where) => {
      const row = parseLine(line, where, block)
      if (isRead(row, block.fields)) visit(row)
    })
}

export function isRead(row: Row, {part}: RowReading): boolean {
  return part === undefined || isHeldOut(row) === (part === 'held-out')
}

function eachLine({name, bytes, firstLine}: LineBlock, visit: (line: string, where: string) => void): void {
  const text = documentText(bytes, name, firstLine)
  let line = firstLine
  for (let from = 0; from < text.length; line++) {
    const newline = text.indexOf('\n', from)
    const end = newline < 0 ? text.length : newline
    const content = text.slice(from, end > from && text[end - 1] === '\r' ? end - 1 : end)
    if (content.trim() !== '') visit(content, `${name}:${line}`)
    from = end + 1
  }
}

/** Whether a block has a document, or a line that {@link parseBlock} refuses. */
export function holdsDocuments(block: DocumentBlock): boolean {
  return 'bytes' in block ? /\S/.test(textOf(block.bytes)) : block.length > 0
}

function parseLine(text: string, where: string, {name, fields, bytes, firstLine}: LineBlock): Row {
  try {
    return parseDocument(text, fields, where, 'every line must hold one whole JSON object; fix or remove the line')
  } catch (error) {
    const kind = firstLine === 1 ? fileKind(textOf(bytes.subarray(0, 100))) : undefined
    if (kind === undefined || kind === 'documents') throw error
    throw documentError(name, `the file holds ${kind}, not documents`, 'give files of documents here', error)
  }
}

/** The document that one object of JSON is; `rule` says where such an object must stand. */
function parseDocument(text: string, fields: RowReading, where: string, rule: string): Row {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw documentError(where, `not valid JSON: ${reasonOf(error)}`, rule, error)
  }
  const isRounded = (id: unknown) => typeof id === 'number' && !Number.isSafeInteger(id)
  return parseRow(value, fields, where, (id, key) => (isRounded(id) ? exactId(id, copied(text), key) : id))
}

/** The same text by itself: a part of a longer one keeps all of that in memory. */
function copied(text: string): string {
  return textOf(bytesOf(text))
}

export function startsArray(head: Uint8Array): boolean {
  return /^\s*\[/.test(latin1(head.subarray(byteOrderMarkLength(head))))
}

/** The longest text that every runtime holds is a little longer. */
const LONGEST_ARRAY = 500 * 1024 * 1024
const BATCH = 1000

/** One array of JSON objects, each a document, over any number of lines. Its brackets outside strings show where each object begins and ends. */
export async function* readJsonArray(
  chunks: AsyncIterable<Uint8Array>,
  {name, fields}: ReaderContext
): AsyncGenerator<readonly Row[]> {
  const wayOut = "a JSON array is read as a whole; make JSON Lines of it, for instance with jq -c '.[]'"
  const bytes = await wholeBytes(chunks, name, LONGEST_ARRAY, wayOut)
  const text = documentText(bytes, name).trimEnd()
  const rule = 'every entry of the array must be one JSON object; fix or remove it'
  let rows: Row[] = []
  let line = 1
  let depth = 0
  let isQuoted = false
  let [start, firstLine, end] = [0, 1, 0]
  for (const {0: token, index} of text.matchAll(/\\.|["{}[\]\n]/gs)) {
    if (token === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (token === '\n') line++
    else if (token === '{' || (token === '[' && depth > 0)) {
      if (depth++ > 0) continue
      checkBetween(text.slice(end, index), end === 0 ? '[' : ',', `${name}:${line}`)
      start = index
      firstLine = line
    } else if ((token === '}' || token === ']') && depth > 0 && --depth === 0) {
      end = index + 1
      if (end - start > recordLimit) throw tooLong(name, firstLine, 'document')
      rows.push(parseDocument(text.slice(start, end), fields, `${name}:${firstLine}`, rule))
      if (rows.length < BATCH) continue
      yield rows
      rows = []
    }
  }
  yield rows
  if (depth > 0)
    throw documentError(
      `${name}:${firstLine}`,
      'the object that begins here is never closed',
      'it must end with }; copy the file again if it is cut short'
    )
  checkBetween(text.slice(end), end === 0 ? '[]' : ']', `${name}:${line}`)
}

function checkBetween(between: string, expected: string, where: string): void {
  const found = between.replace(/\s/g, '').slice(0, 20)
  if (found === expected) return
  throw documentError(
    where,
    `${found === '' ? 'nothing' : `'${found}'`} stands where '${expected}' is expected`,
    'a file that begins with [ is one array of objects, {...}, with a comma between two of them and ] at its end'
  )
}

/**
 * svmlight, one document per line: `label,label index:1 index:1 # comment`.
 *
 * Labels become tags, as they are written. A line that begins with a blank has an empty list of labels (as libsvm writes
 * multi-label documents); one that begins with a feature has unknown labels. Blank lines and comment lines are skipped,
 * `qid:` is ignored. A comment begins at a `#` after a blank, so that `c#` can be a label.
 */
export async function* readSvmlight(
  chunks: AsyncIterable<Uint8Array>,
  context: ReaderContext
): AsyncGenerator<readonly Row[]> {
  for await (const block of lineBlocks(chunks, context)) {
    const rows: Row[] = []
    eachLine(block, (line, where) => {
      const content = copied(line.includes('#') ? line.replace(/(^|\s)#.*$/s, '') : line)
      if (content.trim() !== '') rows.push(svmlightRow(content, where))
    })
    yield rows
  }
}

function svmlightRow(content: string, where: string): Row {
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
