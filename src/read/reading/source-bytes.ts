import {AdfaError, fileKind, throwIfCancelled} from '../../base/checks/index.ts'
import {joined, latin1, portableTools, textOf} from './bytes.ts'
import {errorCode, fileError, gzipError, inBrackets, reasonOf} from './document-error.ts'
import {packingOf} from './packing.ts'
import {peek} from './peek.ts'
import {refused} from './refused.ts'
import {byteOrderMarkLength} from './utf8.ts'

/** A file to read; a `File` of a browser is one. */
export interface SourceFile {
  readonly name: string
  readonly size: number
  stream(): ReadableStream<Uint8Array>
}

export interface SourceControl {
  readonly signal?: AbortSignal | undefined
  /** Called with the bytes of every piece, still compressed; the sum is the size of the file. */
  readonly onRead?: ((byteCount: number) => void) | undefined
}

const PIECE = 1024 * 1024

/** The content of a file in pieces of 1 MB, decompressed when its first bytes are those of gzip, whatever its name. */
export async function* sourceBytes(file: SourceFile, control: SourceControl = {}): AsyncGenerator<Uint8Array> {
  const {head, chunks} = await peek(streamed(file, control), 8)
  const packing = packingOf(head)
  if (packing === 'gzip') yield* inPieces(gunzipped(chunks, file.name))
  else if (packing === undefined) yield* inPieces(chunks)
  else throw refused(file.name, 'a file compressed with Zstandard')
}

async function* streamed(file: SourceFile, {signal, onRead}: SourceControl): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  try {
    for (;;) {
      throwIfCancelled(signal)
      const {done, value} = await reader.read()
      if (done) return
      onRead?.(value.length)
      yield value
    }
  } catch (error) {
    throw error instanceof AdfaError ? error : fileError(file.name, `cannot be read: ${reasonOf(error)}`, error)
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function* gunzipped(chunks: AsyncGenerator<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const {readable, writable} = new DecompressionStream('gzip')
  const writer = writable.getWriter()
  let isFed = false
  let fault: unknown
  const feed = async () => {
    try {
      for await (const chunk of chunks) await writer.write(chunk as Uint8Array<ArrayBuffer>)
      isFed = true
      await writer.close()
    } catch (error) {
      fault = error
      await writer.abort(error).catch(() => {})
    }
  }
  const feeding = feed()
  const reader: ReadableStreamDefaultReader<Uint8Array> = readable.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } catch (error) {
    await feeding
    if (fault instanceof AdfaError) throw fault
    // Node says what is wrong; in browsers data that is cut short fails only at its end.
    const code = errorCode(error)
    if (code !== undefined || isFed) throw gzipError(error, name, code === undefined || code === 'Z_BUF_ERROR')
    const reason = reasonOf(error).replace(/^Failed to execute .*?': /, '')
    throw fileError(
      name,
      `the gzip data is damaged, or has several parts, of which a browser reads one${inBrackets(reason)}; copy or download it again, or unpack it first`,
      error
    )
  } finally {
    await reader.cancel().catch(() => {})
    await feeding
  }
}

/** The same bytes in pieces of 1 MB, but for the last: an async step for every small one takes longer than its documents. */
async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    length += chunk.length
    if (length < PIECE) continue
    const bytes = joined(parts)
    const end = length - (length % PIECE)
    for (let at = 0; at < end; at += PIECE) yield bytes.subarray(at, at + PIECE)
    parts = end < length ? [bytes.subarray(end)] : []
    length -= end
  }
  if (length > 0) yield joined(parts)
}

/** Of a file that is read as a whole. */
const MOST_BYTES = 2 ** 30

/** The whole content of a file, decompressed. */
export async function readSourceBytes(file: SourceFile, control: SourceControl = {}): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of sourceBytes(file, control)) {
    parts.push(chunk)
    length += chunk.length
    if (length > MOST_BYTES)
      throw fileError(
        file.name,
        'the file has over 1 GB, decompressed; it is read as a whole; check that it is the right file'
      )
  }
  return joined(parts)
}

/** The whole content of a UTF-8 file, decompressed, without a byte order mark. */
export async function readSourceText(file: SourceFile, control: SourceControl = {}): Promise<string> {
  const bytes = await readSourceBytes(file, control)
  if (!portableTools.isUtf8(bytes)) {
    const kind = fileKind(latin1(bytes.subarray(0, 100)))
    const wayOut = 'check that this is the right file, or save it as UTF-8'
    throw fileError(file.name, kind === 'counts' ? 'the file holds counts, not text' : `not text in UTF-8; ${wayOut}`)
  }
  return textOf(bytes.subarray(byteOrderMarkLength(bytes)))
}
