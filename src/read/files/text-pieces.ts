import {isAscii} from 'node:buffer'
import {TextDecoder} from 'node:util'
import {checkUtf8, wholeCharacters} from '../reading/index.ts'
import {nodeTools} from './node-tools.ts'

const byteOrderMark = 0xfeff

/**
 * Bytes in UTF-8 as text, piece by piece, never cut inside a character; a byte order mark at the start is dropped.
 * `line` returns, for errors, the number of the line at which the next piece begins.
 */
export async function* textPieces(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  line: () => number
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true})
  let isFirst = true
  let isWhole = true
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue
    // Twice as fast as any decoder, and most pieces of English text are ASCII.
    const text = isWhole && isAscii(chunk) ? asciiText(chunk) : decode(decoder, chunk, name, line())
    isWhole = chunk[chunk.length - 1] < 0x80
    if (text === '') continue
    yield isFirst && text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
    isFirst = false
  }
  if (!isWhole) decode(decoder, undefined, name, line())
}

function asciiText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** The next characters; without `bytes`, checks that the last one is complete. */
function decode(decoder: TextDecoder, bytes: Uint8Array | undefined, name: string, line: number): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, {stream: true})
  } catch {
    if (bytes !== undefined) checkUtf8(wholeCharacters(bytes), name, line, nodeTools)
    // The fault is in the character between two pieces, or at the end.
    checkUtf8(Uint8Array.of(0xff), name, line)
    throw new Error('internal error: text that is not UTF-8 passed for it')
  }
}
