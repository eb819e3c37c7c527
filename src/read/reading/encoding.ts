import {badOption} from '../../base/checks/index.ts'
import {bytesOf, documentError, latin1, NEWLINE, peek, reasonOf} from './bytes.ts'
import type {ReaderContext} from './source-file.ts'

/** Without a line feed in so many bytes, carriage returns end the lines. */
const LINE = 65_536
const CARRIAGE_RETURN = 0x0d

/** So many bytes decide how text is written. */
const DECIDING = 2 * 1024 * 1024

/** The name that the runtime has for an encoding; `latin1` is `windows-1252`, as in browsers. */
export function parseEncoding(name: string): string {
  try {
    return new TextDecoder(name).encoding
  } catch {
    throw badOption('documents', 'encoding', 'one such as utf-8, utf-16le, windows-1252, gbk or shift_jis', name)
  }
}

/**
 * Text in UTF-8, from text in any encoding: UTF-16 is recognised by its byte order mark or its zero bytes, Windows-1252 (and
 * with it Latin-1) where the first 2 MB are not UTF-8.
 */
export async function* utf8Bytes(
  source: AsyncIterable<Uint8Array>,
  {name, encoding, onNote}: Pick<ReaderContext, 'name' | 'encoding' | 'onNote'>
): AsyncGenerator<Uint8Array> {
  if (encoding !== undefined) {
    yield* decoded(source, parseEncoding(encoding), name)
    return
  }
  const {head, chunks} = await peek(source, DECIDING)
  const is16 = isText16(head.subarray(0, 1024))
  const isOld = is16 === undefined && isWindows1252(head)
  if (is16) onNote?.(`${name}: read as UTF-16`)
  if (isOld) onNote?.(`${name}: read as Windows-1252 (Latin-1), since it is not UTF-8`)
  yield* decoded(chunks, is16 ?? (isOld ? 'windows-1252' : 'utf-8'), name)
}

/** The same lines, with line feeds where they end with carriage returns alone, as in files of old programs. */
export async function* withLineFeeds(
  source: AsyncIterable<Uint8Array>,
  {name, onNote}: Pick<ReaderContext, 'name' | 'onNote'>
): AsyncGenerator<Uint8Array> {
  const {head, chunks} = await peek(source, LINE)
  const isOld = head.includes(CARRIAGE_RETURN) && !head.includes(NEWLINE)
  if (isOld) onNote?.(`${name}: lines end with carriage returns`)
  for await (const chunk of chunks) yield isOld ? chunk.map(byte => (byte === CARRIAGE_RETURN ? NEWLINE : byte)) : chunk
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

/**
 * Whether text that begins so is in Windows-1252: less of it is UTF-8 than not, and nothing in it is no character. Of text in
 * UTF-8 with a few wrong bytes most is UTF-8; its readers name the line. A character that is cut at the end does not count.
 */
function isWindows1252(head: Uint8Array): boolean {
  const stream = head.length >= DECIDING
  try {
    new TextDecoder('utf-8', {fatal: true}).decode(head, {stream})
    return false
  } catch {
    const text = new TextDecoder().decode(head, {stream})
    const count = (characters: RegExp) => text.match(characters)?.length ?? 0
    return 2 * count(/\ufffd/g) > count(/[^\0-\x7f]/gu) && !/[\0\x81\x8d\x8f\x90\x9d]/.test(latin1(head))
  }
}

/** The characters 0x80 to 0x9f, of which five are none; the decoder of some versions of Node takes all of them for Latin-1. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: string, name: string): AsyncGenerator<Uint8Array> {
  if (encoding === 'utf-8') {
    yield* chunks
    return
  }
  if (encoding === 'windows-1252') {
    const character = (byte: string) => WINDOWS[byte.charCodeAt(0) - 0x80]
    for await (const chunk of chunks) yield bytesOf(latin1(chunk).replace(/[\x80-\x9f]/g, character))
    return
  }
  const decoder = new TextDecoder(encoding, {fatal: true})
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytesOf(bytes === undefined ? decoder.decode() : decoder.decode(bytes, {stream: true}))
    } catch (error) {
      const what = `not text in ${encoding.toUpperCase()} (${reasonOf(error)})`
      throw documentError(name, what, 'save it as UTF-8, or name its `encoding`', error)
    }
  }
  for await (const chunk of chunks) yield decode(chunk)
  yield decode()
}
