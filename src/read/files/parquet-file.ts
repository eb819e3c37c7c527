import {type FileHandle, open} from 'node:fs/promises'
import {brotliDecompressSync, gunzipSync} from 'node:zlib'
import {fileError, type ParquetFile} from '../reading/index.ts'
import {openParquetFile} from '../tables/index.ts'
import {cannotRead} from './file-error.ts'

/** Open a Parquet file, which stays open until it is closed. */
export async function openParquet(path: string, name: string): Promise<ParquetFile> {
  const handle = await open(path, 'r').catch(error => {
    throw cannotRead(name, error)
  })
  try {
    const {size} = await handle.stat()
    const file = {byteLength: size, slice: (from: number, to = size) => readRange(handle, from, to, name)}
    // Node's own are several times faster.
    const fast = {
      GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
      BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes)
    }
    return {...(await openParquetFile(file, name, fast)), close: () => handle.close()}
  } catch (error) {
    await handle.close()
    throw cannotRead(name, error)
  }
}

async function readRange(handle: FileHandle, from: number, to: number, name: string): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(to - from)
  for (let filled = 0; filled < bytes.length; ) {
    const {bytesRead} = await handle.read(bytes, filled, bytes.length - filled, from + filled)
    if (bytesRead === 0) throw fileError(name, 'the Parquet data ends too early; copy or download the file again')
    filled += bytesRead
  }
  return bytes.buffer
}
