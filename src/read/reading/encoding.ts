import {badOption} from '../../base/checks/index.ts'
import {type ByteTools, bytesOf, portableTools} from './bytes.ts'
import {documentError, reasonOf} from './document-error.ts'
import {peek} from './peek.ts'
import {isText16, wholeCharacters} from './utf8.ts'

interface EncodingOptions {
  /** What errors and notes call the file. */
  readonly name: string
  /** The encoding; by default it is recognised. */
  readonly encoding?: string | undefined
  /** Called with what was recognised, unless it is UTF-8. */
  readonly onNote?: ((note: string) => void) | undefined
  readonly tools?: ByteTools | undefined
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
  {name, encoding, onNote, tools = portableTools}: EncodingOptions
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
      if (tools.isAscii(next.value)) {
        yield next.value
        continue
      }
      const start = next.value.findIndex(byte => byte >= 0x80)
      const rest = await peek(following(next.value, chunks), start + DECIDING + 1)
      const deciding = rest.head.subarray(start, start + DECIDING)
      const isOld = isWindows1252(deciding, rest.head.length > start + DECIDING, tools)
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
function isWindows1252(bytes: Uint8Array, isCut: boolean, tools: ByteTools): boolean {
  if (tools.isUtf8(isCut ? wholeCharacters(bytes) : bytes)) return false
  let [wrong, right, controls] = [0, 0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte < 0x80) {
      if (byte === 0) return false
      if (byte < 9 || (byte > 13 && byte < 32)) controls++
      continue
    }
    const length = characterLength(bytes, at)
    if (length > 0) {
      right++
      at += length - 1
      continue
    }
    wrong++
    if (WINDOWS[byte - 0x80] === '\0') return false
  }
  return wrong > right && 1000 * controls <= bytes.length
}

/** The length of the character beyond ASCII at `at` in UTF-8; 0 where there is none. */
function characterLength(bytes: Uint8Array, at: number): number {
  const [first, second] = [bytes[at], bytes[at + 1]]
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  for (let next = at + 1; next < at + length; next++) if (bytes[next] >> 6 !== 2) return 0
  // Longer than needed, half of a pair of UTF-16, or beyond the last character.
  const isWrong =
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second > 0x9f) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second > 0x8f)
  return isWrong ? 0 : length
}

/** The characters 0x80 to 0x9f; those above are those of Unicode. The runtime's own decoder takes them for Latin-1 in some versions. */
const WINDOWS = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'

async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: string, name: string): AsyncGenerator<Uint8Array> {
  if (encoding === 'utf-8') {
    yield* chunks
    return
  }
  if (encoding === 'windows-1252') {
    for await (const chunk of chunks) yield windowsToUtf8(chunk)
    return
  }
  const decoder = new TextDecoder(encoding, {fatal: true})
  let line = 1
  const decode = (bytes?: Uint8Array) => {
    try {
      const text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, {stream: true})
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line++
      return bytesOf(text)
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

function windowsToUtf8(bytes: Uint8Array): Uint8Array {
  const utf8 = new Uint8Array(3 * bytes.length)
  let to = 0
  for (const byte of bytes) {
    const known = byte >= 0x80 && byte < 0xa0 ? WINDOWS.charCodeAt(byte - 0x80) : 0
    const code = known === 0 ? byte : known
    if (code < 0x80) utf8[to++] = code
    else if (code < 0x800) {
      utf8[to++] = 0xc0 | (code >> 6)
      utf8[to++] = 0x80 | (code & 0x3f)
    } else {
      utf8[to++] = 0xe0 | (code >> 12)
      utf8[to++] = 0x80 | ((code >> 6) & 0x3f)
      utf8[to++] = 0x80 | (code & 0x3f)
    }
  }
  return utf8.slice(0, to)
}
