import {isUtf8} from 'node:buffer'
import {AdfaError} from '../../base/checks/index.ts'

/** A line or a record of a table beyond this is refused: it is far more often a broken file than a document. */
export const recordLimit = 64 * 1024 * 1024

export function tooLong(name: string, line: number, what: string, hint: string): AdfaError {
  return new AdfaError(
    'bad-document',
    `${name}:${line}: the ${what} that begins here is over 64 MB; a ${what} may have at most 64 MB; ${hint}`
  )
}

/** Throws when `bytes`, whole lines of which the first is number `firstLine`, are not UTF-8. */
export function checkUtf8(bytes: Uint8Array, name: string, firstLine: number): void {
  if (isUtf8(bytes)) return
  let line = firstLine
  for (let from = 0; from < bytes.length; line++) {
    const newline = bytes.indexOf(10, from)
    const to = newline < 0 ? bytes.length : newline
    if (!isUtf8(bytes.subarray(from, to))) break
    from = to + 1
  }
  throw new AdfaError(
    'bad-document',
    `${name}:${line}: not text in UTF-8; documents must be UTF-8 text, plain or compressed with gzip or zstd; ` +
      'check that this is the right file, or save it as UTF-8'
  )
}

/** Where the text begins: after the byte order mark that some programs put in front. */
export function byteOrderMarkLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}
