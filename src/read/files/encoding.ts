import {isAscii, isUtf8} from 'node:buffer'
import {badOption} from '../../base/checks/index.ts'
import {documentError, reasonOf} from './file-error.ts'
import {joined, peek} from './peek.ts'
import {isText16, wholeCharacters} from './utf8.ts'

interface EncodingOptions {
  /** What errors and notes call the file. */
  readonly name: string
  /** The encoding; by default it is recognised. */
  readonly encoding?: string | undefined
  /** Called with what was recognised, unless it is UTF-8. */
  readonly onNote?: ((note: string) => void) | undefined
}

/** From the first byte beyond ASCII on, so many bytes decide between UTF-8 and Windows-1252. */
const DECIDING = 1024 * 1024

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
 * with it Latin-1) where the text is not UTF-8. What decides are the first kilobyte and the megabyte after the first byte beyond
 * ASCII, however the bytes come in pieces. UTF-8 is handed on as it is and costs a look at its ASCII part.
 */
export async function* utf8Bytes(
  source: AsyncIterable<Uint8Array>,
  {name, encoding, onNote}: EncodingOptions
): AsyncGenerator<Uint8Array> {
  if (encoding !== undefined) {
    yield* decoded(source, parseEncoding(encoding), name)
    return
  }
  const {head, chunks} = await peek(source, 1024)
  const found = isText16(head.subarray(0, 1024))
  if (found !== undefined) {
    onNote?.(`${name}: read as UTF-16`)
    yield* decoded(chunks, found, name)
    return
  }
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      if (isAscii(next.value)) {
        yield next.value
        continue
      }
      const start = next.value.findIndex(byte => byte >= 0x80)
      const rest = await peek(following(next.value, chunks), start + DECIDING + 1)
      const deciding = rest.head.subarray(start, start + DECIDING)
      const isOld = isWindows1252(deciding, rest.head.length > start + DECIDING)
      if (isOld) onNote?.(`${name}: read as Windows-1252 (Latin-1), since it is not UTF-8`)
      yield* isOld ? decoded(rest.chunks, 'windows-1252', name) : rest.chunks
      return
    }
  } finally {
    await chunks.return(undefined)
  }
}

async function* following(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

/**
 * Whether bytes that begin beyond ASCII are text in Windows-1252: less of it is UTF-8 than not, and nothing in it is no
 * character. Of text in UTF-8 with a few wrong bytes most is UTF-8; its readers name the line.
 */
function isWindows1252(bytes: Buffer, isCut: boolean): boolean {
  if (isUtf8(isCut ? wholeCharacters(bytes) : bytes)) return false
  let [wrong, right, controls] = [0, 0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte < 0x80) {
      if (byte === 0) return false
      if (byte < 9 || (byte > 13 && byte < 32)) controls++
      continue
    }
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    if (byte >= 0xc2 && byte < 0xf5 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length))) {
      right++
      at += length - 1
      continue
    }
    wrong++
    if (WINDOWS[byte - 0x80] === '\0') return false
  }
  return wrong > right && 1000 * controls <= bytes.length
}

/** The characters 0x80 to 0x9f; those above are those of Unicode. The runtime's own decoder takes them for Latin-1 in some versions. */
const WINDOWS = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'

async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: string, name: string): AsyncGenerator<Uint8Array> {
  if (encoding === 'utf-8') {
    yield* chunks
    return
  }
  if (encoding === 'windows-1252') {
    for await (const chunk of chunks) yield Buffer.from(windowsText(joined([chunk])), 'utf8')
    return
  }
  const decoder = new TextDecoder(encoding, {fatal: true})
  let line = 1
  const decode = (bytes?: Uint8Array) => {
    try {
      const text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, {stream: true})
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line++
      return Buffer.from(text, 'utf8')
    } catch (error) {
      throw documentError(
        `${name}:${line}`,
        `not text in ${encoding.toUpperCase()} from here on (${reasonOf(error)})`,
        'save it as UTF-8, or name its `encoding`',
        error
      )
    }
  }
  for await (const chunk of chunks) yield decode(chunk)
  yield decode()
}

function windowsText(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  return text.replace(/[\x80-\x9f]/g, character => {
    const known = WINDOWS[character.charCodeAt(0) - 0x80]
    return known === '\0' ? character : known
  })
}
