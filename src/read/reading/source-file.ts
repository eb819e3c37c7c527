import {Decompress} from 'fzstd'
import {AdfaError, fileKind, throwIfCancelled} from '../../base/checks/index.ts'
import type {RowReading} from '../data/index.ts'
import {byteOrderMarkLength, fileError, joined, latin1, NEWLINE, reasonOf, utf8Text} from './bytes.ts'

/** A file to read. A `File` of a browser is one; read/files has those of Node. */
export interface SourceFile {
  readonly name: string
  readonly size: number
  slice(from: number, to: number): {arrayBuffer(): Promise<ArrayBuffer>}
  /** Reads gzip data of several parts, which the stream of a browser, and of Node 26, does not. */
  readonly gunzip?: Unpack
  /** Decompressors of Parquet by their names there, where the runtime has faster ones. */
  readonly unpack?: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>>
}

export interface SourceControl {
  readonly signal?: AbortSignal | undefined
  /** Called with the bytes of every piece, still compressed; the sum is the size of the file. */
  readonly onRead?: ((byteCount: number) => void) | undefined
}

export type DocumentFormat = 'jsonl' | 'svmlight' | 'csv' | 'tsv' | 'parquet' | 'xlsx' | 'txt'

/** The fields to read and as what, and how to read the files; with `keepsRecords` all of their columns. */
export interface ReadOptions extends RowReading {
  /** The format of all files; by default what the name or the content of each shows. */
  readonly format?: DocumentFormat | undefined
  /** Names among the fields that a table must have as columns. */
  readonly required?: readonly string[] | undefined
  /** Called with the columns of a table, under the names by which they are asked for. */
  readonly onColumns?: ((names: readonly string[]) => void) | undefined
  /** Called with what was recognised in a file and may surprise: an encoding, the separator of cells. */
  readonly onNote?: ((note: string) => void) | undefined
  readonly encoding?: string | undefined
  readonly worksheet?: string | undefined
}

/** How files are read: the fields of their rows by themselves, since these also go to other threads. */
export interface Reading extends SourceControl, Omit<ReadOptions, keyof RowReading> {
  readonly fields: RowReading
  /** The id of the document that a text file is; by default its name. */
  readonly textId?: string | undefined
}

export interface ReaderContext extends Reading {
  readonly name: string
}

const PIECE = 1024 * 1024
const LINE_PIECE = 65_536

/** A file in pieces, decompressed by its first bytes, whatever its name. Data that is cut short or damaged is an error. */
export async function* sourceBytes(file: SourceFile, control: SourceControl = {}): AsyncGenerator<Uint8Array> {
  const head = new Uint8Array(await sliceOf(file, 0, Math.min(HEADER, file.size)))
  const packing = packingOf(head)
  const stored = storedBytes(file, control)
  if (packing === undefined) {
    yield* stored
    return
  }
  if (packing === 'zstd') checkZstdHeader(head, file.name)
  try {
    yield* packing === 'gzip' ? (file.gunzip ?? gunzip)(stored) : unzstd(stored)
  } catch (error) {
    if (error instanceof AdfaError) throw error
    const reason = reasonOf(error).replace(/^Failed to execute .*?': /, '')
    const what = `the ${packing} data is damaged or cut short${reason === '' ? '' : ` (${reason})`}`
    throw fileError(file.name, `${what}; copy or download it again, or unpack it first`, error)
  }
}

async function* storedBytes(
  file: SourceFile,
  {signal, onRead}: SourceControl,
  {from, to}: ByteRange = {from: 0, to: file.size}
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += PIECE) {
    throwIfCancelled(signal)
    const bytes = new Uint8Array(await sliceOf(file, at, Math.min(to, at + PIECE)))
    onRead?.(bytes.length)
    yield bytes
  }
}

/** The bytes from `from` up to `to`, all of which the file must have. */
export async function sliceOf(file: SourceFile, from: number, to: number): Promise<ArrayBuffer> {
  const bytes = await file
    .slice(from, to)
    .arrayBuffer()
    .catch(error => {
      throw error instanceof AdfaError ? error : fileError(file.name, `cannot be read: ${reasonOf(error)}`, error)
    })
  if (bytes.byteLength === to - from) return bytes
  throw fileError(file.name, 'the file ends too early; copy or download it again')
}

/** Of a file that is read as a whole; a small compressed file may stand for any number of bytes. */
const MOST_BYTES = 2 ** 31

export async function wholeBytes(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  mostBytes = MOST_BYTES,
  wayOut = 'it is read as a whole; check that it is the right file'
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    length += chunk.length
    if (length > mostBytes)
      throw fileError(name, `the file has over ${Math.round(mostBytes / 2 ** 20)} MB, decompressed; ${wayOut}`)
  }
  return joined(parts)
}

/** The whole content of a UTF-8 file, decompressed, without a byte order mark. */
export async function readSourceText(file: SourceFile): Promise<string> {
  const {name} = file
  const bytes = await wholeBytes(sourceBytes(file), name)
  const text = utf8Text(bytes.subarray(byteOrderMarkLength(bytes)))
  if (text !== undefined) return text
  const kind = fileKind(latin1(bytes.subarray(0, 100)))
  const wayOut = 'check that this is the right file, or save it as UTF-8'
  throw fileError(name, kind === 'counts' ? 'the file holds counts, not text' : `not text in UTF-8; ${wayOut}`)
}

/** Bytes `from` up to, not including, `to`. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** The whole lines of a plain file that begin in a range of its bytes, in pieces. Adjacent ranges give every line once, however long it is. */
export async function* lineRange(file: SourceFile, {from, to}: ByteRange, control: SourceControl = {}) {
  yield* storedBytes(file, control, {from: await lineStart(file, from), to: await lineStart(file, to)})
}

/** Where the first line begins that begins at a place or after it; the byte before shows whether one begins there. */
async function lineStart(file: SourceFile, place: number): Promise<number> {
  for (let at = place - 1; at >= 0 && at < file.size; at += LINE_PIECE) {
    const bytes = new Uint8Array(await sliceOf(file, at, Math.min(file.size, at + LINE_PIECE)))
    if (bytes.includes(NEWLINE)) return at + bytes.indexOf(NEWLINE) + 1
  }
  return place === 0 ? 0 : file.size
}

export function packingOf(head: Uint8Array): 'gzip' | 'zstd' | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  const isFrame = head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd
  const isSkippable = head[0] >> 4 === 5 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18
  return isFrame || isSkippable ? 'zstd' : undefined
}

type Unpack = (packed: AsyncGenerator<Uint8Array>) => AsyncIterable<Uint8Array>

/** The longest header of a frame of Zstandard. */
const HEADER = 18

async function* gunzip(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const {done, value} = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value as Uint8Array<ArrayBuffer>)
    }
  })
  const reader = packed.pipeThrough(new DecompressionStream('gzip')).getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function* unzstd(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
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
