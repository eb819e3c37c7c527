import {accessSync, constants, type Stats, statSync} from 'node:fs'
import {open, readFile} from 'node:fs/promises'
import {pipeline, Readable} from 'node:stream'
import {brotliDecompressSync, createGunzip, gunzipSync} from 'node:zlib'
import {
  fileBlocks,
  fileError,
  parseBlock,
  readSourceText,
  type SourceFile,
  sourceBytes,
  wholeBytes
} from '../reading/index.ts'
import {cannotRead, fileChanged} from './file-error.ts'

/** A file of Node as it was when it was `opened`; `name` is what errors call it. Reading it refuses a file that has changed since. */
export function diskFile(path: string, opened: FileState = statusOf(path), name = path): SourceFile {
  return {
    name,
    size: opened.size,
    slice: (from, to) => ({arrayBuffer: () => readSlice(path, from, to, opened, name)}),
    // Large pieces, since every piece costs an async step.
    gunzip: chunks => pipeline(Readable.from(chunks), createGunzip({chunkSize: 2 ** 20}), () => {}),
    // Several times faster than those that run everywhere.
    unpack: {GZIP: bytes => gunzipSync(bytes), BROTLI: bytes => brotliDecompressSync(bytes)}
  }
}

type FileState = Pick<Stats, 'size' | 'mtimeMs'>

/** Refuses what does not exist or may not be read. */
export function statusOf(path: string): Stats {
  try {
    const status = statSync(path)
    if (status.isFile()) accessSync(path, constants.R_OK)
    return status
  } catch (error) {
    throw cannotRead(path, error)
  }
}

async function readSlice(path: string, from: number, to: number, opened: FileState, name: string) {
  try {
    const file = await open(path, 'r')
    try {
      const bytes = new Uint8Array(to - from)
      let filled = 0
      for (let count = 1; count > 0 && filled < bytes.length; filled += count)
        count = (await file.read(bytes, filled, bytes.length - filled, from + filled)).bytesRead
      const {size, mtimeMs} = await file.stat()
      if (size !== opened.size || mtimeMs !== opened.mtimeMs) throw fileChanged(name)
      return filled < bytes.length ? bytes.buffer.slice(0, filled) : bytes.buffer
    } finally {
      await file.close()
    }
  } catch (error) {
    throw cannotRead(name, error)
  }
}

/** A file that is read as a whole; also a pipe, which is read now. */
async function wholeFile(path: string): Promise<SourceFile> {
  const status = statusOf(path)
  if (status.isFile()) return diskFile(path, status)
  const bytes = await readFile(path).catch(error => {
    throw cannotRead(path, error)
  })
  return new File([new Uint8Array(bytes)], path)
}

export async function readBinaryFile(path: string): Promise<Uint8Array> {
  return wholeBytes(sourceBytes(await wholeFile(path)), path)
}

/** The whole content of a UTF-8 file, decompressed when it is gzip or Zstandard, without a byte order mark. */
export async function readTextFile(path: string): Promise<string> {
  return readSourceText(await wholeFile(path))
}

/** The first piece of a file, decompressed: enough to recognise it; empty for an empty file, and for a pipe, which can be read only once. */
export async function readFileHead(path: string): Promise<Uint8Array> {
  for await (const chunk of sourceBytes(diskFile(path))) return chunk
  return new Uint8Array(0)
}

/** One record of a table that does not hold documents: its values by column, and where it is, for errors. */
export interface TableRecord {
  readonly where: string
  /** Unchanged: all text in CSV and TSV, values of any type in JSON and Parquet. */
  readonly values: ReadonlyMap<string, unknown>
}

export async function* readRecords(path: string, signal?: AbortSignal): AsyncGenerator<readonly TableRecord[]> {
  const reading = {fields: {text: [], keepsRecords: 'only' as const}, signal}
  for await (const block of fileBlocks(diskFile(path), reading))
    yield parseBlock(block).map(({record}) => {
      if (record === undefined)
        throw fileError(path, 'a table has columns: CSV, TSV, JSON Lines, Parquet or a workbook; export it again')
      const {columns, values, where = ''} = record
      return {where, values: new Map(columns.map((column, at) => [column, values[at]]))}
    })
}
