import {Decompress} from 'fzstd'
import {AdfaError} from '../../base/checks/index.ts'
import {peek} from './bytes.ts'
import {errorCode, fileError, reasonOf} from './document-error.ts'

/** How a file that begins with these bytes is compressed. */
export function packingOf(head: Uint8Array): 'gzip' | 'zstd' | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  const isFrame = head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd
  const isSkippable = head[0] >> 4 === 5 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18
  return isFrame || isSkippable ? 'zstd' : undefined
}

/** A stream that decompresses. */
export type Unpacker = Pick<DecompressionStream, 'readable' | 'writable'>

/**
 * Yields the same bytes, decompressed if they begin as gzip or Zstandard data does. Only a few pieces are read ahead. `gunzip`
 * reads gzip data of several parts, which the stream of a browser, and of Node 26, does not.
 */
export async function* decompressed(
  raw: AsyncIterable<Uint8Array>,
  name: string,
  gunzip?: (() => Unpacker) | undefined
): AsyncGenerator<Uint8Array> {
  const {head, chunks} = await peek(raw, HEADER)
  try {
    const packing = packingOf(head)
    if (packing === undefined) return yield* chunks
    if (packing === 'zstd') checkZstdHeader(head, name)
    const stream = (packing === 'gzip' && gunzip?.()) || nativeStream(packing)
    yield* stream === undefined ? unzstd(chunks, name) : through(stream, chunks, name, packing)
  } finally {
    await chunks.return(undefined)
  }
}

/** The longest header of a frame of Zstandard. */
const HEADER = 18

/** The decompressor of the runtime; browsers and some versions of Node have none for Zstandard. */
function nativeStream(packing: 'gzip' | 'zstd'): Unpacker | undefined {
  if (packing === 'gzip') return new DecompressionStream('gzip')
  try {
    return new DecompressionStream(packing as 'gzip')
  } catch {
    return undefined
  }
}

async function* through(
  {readable, writable}: Unpacker,
  chunks: AsyncGenerator<Uint8Array>,
  name: string,
  packing: string
): AsyncGenerator<Uint8Array> {
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
    throw unpackError(error, name, packing, code === undefined ? isFed : code === 'Z_BUF_ERROR')
  } finally {
    await reader.cancel().catch(() => {})
    await feeding
  }
}

/** Data that ended where more was needed `isShort`. Browsers read one part of gzip data only. */
function unpackError(error: unknown, name: string, packing: string, isShort: boolean): AdfaError {
  if (isShort)
    return fileError(
      name,
      `the ${packing} data ends too early; the file is cut short; copy or download it again`,
      error
    )
  const reason = reasonOf(error).replace(/^Failed to execute .*?': /, '')
  const isBrowser = errorCode(error) === undefined && packing === 'gzip'
  const what = `is damaged${isBrowser ? ', or has several parts, of which a browser reads one' : ''}`
  return fileError(
    name,
    `the ${packing} data ${what}${reason === '' ? '' : ` (${reason})`}; copy or download it again, or unpack it first`,
    error
  )
}

/** The code of fzstd for data that ends too early. */
const SHORT = 5
const PIECE = 1024 * 1024

/** By fzstd, a block of at most 128 KB at a time. It does not verify checksums. */
async function* unzstd(chunks: AsyncGenerator<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const decoded: Uint8Array[] = []
  const decoder = new Decompress(bytes => decoded.push(bytes))
  const push = (bytes: Uint8Array, isLast: boolean) => {
    try {
      decoder.push(bytes, isLast)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      throw unpackError(error, name, 'zstd', code === SHORT)
    }
    return decoded.splice(0).filter(({length}) => length > 0)
  }
  try {
    for await (const chunk of chunks)
      for (let at = 0; at < chunk.length; at += PIECE) yield* push(chunk.subarray(at, at + PIECE), false)
    yield* push(new Uint8Array(0), true)
  } finally {
    await chunks.return(undefined)
  }
}

/** fzstd reads at most 25 bits of an offset. */
const MOST_WINDOW = 32 * 1024 * 1024

/** Refuses what fzstd would decode wrongly: windows above 32 MB (`zstd --long`, `--ultra -21`), and dictionaries. RFC 8878, 3.1.1.1. */
function checkZstdHeader(head: Uint8Array, name: string): void {
  const [flags, window] = [head[4], head[5]]
  const isFrame = head[0] === 0x28
  if (!isFrame || flags === undefined) return
  if ((flags & 3) !== 0) throw fileError(name, 'the zstd data needs a dictionary; compress it again without one')
  const isSingleSegment = (flags & 32) !== 0
  const size = (1 + (window & 7) / 8) * 2 ** (10 + (window >> 3))
  if (!isSingleSegment && size > MOST_WINDOW)
    throw fileError(
      name,
      `the zstd data needs a window of ${Math.round(size / 2 ** 20)} MB; at most 32 MB are supported; ` +
        'compress it again without --long and with level 19 or lower'
    )
}
