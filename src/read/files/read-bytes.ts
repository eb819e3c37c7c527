import {type FileHandle, open} from 'node:fs/promises'
import {Duplex} from 'node:stream'
import {brotliDecompressSync, createGunzip, gunzipSync} from 'node:zlib'
import {readSourceText, type SourceFile, sourceBytes, wholeBytes} from '../reading/index.ts'
import {cannotRead} from './file-error.ts'

const CHUNK = 1024 * 1024

/** Decompressors of Parquet, several times faster than those that run everywhere. */
export const unpack = {
  GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes)
}

/** A file of Node. `stream` reads a pipe, too, whose size is not known; `name` is what errors call the file. */
export function diskFile(path: string, size = 0, name = path): SourceFile {
  return {
    name,
    size,
    stream() {
      let file: FileHandle | undefined
      const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
        try {
          file ??= await open(path, 'r')
          // A new buffer each time: readers keep views of it until the next piece arrives.
          const {bytesRead, buffer} = await file.read(new Uint8Array(CHUNK), 0, CHUNK, null)
          if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead))
          await file.close()
          controller.close()
        } catch (error) {
          await file?.close()
          throw cannotRead(name, error)
        }
      }
      return new ReadableStream({pull, cancel: () => file?.close()}, {highWaterMark: 0})
    },
    slice: (from, to) => ({arrayBuffer: () => readSlice(path, from, to, name)}),
    gunzip: () => Duplex.toWeb(createGunzip()) as unknown as DecompressionStream
  }
}

/** The bytes from `from` up to `to`, or up to the end of the file. */
async function readSlice(path: string, from: number, to: number, name: string): Promise<ArrayBuffer> {
  try {
    const file = await open(path, 'r')
    try {
      const bytes = new Uint8Array(to - from)
      for (let filled = 0; filled < bytes.length; ) {
        const {bytesRead} = await file.read(bytes, filled, bytes.length - filled, from + filled)
        if (bytesRead === 0) return bytes.buffer.slice(0, filled)
        filled += bytesRead
      }
      return bytes.buffer
    } finally {
      await file.close()
    }
  } catch (error) {
    throw cannotRead(name, error)
  }
}

/** The whole content of a file, decompressed when it is gzip or Zstandard. */
export function readBinaryFile(path: string): Promise<Uint8Array> {
  return wholeBytes(sourceBytes(diskFile(path)), path)
}

/** The whole content of a UTF-8 file, decompressed when it is gzip or Zstandard, without a byte order mark. */
export function readTextFile(path: string): Promise<string> {
  return readSourceText(diskFile(path))
}

/** The first piece of a file, decompressed: enough to recognise it; empty for an empty file. */
export async function readFileHead(path: string): Promise<Uint8Array> {
  for await (const chunk of sourceBytes(diskFile(path))) return chunk
  return new Uint8Array(0)
}
