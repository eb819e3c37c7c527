import {exactId, parseRow, type Row} from '../data/index.ts'
import {byteOrderMarkLength, documentText, joined, recordLimit, tooLong} from './bytes.ts'
import {documentError, reasonOf} from './document-error.ts'
import type {ReaderContext} from './reader-context.ts'

/** One array of JSON objects, each a document, over any number of lines. Memory: a piece and one object. */
export async function* readJsonArray(
  chunks: AsyncIterable<Uint8Array>,
  context: ReaderContext
): AsyncGenerator<readonly Row[]> {
  const scanner = new ArrayScanner(context)
  for await (const chunk of chunks) yield scanner.feed(chunk)
  scanner.end()
}

/** Whether a file that begins so holds an array, not lines of objects. */
export function startsArray(head: Uint8Array): boolean {
  let at = byteOrderMarkLength(head)
  while (isBlank(head[at])) at++
  return head[at] === OPEN_LIST
}

const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, COMMA, QUOTE, BACKSLASH, NEWLINE] = Array.from('[]{},"\\\n', character =>
  character.charCodeAt(0)
)

/** A byte order mark, which may come in pieces. */
const MARK: readonly number[] = [0xef, 0xbb, 0xbf]

type Place = 'before' | 'first' | 'entry' | 'inside' | 'between' | 'after'

const EXPECTED: Readonly<Record<Exclude<Place, 'inside'>, string>> = {
  before: '[',
  first: 'an object, {...}, or the end of the array, ]',
  entry: 'an object, {...}',
  between: 'a comma or the end of the array, ]',
  after: 'nothing'
}

/** Finds where each object of the array ends, by its brackets outside strings; JSON.parse does the rest. */
class ArrayScanner {
  readonly #context: ReaderContext
  #place: Place = 'before'
  #line = 1
  /** The object under way: its pieces before this one, its length so far and its first line. */
  #parts: Uint8Array[] = []
  #length = 0
  #firstLine = 1
  #depth = 0
  #isQuoted = false
  #isEscaped = false

  constructor(context: ReaderContext) {
    this.#context = context
  }

  feed(chunk: Uint8Array): readonly Row[] {
    const rows: Row[] = []
    let at = 0
    while (at < chunk.length) {
      if (this.#place !== 'inside') {
        // The brace that opens an object belongs to it.
        if (!this.#opens(chunk[at])) at++
        continue
      }
      const end = this.#endOf(chunk, at)
      const part = chunk.subarray(at, end < 0 ? chunk.length : end)
      this.#length += part.length
      if (this.#length > recordLimit)
        throw tooLong(
          this.#context.name,
          this.#firstLine,
          'document',
          'look for a bracket or a quote that is never closed'
        )
      this.#parts.push(part)
      if (end < 0) break
      rows.push(this.#take())
      at = end
    }
    return rows
  }

  end(): void {
    if (this.#place === 'after') return
    const line = this.#place === 'inside' ? this.#firstLine : this.#line
    throw documentError(
      `${this.#context.name}:${line}`,
      this.#place === 'inside' ? 'the object that begins here is never closed' : 'the array is never closed',
      'it must end with ]; copy the file again if it is cut short'
    )
  }

  /** Reads one byte between the objects; whether it opens one. */
  #opens(byte: number): boolean {
    if (isBlank(byte)) {
      if (byte === NEWLINE) this.#line++
      return false
    }
    const place = this.#place
    if (place === 'before' && MARK.includes(byte)) return false
    if (byte === OPEN_LIST && place === 'before') this.#place = 'first'
    else if (byte === OPEN && (place === 'first' || place === 'entry')) {
      this.#place = 'inside'
      this.#firstLine = this.#line
      this.#depth = 0
    } else if (byte === CLOSE_LIST && (place === 'first' || place === 'between')) this.#place = 'after'
    else if (byte === COMMA && place === 'between') this.#place = 'entry'
    else {
      const rule = `expected ${EXPECTED[place as keyof typeof EXPECTED]}; a file that begins with [ is one array of objects`
      const found = `there is "${String.fromCharCode(byte)}" between documents`
      throw documentError(`${this.#context.name}:${this.#line}`, found, rule)
    }
    return byte === OPEN
  }

  /** Where the object under way ends in `chunk`, or -1. */
  #endOf(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte === NEWLINE) this.#line++
      if (this.#isEscaped) this.#isEscaped = false
      else if (this.#isQuoted) {
        if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isQuoted = false
      } else if (byte === QUOTE) this.#isQuoted = true
      else if (byte === OPEN || byte === OPEN_LIST) this.#depth++
      else if ((byte === CLOSE || byte === CLOSE_LIST) && --this.#depth === 0) return at + 1
    }
    return -1
  }

  #take(): Row {
    const {name, fields} = this.#context
    const where = `${name}:${this.#firstLine}`
    const text = documentText(joined(this.#parts), name, this.#firstLine)
    this.#parts = []
    this.#length = 0
    this.#place = 'between'
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      const rule = 'every entry of the array must be one JSON object; fix or remove it'
      throw documentError(where, `the object that begins here is not valid JSON: ${reasonOf(error)}`, rule, error)
    }
    return parseRow(value, fields, where, (id, key) => exactId(id, text, key))
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09
}
