import {badOption} from '../../base/checks/index.ts'
import {bytesOf, isAscii, latin1, peek, utf8Text} from './bytes.ts'
import {documentError, reasonOf} from './document-error.ts'

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
      const isOld = isWindows1252(rest.head.subarray(start, start + DECIDING), rest.head.length > start + DECIDING)
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

/** A character beyond ASCII in UTF-8, as a character per byte: not longer than needed, nor half of a pair of UTF-16. */
const UTF8_CHARACTER =
  /[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|\xed[\x80-\x9f]|[\xe1-\xec\xee\xef][\x80-\xbf])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}/g

/**
 * Whether bytes that begin beyond ASCII are text in Windows-1252: less of it is UTF-8 than not, and nothing in it is no
 * character. Of text in UTF-8 with a few wrong bytes most is UTF-8; its readers name the line. A character that is cut at the
 * end, `isCut`, does not count.
 */
function isWindows1252(bytes: Uint8Array, isCut: boolean): boolean {
  if (utf8Text(bytes) !== undefined) return false
  const text = latin1(bytes).replace(isCut ? /[\xc2-\xf4][\x80-\xbf]{0,2}$/ : '', '')
  let right = 0
  const others = text.replace(UTF8_CHARACTER, () => {
    right++
    return ''
  })
  const count = (characters: RegExp) => others.match(characters)?.length ?? 0
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text hardly has any of these.
  const controls = count(/[\x01-\x08\x0e-\x1f]/g)
  return count(/[\x80-\xff]/g) > right && 1000 * controls <= bytes.length && !/[\0\x81\x8d\x8f\x90\x9d]/.test(others)
}

/** The characters 0x80 to 0x9f, of which five are none; the runtime's own decoder takes all of them for Latin-1 in some versions. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: string, name: string): AsyncGenerator<Uint8Array> {
  if (encoding === 'utf-8') {
    yield* chunks
    return
  }
  if (encoding === 'windows-1252') {
    const decoder = new TextDecoder(encoding)
    const character = (byte: string) => WINDOWS[byte.charCodeAt(0) - 0x80]
    for await (const chunk of chunks) yield bytesOf(decoder.decode(chunk).replace(/[\x80-\x9f]/g, character))
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
