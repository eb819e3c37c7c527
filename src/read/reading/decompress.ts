import {Decompress} from 'fzstd'
import {AdfaError} from '../../base/checks/index.ts'
import {peek} from './bytes.ts'
import {fileError, reasonOf} from './document-error.ts'

/** How a file that begins with these bytes is compressed. */
export function packingOf(head: Uint8Array): 'gzip' | 'zstd' | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  const isFrame = head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd
  const isSkippable = head[0] >> 4 === 5 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18
  return isFrame || isSkippable ? 'zstd' : undefined
}

/** Decompresses bytes as they come. */
export type Unpack = (packed: AsyncGenerator<Uint8Array>) => AsyncIterable<Uint8Array>

/** The longest header of a frame of Zstandard. */
const HEADER = 18

/**
 * Yields the same bytes, decompressed if they begin as gzip or Zstandard data does. Only a few pieces are read ahead. `gunzip`
 * reads gzip data of several parts, which the stream of a browser, and of Node 26, does not.
 */
export async function* decompressed(
  raw: AsyncIterable<Uint8Array>,
  name: string,
  gunzip: Unpack = packed => through(new DecompressionStream('gzip'), packed)
): AsyncGenerator<Uint8Array> {
  const {head, chunks} = await peek(raw, HEADER)
  try {
    const packing = packingOf(head)
    if (packing === 'zstd') checkZstdHeader(head, name)
    if (packing === undefined) yield* chunks
    else yield* explained(packing === 'gzip' ? gunzip(chunks) : unzstd(chunks), packing, name)
  } finally {
    await chunks.return(undefined)
  }
}

async function* explained(unpacked: AsyncIterable<Uint8Array>, packing: string, name: string) {
  try {
    yield* unpacked
  } catch (error) {
    if (error instanceof AdfaError) throw error
    const reason = reasonOf(error).replace(/^Failed to execute .*?': /, '')
    const what = `the ${packing} data is damaged or cut short${reason === '' ? '' : ` (${reason})`}`
    throw fileError(name, `${what}; copy or download it again, or unpack it first`, error)
  }
}

async function* through(stream: DecompressionStream, chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const {done, value} = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value as Uint8Array<ArrayBuffer>)
    }
  })
  const reader = packed.pipeThrough(stream).getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** By the runtime, which verifies checksums, or else by fzstd, which does not. */
function unzstd(chunks: AsyncGenerator<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    return through(new DecompressionStream('zstd' as 'gzip'), chunks)
  } catch {
    return withFzstd(chunks)
  }
}

async function* withFzstd(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoded: Uint8Array[] = []
  const decoder = new Decompress(bytes => decoded.push(bytes))
  for await (const chunk of chunks) {
    decoder.push(chunk)
    yield* decoded.splice(0).filter(({length}) => length > 0)
  }
  decoder.push(new Uint8Array(0), true)
  yield* decoded.splice(0)
}

/** fzstd reads at most 25 bits of an offset. */
const MOST_WINDOW = 32 * 1024 * 1024

/** Refuses what fzstd would decode wrongly: windows above 32 MB (`zstd --long`, `--ultra -21`), and dictionaries. RFC 8878, 3.1.1.1. */
function checkZstdHeader(head: Uint8Array, name: string): void {
  const [flags, window] = [head[4], head[5]]
  if (head[0] !== 0x28 || flags === undefined) return
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
