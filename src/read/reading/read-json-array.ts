import {exactId, parseRow, type Row} from '../data/index.ts'
import {byteOrderMarkLength, documentText, joined, latin1, NEWLINE, recordLimit, tooLong} from './bytes.ts'
import {documentError, reasonOf} from './document-error.ts'
import type {ReaderContext} from './source-file.ts'

/** Whether a file that begins so holds an array, not lines of objects. */
export function startsArray(head: Uint8Array): boolean {
  return /^\s*\[/.test(latin1(head.subarray(byteOrderMarkLength(head))))
}

const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, QUOTE, BACKSLASH] = Array.from('[]{}"\\', character =>
  character.charCodeAt(0)
)

/**
 * One array of JSON objects, each a document, over any number of lines. Finds where each object begins and ends, by the brackets
 * outside strings; JSON.parse does the rest. Memory: a piece and one object.
 */
export async function* readJsonArray(
  chunks: AsyncIterable<Uint8Array>,
  context: ReaderContext
): AsyncGenerator<readonly Row[]> {
  const {name} = context
  let line = 1
  /** What stands between the objects: before the first, since the last, and after the end of the array. */
  let between = ''
  let betweenLine = 1
  let expected = '['
  /** The object under way: its pieces before this one, their length, its first line and how many of its brackets are open. */
  let parts: Uint8Array[] = []
  let length = 0
  let firstLine = 1
  let depth = 0
  let isQuoted = false
  let isEscaped = false
  for await (const chunk of chunks) {
    const rows: Row[] = []
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      // A string has no line ends.
      if (isQuoted) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isQuoted = false
      } else if (byte === NEWLINE) line++
      else if (depth === 0) {
        if (byte === OPEN) {
          checkBetween(`${name}:${line}`, between, expected)
          between = ''
          expected = ','
          start = at
          firstLine = line
          depth = 1
        } else if (byte > 0x20) {
          between += String.fromCharCode(byte)
          betweenLine = line
          if (between.length > MOST_BETWEEN) checkBetween(`${name}:${line}`, between, expected)
        }
      } else if (byte === QUOTE) isQuoted = true
      else if (byte === OPEN || byte === OPEN_LIST) depth++
      else if ((byte === CLOSE || byte === CLOSE_LIST) && --depth === 0) {
        rows.push(parseObject(joined([...parts, chunk.subarray(start, at + 1)]), firstLine, context))
        parts = []
        length = 0
      }
    }
    if (depth > 0) {
      parts.push(chunk.subarray(start))
      length += chunk.length - start
      if (length > recordLimit)
        throw tooLong(name, firstLine, 'document', 'look for a bracket or a quote that is never closed')
    }
    yield rows
  }
  if (depth === 0 && between.includes(']')) {
    checkBetween(`${name}:${betweenLine}`, between, expected === '[' ? '[]' : ']')
    return
  }
  throw documentError(
    `${name}:${depth > 0 ? firstLine : line}`,
    depth > 0 ? 'the object that begins here is never closed' : 'the array is never closed',
    'it must end with ]; copy the file again if it is cut short'
  )
}

/** More characters cannot stand between two objects. */
const MOST_BETWEEN = 20

function checkBetween(where: string, between: string, expected: string): void {
  const found = between.replace(/^\xef\xbb\xbf/, '')
  if (found === expected) return
  throw documentError(
    where,
    `${found === '' ? 'nothing' : `'${found}'`} stands where '${expected}' is expected`,
    'a file that begins with [ is one array of objects, {...}, with a comma between two of them and ] at its end'
  )
}

function parseObject(bytes: Uint8Array, firstLine: number, {name, fields}: ReaderContext): Row {
  const where = `${name}:${firstLine}`
  const text = documentText(bytes, name, firstLine)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const rule = 'every entry of the array must be one JSON object; fix or remove it'
    throw documentError(where, `the object that begins here is not valid JSON: ${reasonOf(error)}`, rule, error)
  }
  return parseRow(value, fields, where, (id, key) => exactId(id, text, key))
}
