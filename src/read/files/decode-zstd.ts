import {Decompress} from 'fzstd'
import {fileError, isSkippableFrame, isZstdFrame} from '../reading/index.ts'
import {xxhash64} from './xxhash64.ts'

/**
 * Decompress Zstandard, one block (at most 128 KB) at a time, so that memory stays at the window plus one block.
 *
 * fzstd decodes the blocks. The frames around them are parsed here, since fzstd checks neither the content size nor the
 * checksum of a frame and would pass on damaged data. Frames may follow each other; skippable frames
 * are skipped. Windows above 32 MB (`zstd --long`, `--ultra -21`) are refused: fzstd reads at most 25 bits of an offset.
 */
export async function* decodeZstd(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const queue = byteQueue(chunks, () => fileError(name, cutShort))
  try {
    for (;;) {
      const magic = await queue.takeOrEnd(4)
      if (magic === undefined) return
      if (isSkippableFrame(magic)) await queue.skip((await queue.take(4)).readUInt32LE())
      else if (isZstdFrame(magic)) yield* decodeFrame(queue, name)
      else throw fileError(name, 'something that is not zstd follows the zstd data; copy or download it again')
    }
  } finally {
    await queue.close()
  }
}

const cutShort = 'the zstd data ends too early; the file is cut short; copy or download it again'
const damaged = 'the zstd data is damaged; copy or download the file again'
const windowLimit = 32 * 1024 * 1024
const blockLimit = 128 * 1024

interface Frame {
  /** Given to fzstd in place of the frame's header. */
  readonly header: Buffer
  readonly contentSize: number | undefined
  readonly hasChecksum: boolean
}

async function* decodeFrame(queue: ByteQueue, name: string): AsyncGenerator<Uint8Array> {
  const frame = await readFrameHeader(queue, name)
  const hash = xxhash64()
  const decoded: Uint8Array[] = []
  const decoder = new Decompress(bytes => decoded.push(bytes))
  let undecoded: Uint8Array = frame.header
  let size = 0
  for (let isLast = false; !isLast; ) {
    const blockHeader = await queue.take(3)
    const bits = blockHeader.readUIntLE(0, 3)
    isLast = (bits & 1) === 1
    const kind = (bits >> 1) & 3
    // A block of kind 1 is one byte, repeated; 3 is reserved.
    if (kind === 3 || bits >> 3 > blockLimit) throw fileError(name, damaged)
    const body = await queue.take(kind === 1 ? 1 : bits >> 3)
    try {
      decoder.push(Buffer.concat([undecoded, blockHeader, body]), isLast)
    } catch (error) {
      throw fileError(name, damaged, error)
    }
    undecoded = Buffer.alloc(0)
    for (const bytes of decoded.splice(0)) {
      size += bytes.length
      if (frame.hasChecksum) hash.update(bytes)
      if (bytes.length > 0) yield bytes
    }
  }
  if (frame.contentSize !== undefined && frame.contentSize !== size) throw fileError(name, damaged)
  if (frame.hasChecksum && BigInt.asUintN(32, hash.digest()) !== BigInt((await queue.take(4)).readUInt32LE()))
    throw fileError(name, damaged)
}

/** The frame header of RFC 8878, section 3.1.1.1. */
async function readFrameHeader(queue: ByteQueue, name: string): Promise<Frame> {
  const flags = (await queue.take(1))[0]
  if (flags & 8) throw fileError(name, damaged)
  const isSingleSegment = (flags & 32) !== 0
  const window = await queue.take(isSingleSegment ? 0 : 1)
  const dictionary = await queue.take([0, 1, 2, 4][flags & 3])
  const content = await queue.take([isSingleSegment ? 1 : 0, 2, 4, 8][flags >> 6])
  if (dictionary.some(byte => byte !== 0))
    throw fileError(name, 'the zstd data needs a dictionary; compress it again without one')
  const contentSize = content.length === 0 ? undefined : littleEndian(content) + (content.length === 2 ? 256 : 0)
  const windowSize = isSingleSegment ? (contentSize ?? 0) : (1 + (window[0] & 7) / 8) * 2 ** (10 + (window[0] >> 3))
  if (windowSize > windowLimit)
    throw fileError(
      name,
      `the zstd data needs a window of ${Math.round(windowSize / 2 ** 20)} MB; at most 32 MB are supported; ` +
        'compress it again without --long and with level 19 or lower'
    )
  return {header: plainHeader(windowSize), contentSize, hasChecksum: (flags & 4) !== 0}
}

/**
 * A header with a window and nothing else. fzstd would trust a content size and cut the content to it; with a window of
 * at least one whole block it decodes all of it.
 */
function plainHeader(windowSize: number): Buffer {
  const exponent = Math.ceil(Math.log2(Math.max(windowSize, blockLimit))) - 10
  return Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, exponent << 3])
}

function littleEndian(bytes: Uint8Array): number {
  return bytes.reduceRight((sum, byte) => sum * 256 + byte, 0)
}

/** Bytes that arrive in pieces of any size and are taken in pieces of a given size. */
interface ByteQueue {
  /** The next `count` bytes; throws the error of `cutShort` when there are fewer. */
  take(count: number): Promise<Buffer>
  /** As `take`, but undefined when no byte is left. */
  takeOrEnd(count: number): Promise<Buffer | undefined>
  skip(count: number): Promise<void>
  close(): Promise<void>
}

function byteQueue(chunks: AsyncIterable<Uint8Array>, cutShort: () => Error): ByteQueue {
  const source = chunks[Symbol.asyncIterator]()
  let current: Buffer = Buffer.alloc(0)

  /** Up to `count` bytes, never none unless the source has ended. */
  async function takeSome(count: number): Promise<Buffer> {
    while (current.length === 0) {
      const next = await source.next()
      if (next.done) return current
      current = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength)
    }
    const taken = current.subarray(0, count)
    current = current.subarray(taken.length)
    return taken
  }

  async function takeOrEnd(count: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = []
    for (let missing = count; missing > 0; ) {
      const part = await takeSome(missing)
      if (part.length === 0 && parts.length === 0) return undefined
      if (part.length === 0) throw cutShort()
      parts.push(part)
      missing -= part.length
    }
    return parts.length === 1 ? parts[0] : Buffer.concat(parts)
  }

  return {
    takeOrEnd,
    async take(count) {
      const bytes = await takeOrEnd(count)
      if (bytes === undefined) throw cutShort()
      return bytes
    },
    async skip(count) {
      for (let missing = count; missing > 0; ) {
        const part = await takeSome(missing)
        if (part.length === 0) throw cutShort()
        missing -= part.length
      }
    },
    async close() {
      await source.return?.()
    }
  }
}
