import {counted, firstNames} from '../../base/text/index.ts'
import type {Row, TableDialect} from '../data/index.ts'
import {
  byteOrderMarkLength,
  documentError,
  documentText,
  joined,
  latin1,
  NEWLINE,
  peek,
  recordLimit,
  textOf,
  tooLong
} from './bytes.ts'
import {lineBlocks} from './document-block.ts'
import {type TableRows, tableRows} from './read-table.ts'
import type {ReaderContext} from './source-file.ts'

/** One record of a table and the line on which it begins, from 1. */
export interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

const QUOTE = 0x22
const CARRIAGE_RETURN = 0x0d

/** The first record names the columns; without `delimiter`, the first line shows what is between cells. */
export async function* readCsv(
  source: AsyncIterable<Uint8Array>,
  context: ReaderContext,
  delimiter?: string
): AsyncGenerator<readonly Row[]> {
  const {name, onNote} = context
  const {head, chunks} = await peek(source, HEAD)
  const {separator, isStated} = delimiter === undefined ? tableForm(head) : {separator: delimiter, isStated: false}
  if (delimiter === undefined && separator !== ',')
    onNote?.(`${name}: cells are separated by ${SEPARATORS[separator] ?? JSON.stringify(separator)}`)
  let isForm = isStated
  let columns: readonly string[] = []
  let width = 0
  let table: TableRows | undefined
  /** Rows without content: at the end they are not documents. */
  const blank: CsvRecord[] = []
  for await (const batch of csvRecords(chunks, separator.charCodeAt(0), name)) {
    const rows: Row[] = []
    for (const record of batch) {
      const where = `${name}:${record.line}`
      if (isForm) isForm = false
      else if (table === undefined) {
        const names = record.cells.map(cell => cell.trim())
        width = names.length
        // Some programs end every line with a separator.
        columns = names.slice(0, names.findLastIndex(column => column !== '') + 1)
        const sample = () => firstRecords(head, separator).map(({cells}) => cells)
        table = tableRows(columns, context, {where, dialect: dialectOf(head, separator), sample})
      } else if (!isBlank(record.cells) || (columns.length === 1 && record.cells.length === 1)) {
        for (const {line, cells} of [...blank.splice(0), record])
          rows.push(table.read(namedCells(cells, columns, width, `${name}:${line}`), `${name}:${line}`))
      } else if (record.cells.length > 1) blank.push(record)
    }
    yield rows
  }
  table?.end()
}

function dialectOf(head: Uint8Array, delimiter: string): TableDialect {
  const lineEnd = head.indexOf(NEWLINE)
  return {
    delimiter,
    hasMark: byteOrderMarkLength(head) > 0,
    lineEnd: lineEnd > 0 && head[lineEnd - 1] === CARRIAGE_RETURN ? '\r\n' : '\n'
  }
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every(cell => cell.trim() === '')
}

/** The cells under the names of columns; `width` also counts those without a name at the end, which are empty. */
function namedCells(cells: readonly string[], columns: readonly string[], width: number, where: string) {
  if (cells.length === columns.length) return cells
  if (cells.length === width && isBlank(cells.slice(columns.length))) return cells.slice(0, columns.length)
  throw documentError(
    where,
    `the record that begins here has ${counted(cells.length, 'cell')}`,
    `the first line names ${counted(columns.length, 'column')} (${firstNames(columns)}), so every record needs as many cells; ` +
      (columns.length === 1
        ? 'delete what is above the names of the columns, such as a title, or put cells with separators in quotes'
        : 'put cells that contain the separator in quotes')
  )
}

/**
 * Cut comma- or tab-separated bytes into records (RFC 4180), in batches: quoted cells may hold separators, line ends and
 * doubled quotes; a record ends with LF, CRLF or the end of the file; empty lines are skipped; a quote inside a cell
 * that does not begin with one is an ordinary character.
 *
 * Cells are decoded from the bytes one by one, so that a cell kept by the caller keeps only itself alive. Memory: one piece plus
 * one record, which is tried again with every piece until it is whole.
 */
export async function* csvRecords(
  chunks: AsyncIterable<Uint8Array>,
  separator: number,
  name: string
): AsyncGenerator<readonly CsvRecord[]> {
  let rest: Uint8Array = new Uint8Array(0)
  let line = 1
  for await (const {bytes} of lineBlocks(chunks, {name, fields: {text: []}})) {
    const batch = cutRecords(joined([rest, bytes]), line, separator, name)
    yield batch.records
    rest = batch.rest
    line = batch.nextLine
    if (rest.length > recordLimit) throw tooLong(name, line, 'record')
  }
  if (rest.length > 0)
    throw documentError(
      `${name}:${line}`,
      'the record that begins here has a quote that is never closed',
      'a cell that begins with " must end with "'
    )
}

/** The records of whole lines, or the first `most`; of the last one, if its last cell goes on, the bytes are left. */
function cutRecords(
  bytes: Uint8Array,
  firstLine: number,
  separator: number,
  name: string,
  most = Number.POSITIVE_INFINITY
) {
  const records: CsvRecord[] = []
  let from = firstLine === 1 ? byteOrderMarkLength(bytes) : 0
  let line = firstLine
  while (from < bytes.length && records.length < most) {
    const skipped = lineEnd(bytes, from)
    if (skipped > 0) {
      from += skipped
      line++
      continue
    }
    const cells: string[] = []
    const end = cutCells(bytes, from, cells, separator, `${name}:${line}`)
    if (end < 0) break
    if (cells.some(cell => cell.includes(REPLACEMENT))) documentText(bytes.subarray(from, end), name, line)
    records.push({line, cells})
    for (let at = from; at < end; at++) if (bytes[at] === NEWLINE) line++
    from = end
  }
  return {records, rest: bytes.subarray(from), nextLine: line}
}

/** Fills `cells` with those of a record; returns where the next record begins, or -1 where a quote is not closed. */
function cutCells(bytes: Uint8Array, from: number, cells: string[], separator: number, where: string): number {
  for (let at = from; ; ) {
    let to = at
    if (bytes[at] === QUOTE) {
      to = closingQuote(bytes, at)
      if (to < 0) return -1
      const content = textOf(bytes.subarray(at + 1, to))
      cells.push(content.includes('"') ? content.replaceAll('""', '"') : content)
      to++
      if (to < bytes.length && bytes[to] !== separator && lineEnd(bytes, to) === 0)
        throw documentError(
          where,
          'the record that begins here has text after a closing quote',
          'write a quote inside a quoted cell twice, as ""'
        )
    } else {
      while (to < bytes.length && bytes[to] !== separator && bytes[to] !== NEWLINE) to++
      const isCrlf = bytes[to] !== separator && to > at && bytes[to - 1] === CARRIAGE_RETURN
      cells.push(textOf(bytes.subarray(at, isCrlf ? to - 1 : to)))
    }
    if (bytes[to] !== separator) return Math.min(bytes.length, to + Math.max(1, lineEnd(bytes, to)))
    at = to + 1
  }
}

/** The character of what is not UTF-8, which may also be in the file itself. */
const REPLACEMENT = '\ufffd'

function closingQuote(bytes: Uint8Array, open: number): number {
  let close = bytes.indexOf(QUOTE, open + 1)
  while (close >= 0 && bytes[close + 1] === QUOTE) close = bytes.indexOf(QUOTE, close + 2)
  return close
}

/** The length of the line end at `at`: LF 1, CRLF 2, CR before the end of the file 1, else 0. */
function lineEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] === NEWLINE) return 1
  if (bytes[at] !== CARRIAGE_RETURN) return 0
  if (bytes[at + 1] === NEWLINE) return 2
  return at + 1 === bytes.length ? 1 : 0
}

const SEPARATORS: Readonly<Record<string, string>> = {',': 'commas', ';': 'semicolons', '\t': 'tabs'}

/** So many bytes show the separator of cells. */
const HEAD = 65_536

/**
 * The separator of a table that begins so, and whether a first line states it, `sep=;`, as Excel writes it. Without that line
 * it is the one that cuts the first record into most cells; a comma where there is none, or as many of another.
 */
function tableForm(head: Uint8Array): {separator: string; isStated: boolean} {
  const [, stated] = /^(?:\xef\xbb\xbf)?sep=([^"\w\r\n])\r?(?:\n|$)/i.exec(latin1(head.subarray(0, 11))) ?? []
  if (stated !== undefined) return {separator: stated, isStated: true}
  // A fault below the first record says nothing of the separator.
  const counts = Object.keys(SEPARATORS).map(separator => firstRecords(head, separator, 1)[0]?.cells.length ?? 0)
  return {separator: Object.keys(SEPARATORS)[counts.indexOf(Math.max(...counts))], isStated: false}
}

/** Whether the first two records have the same number of cells, two or more. Text may have commas in its lines: then only tabs show a table. */
export function isTable(head: Uint8Array, isText: boolean): boolean {
  const {separator, isStated} = tableForm(head)
  if (isText && separator !== '\t') return false
  const [first, second] = firstRecords(head, separator, 3).slice(isStated ? 1 : 0)
  return first?.cells.length > 1 && first.cells.length === second?.cells.length
}

/** The first `most` records of a table with this separator; none where one of them cannot be read. */
function firstRecords(head: Uint8Array, separator: string, most?: number): readonly CsvRecord[] {
  const end = head.length <= HEAD ? head.length : head.lastIndexOf(NEWLINE, HEAD - 1) + 1
  try {
    return cutRecords(head.subarray(0, end || HEAD), 1, separator.charCodeAt(0), '', most).records
  } catch {
    // What is wrong is said when the table is read.
    return []
  }
}
