import {type ByteTools, type ByteView, joined, latin1, portableTools} from './bytes.ts'
import {documentError} from './document-error.ts'
import {byteOrderMarkLength, checkUtf8, recordLimit, tooLong} from './utf8.ts'

/** One record of a table and the line on which it begins, from 1. */
export interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

interface CsvOptions {
  /** The number of the first line, from 1. */
  readonly firstLine?: number
  readonly tools?: ByteTools | undefined
}

const quote = 0x22
const newline = 0x0a
const carriageReturn = 0x0d

/**
 * Cut comma- or tab-separated bytes into records (RFC 4180), in batches: quoted cells may hold separators, line ends and
 * doubled quotes; a record ends with LF, CRLF or the end of the file; empty lines are skipped; a quote inside a cell
 * that does not begin with one is an ordinary character.
 *
 * Cells are decoded from the bytes one by one, so that a cell kept by the caller keeps only itself alive.
 * Memory: one piece plus one record. An incomplete record is tried again when twice its bytes have arrived, so that long
 * records cost linear time.
 */
export async function* csvRecords(
  chunks: AsyncIterable<Uint8Array>,
  separator: number,
  name: string,
  {firstLine = 1, tools = portableTools}: CsvOptions = {}
): AsyncGenerator<readonly CsvRecord[]> {
  let parts: Uint8Array[] = []
  let length = 0
  let needed = 0
  let line = firstLine
  for await (const chunk of chunks) {
    parts.push(chunk)
    length += chunk.length
    if (length < needed) continue
    const batch = cutRecords(joined(parts), separator, {name, line, isEnd: false, tools})
    yield batch.records
    line = batch.nextLine
    parts = [batch.rest]
    length = batch.rest.length
    needed = Math.min(2 * length, recordLimit)
    if (length > recordLimit) throw tooLong(name, line, 'record', 'look for a quote that is never closed')
  }
  const last = cutRecords(joined(parts), separator, {name, line, isEnd: true, tools})
  yield last.records
}

interface Cut {
  readonly records: readonly CsvRecord[]
  readonly rest: Uint8Array
  readonly nextLine: number
}

interface Place {
  readonly name: string
  readonly line: number
  readonly isEnd: boolean
  readonly tools: ByteTools
}

function cutRecords(bytes: Uint8Array, separator: number, {name, line: firstLine, isEnd, tools}: Place): Cut {
  const view = tools.view(bytes)
  const records: CsvRecord[] = []
  const start = firstLine === 1 ? byteOrderMarkLength(bytes) : 0
  let from = start
  let line = firstLine
  while (from < bytes.length) {
    // Whether a line feed follows this carriage return is known only when more bytes arrive.
    if (bytes[from] === carriageReturn && from + 1 === bytes.length && !isEnd) break
    const skipped = lineEnd(bytes, from)
    if (skipped > 0) {
      from += skipped
      line++
      continue
    }
    const cells: string[] = []
    const end = cutCells(bytes, from, {separator, cells, isEnd, view, where: `${name}:${line}`})
    if (end < 0) break
    records.push({line, cells})
    for (let at = view.indexOf(newline, from); at >= 0 && at < end; at = view.indexOf(newline, at + 1)) line++
    from = end
  }
  checkUtf8(bytes.subarray(start, from), name, firstLine, tools)
  return {records, rest: bytes.subarray(from), nextLine: line}
}

interface RecordPlace {
  readonly separator: number
  /** Filled with the cells. */
  readonly cells: string[]
  readonly isEnd: boolean
  readonly view: ByteView
  readonly where: string
}

/** Read the cells of the record at `from`; returns where the next record begins, or -1 when this one is incomplete. */
function cutCells(bytes: Uint8Array, from: number, {separator, cells, isEnd, view, where}: RecordPlace): number {
  for (let at = from; ; ) {
    let to = at
    if (bytes[at] === quote) {
      to = closingQuote(bytes, view, at)
      // A quote that is the last byte may turn out to be half of a doubled one.
      if (!isEnd && (to < 0 || to + 2 >= bytes.length)) return -1
      if (to < 0)
        throw documentError(
          where,
          'the record that begins here has a quote that is never closed',
          'a cell that begins with " must end with "'
        )
      const text = view.text(at + 1, to)
      cells.push(text.includes('"') ? text.replaceAll('""', '"') : text)
      to++
      if (to < bytes.length && bytes[to] !== separator && lineEnd(bytes, to) === 0)
        throw documentError(
          where,
          'the record that begins here has text after a closing quote',
          'write a quote inside a quoted cell twice, as ""'
        )
    } else {
      while (to < bytes.length && bytes[to] !== separator && bytes[to] !== newline) to++
      if (to === bytes.length && !isEnd) return -1
      const isCrlf = bytes[to] !== separator && to > at && bytes[to - 1] === carriageReturn
      cells.push(view.text(at, isCrlf ? to - 1 : to))
    }
    if (bytes[to] !== separator) return Math.min(bytes.length, to + Math.max(1, lineEnd(bytes, to)))
    at = to + 1
  }
}

/** The index of the quote that closes the cell opened at `open`, or -1. */
function closingQuote(bytes: Uint8Array, view: ByteView, open: number): number {
  let close = view.indexOf(quote, open + 1)
  while (close >= 0 && bytes[close + 1] === quote) close = view.indexOf(quote, close + 2)
  return close
}

/** The length of the line end at `at`: LF 1, CRLF 2, CR before the end of the file 1, else 0. */
function lineEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] === newline) return 1
  if (bytes[at] !== carriageReturn) return 0
  if (bytes[at + 1] === newline) return 2
  return at + 1 === bytes.length ? 1 : 0
}

/** How the cells of a table are separated. */
export interface TableForm {
  readonly separator: number
  /** How many bytes a first line `sep=;` takes, as Excel writes it; 0 without one. */
  readonly skipped: number
}

const candidates = [',', ';', '\t'].map(character => character.charCodeAt(0))

/**
 * The form of a table that begins so: `sep=;` names the separator, else it is the most frequent of comma, semicolon and tab in
 * the first line, outside quotes. A comma where there is none, or as many of another.
 */
export function tableForm(head: Uint8Array): TableForm {
  const start = byteOrderMarkLength(head)
  const stated = /^sep=([^"\w\r\n])\r?(?:\n|$)/i.exec(latin1(head.subarray(start, start + 8)))
  if (stated !== null) return {separator: stated[1].charCodeAt(0), skipped: start + stated[0].length}
  const counts = new Map(candidates.map(candidate => [candidate, 0]))
  const end = headerEnd(head)
  let isQuoted = false
  for (let at = start; at < end; at++) {
    if (head[at] === quote) isQuoted = !isQuoted
    else if (!isQuoted) {
      const count = counts.get(head[at])
      if (count !== undefined) counts.set(head[at], count + 1)
    }
  }
  const most = Math.max(...counts.values())
  const separator = candidates.find(candidate => counts.get(candidate) === most) ?? candidates[0]
  return {separator, skipped: 0}
}

/** Where the first line with content ends, as far as it is known: a line end inside quotes does not end it. */
export function headerEnd(head: Uint8Array): number {
  let isQuoted = false
  let isBlank = true
  for (let at = byteOrderMarkLength(head); at < head.length; at++) {
    if (head[at] === quote) isQuoted = !isQuoted
    if (head[at] === newline && !isQuoted && !isBlank) return at
    isBlank &&= head[at] === newline || head[at] === carriageReturn
  }
  return head.length
}
