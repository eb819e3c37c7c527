import {isUtf8} from 'node:buffer'
import {open} from 'node:fs/promises'
import {pipeline, Readable} from 'node:stream'
import {createGunzip} from 'node:zlib'
import {fileKind, throwIfCancelled} from '../../base/checks/index.ts'
import {byteOrderMarkLength, errorCode, fileError, gzipError, packingOf} from '../reading/index.ts'
import {decodeZstd} from './decode-zstd.ts'
import {cannotRead} from './file-error.ts'

interface ReadBytesOptions {
  /** What errors call the file; by default its path. */
  readonly name?: string
  readonly signal?: AbortSignal | undefined
  /** Called with the bytes of every piece read from disk, still compressed; the sum is the size of the file. */
  readonly onRead?: ((byteCount: number) => void) | undefined
}

const chunkSize = 1024 * 1024

/**
 * The content of a file in pieces of about 1 MB, decompressed when its first bytes are those of gzip or Zstandard,
 * whatever its name. Only a few pieces are read ahead.
 * Truncated or damaged compressed data is an error, so a loop that ends has seen the whole file.
 */
export async function* readBytes(path: string, options: ReadBytesOptions = {}): AsyncGenerator<Uint8Array> {
  const {name = path, signal, onRead} = options
  const chunks = rawChunks(path, signal)
  try {
    const first = await chunks.next()
    if (first.done) return
    const packing = packingOf(first.value)
    const whole = startingWith(first.value, chunks, onRead)
    if (packing === 'gzip') yield* decodeGzip(whole, name)
    else if (packing === 'Zstandard') yield* decodeZstd(whole, name)
    else yield* whole
  } catch (error) {
    throw cannotRead(name, error)
  }
}

async function* rawChunks(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r')
  try {
    for (;;) {
      throwIfCancelled(signal)
      // A new buffer each time: readers keep views of it until the next piece arrives.
      const {bytesRead, buffer} = await file.read(Buffer.allocUnsafeSlow(chunkSize), 0, chunkSize, null)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

async function* startingWith(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
  onRead?: (byteCount: number) => void
): AsyncGenerator<Uint8Array> {
  try {
    onRead?.(first.length)
    yield first
    for await (const chunk of rest) {
      onRead?.(chunk.length)
      yield chunk
    }
  } finally {
    await rest.return(undefined)
  }
}

/** Whether a file that begins with these bytes is decompressed when it is read. */
export function isCompressed(head: Uint8Array): boolean {
  return packingOf(head) !== undefined
}

async function* decodeGzip(chunks: AsyncGenerator<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({chunkSize})
  const source = Readable.from(chunks)
  // Errors of the source reach the loop through `gunzip`, which the pipeline destroys with them.
  pipeline(source, gunzip, () => {})
  try {
    yield* gunzip
  } catch (error) {
    const code = errorCode(error)
    throw code?.startsWith('Z_') ? gzipError(error, name, code === 'Z_BUF_ERROR') : error
  } finally {
    source.destroy()
    await chunks.return(undefined)
  }
}

/** Bytes `from` up to, not including, `to`. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** Of a file that is read as a whole. */
const wholeLimit = 2 ** 31

/** Beyond the range, only the rest of one line is needed. */
const tailSize = 64 * 1024
const newline = 10

/**
 * The whole lines of a plain file that begin in a range of its bytes, in pieces. Adjacent ranges give every line once,
 * however long it is. Reads the byte before the range, which shows whether a line begins with it, the range, and the rest
 * of its last line.
 */
export async function* readLineRange(
  path: string,
  {from, to}: ByteRange,
  {name = path, signal, onRead}: ReadBytesOptions = {}
): AsyncGenerator<Uint8Array> {
  try {
    const file = await open(path, 'r')
    try {
      let isInLine = from === 0
      for (let at = Math.max(0, from - 1); ; ) {
        throwIfCancelled(signal)
        const wanted = at < to ? Math.min(chunkSize, to - at) : tailSize
        const {bytesRead, buffer} = await file.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, at)
        if (bytesRead === 0) return
        const bytes = buffer.subarray(0, bytesRead)
        const start = isInLine ? 0 : bytes.indexOf(newline) + 1
        isInLine ||= start > 0
        onRead?.(Math.max(0, Math.min(to, at + bytesRead) - Math.max(from, at)))
        // The last line of the range ends at the first line end from the range's last byte on.
        const last = at + bytesRead < to ? -1 : bytes.indexOf(newline, Math.max(0, to - 1 - at))
        const end = last < 0 ? bytesRead : last + 1
        if (isInLine) yield bytes.subarray(start, end)
        at += bytesRead
        if (last >= 0 || (!isInLine && at >= to)) return
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    throw cannotRead(name, error)
  }
}

/** The whole content of a file, decompressed when it is gzip or Zstandard. */
export async function readBinaryFile(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of readBytes(path)) {
    chunks.push(chunk)
    length += chunk.length
    // A small compressed file may stand for any number of bytes.
    if (length > wholeLimit)
      throw fileError(
        path,
        'the file has over 2 GB, decompressed; it is read as a whole; check that it is the right file'
      )
  }
  try {
    return Buffer.concat(chunks)
  } catch (error) {
    throw cannotRead(path, error)
  }
}

/** The whole content of a UTF-8 file, decompressed when it is gzip or Zstandard, without a byte order mark. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = Buffer.from(await readBinaryFile(path))
  if (!isUtf8(bytes)) {
    const kind = fileKind(bytes.toString('latin1', 0, 100))
    const wayOut = 'check that this is the right file, or save it as UTF-8'
    throw fileError(path, kind === 'counts' ? 'the file holds counts, not text' : `not text in UTF-8; ${wayOut}`)
  }
  try {
    return bytes.toString('utf8', byteOrderMarkLength(bytes))
  } catch (error) {
    throw cannotRead(path, error)
  }
}

/** The first piece of a file, decompressed: enough to recognise it; empty for an empty file. */
export async function readFileHead(path: string): Promise<Uint8Array> {
  for await (const chunk of readBytes(path)) return chunk
  return new Uint8Array(0)
}
