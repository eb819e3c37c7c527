import type {AdfaError} from '../../base/checks/index.ts'
import {type ByteTools, portableTools} from './bytes.ts'
import {documentError} from './document-error.ts'

/**
 * A line or a record of a table beyond this is refused: it is far more often a broken file than a document, and the words of
 * a document may take a hundred times the memory of its bytes.
 */
export const recordLimit = 16 * 1024 * 1024

export function tooLong(name: string, line: number, what: string, hint: string): AdfaError {
  const rule = `a ${what} may have at most 16 MB; ${hint}`
  return documentError(`${name}:${line}`, `the ${what} that begins here is over 16 MB`, rule)
}

/** Throws when `bytes`, whole lines of which the first is number `firstLine`, are not UTF-8. */
export function checkUtf8(
  bytes: Uint8Array,
  name: string,
  firstLine: number,
  {isUtf8}: ByteTools = portableTools
): void {
  if (isUtf8(bytes)) return
  let line = firstLine
  for (let from = 0; from < bytes.length; line++) {
    const newline = bytes.indexOf(10, from)
    const to = newline < 0 ? bytes.length : newline
    if (!isUtf8(bytes.subarray(from, to))) break
    from = to + 1
  }
  throw documentError(
    `${name}:${line}`,
    'not text in UTF-8',
    'documents must be UTF-8 text; check that this is the right file, save it as UTF-8, or name its `encoding`'
  )
}

/** Where the text begins: after the byte order mark that some programs write first. */
export function byteOrderMarkLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** Without the incomplete characters that a cut has left at both ends. */
export function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let from = 0
  while (from < 3 && bytes[from] >> 6 === 2) from++
  for (let back = 1; back <= Math.min(3, bytes.length - from); back++) {
    const byte = bytes[bytes.length - back]
    if (byte < 0x80) break
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return bytes.subarray(from, size > back ? bytes.length - back : undefined)
    }
  }
  return bytes.subarray(from)
}

/** Whether text that begins so is in UTF-16, by its byte order mark or since every other byte is mostly zero. */
export function isText16(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]++
  const half = Math.floor(head.length / 2)
  if (half < 2) return undefined
  if (zeros[1] > 0.5 * half && zeros[0] < 0.05 * half) return 'utf-16le'
  return zeros[0] > 0.5 * half && zeros[1] < 0.05 * half ? 'utf-16be' : undefined
}
