import {isUtf8} from 'node:buffer'
import {AdfaError} from '../../base/checks/index.ts'
import {cannotRead} from './file-error.ts'
import {readBytes} from './read-bytes.ts'
import {byteOrderMarkLength} from './text-limits.ts'

/** The whole content of a file, decompressed when it is gzip or Zstandard. */
export async function readBinaryFile(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readBytes(path)) chunks.push(chunk)
  try {
    return Buffer.concat(chunks)
  } catch (error) {
    throw cannotRead(path, error)
  }
}

/** The whole content of a UTF-8 file, decompressed when it is gzip or Zstandard, without a byte order mark. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = Buffer.from(await readBinaryFile(path))
  if (!isUtf8(bytes))
    throw new AdfaError(
      'bad-file',
      `${path}: not text in UTF-8; check that this is the right file, or save it as UTF-8`
    )
  try {
    return bytes.toString('utf8', byteOrderMarkLength(bytes))
  } catch (error) {
    throw cannotRead(path, error)
  }
}

/** The first piece of a file, decompressed, enough to see what it is; empty for an empty file. */
export async function readFileHead(path: string): Promise<Uint8Array> {
  for await (const chunk of readBytes(path)) return chunk
  return new Uint8Array(0)
}
