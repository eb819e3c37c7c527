import {AdfaError} from '../../base/checks/index.ts'

const lenient = new TextDecoder('utf-8', {ignoreBOM: true})
const strict = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true})
const encoder = new TextEncoder()

/** Text in UTF-8, with U+FFFD for what is none; a byte order mark at its start is kept. */
export function textOf(bytes: Uint8Array): string {
  return lenient.decode(bytes)
}

export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** The text of bytes that begin in the line `firstLine`, without a byte order mark; names the first line that is not UTF-8. */
export function documentText(bytes: Uint8Array, name: string, firstLine = 1): string {
  const text = utf8Text(bytes.subarray(firstLine === 1 ? byteOrderMarkLength(bytes) : 0))
  if (text !== undefined) return text
  let line = firstLine
  for (let from = 0; ; line++) {
    const to = bytes.indexOf(NEWLINE, from)
    if (to < 0 || utf8Text(bytes.subarray(from, to)) === undefined) break
    from = to + 1
  }
  throw documentError(
    `${name}:${line}`,
    'not text in UTF-8',
    'documents must be UTF-8 text; check that this is the right file, save it as UTF-8, or name its `encoding`'
  )
}

export const NEWLINE = 10

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text)
}

/** A character per byte; the decoder that is called latin1 is that of windows-1252. */
export function latin1(bytes: Uint8Array): string {
  let text = ''
  // Several times faster than with the bytes spread.
  const piece = (at: number) => String.fromCharCode.apply(null, bytes.subarray(at, at + 8192) as never)
  for (let at = 0; at < bytes.length; at += 8192) text += piece(at)
  return text
}

/** Where the text begins: after the byte order mark that some programs write first. */
export function byteOrderMarkLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** A longer line or record is refused: it is far more often a broken file than a document. */
export const recordLimit = 16 * 1024 * 1024

export function tooLong(name: string, line: number, what: string): AdfaError {
  const rule = `a ${what} may have at most 16 MB; check that this is the right file and format, and that every quote is closed`
  return documentError(`${name}:${line}`, `the ${what} that begins here is over 16 MB`, rule)
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Looks at the first `count` bytes. Whoever does not read `chunks` to their end calls `return`, which closes their source. */
export async function peek(source: AsyncIterable<Uint8Array>, count: number) {
  const rest = source[Symbol.asyncIterator]()
  const parts: Uint8Array[] = []
  let length = 0
  while (length < count) {
    const {done, value} = await rest.next()
    if (done) break
    parts.push(value)
    length += value.length
  }
  const head = joined(parts)
  const chunks = following(head, rest)
  // A generator that has not begun would not close the source.
  await chunks.next()
  return {head, chunks}
}

async function* following(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield new Uint8Array(0)
    if (first.length > 0) yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The stable word that Node puts on system and zlib errors: "ENOENT", "Z_BUF_ERROR". */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function fileError(name: string, problem: string, cause?: unknown): AdfaError {
  return new AdfaError('bad-file', `${name}: ${problem}`, cause === undefined ? {} : {cause})
}

export function documentError(where: string, what: string, rule: string, cause?: unknown): AdfaError {
  return new AdfaError('bad-document', `${where}: ${what}; ${rule}`, cause === undefined ? {} : {cause})
}
