import {AdfaError, fileKind, throwIfCancelled} from '../../base/checks/index.ts'
import type {RowReading} from '../data/index.ts'
import {byteOrderMarkLength, joined, latin1, NEWLINE, utf8Text} from './bytes.ts'
import {decompressed, type Unpack} from './decompress.ts'
import {fileError, reasonOf} from './document-error.ts'

/** A file to read. A `File` of a browser is one; read/files has those of Node. */
export interface SourceFile {
  readonly name: string
  readonly size: number
  /** The bytes from `from` up to `to`. */
  slice(from: number, to: number): {arrayBuffer(): Promise<ArrayBuffer>}
  /** Where the runtime has one that reads gzip data of several parts. */
  readonly gunzip?: Unpack
}

export interface SourceControl {
  readonly signal?: AbortSignal | undefined
  /** Called with the bytes of every piece, still compressed; the sum is the size of the file. */
  readonly onRead?: ((byteCount: number) => void) | undefined
}

/** What a reader needs to know besides the bytes. */
export interface ReaderContext extends SourceControl {
  /** What errors call the file. */
  readonly name: string
  /** The fields asked for. */
  readonly fields: RowReading
  /** Names among the fields that a table must have as columns. */
  readonly required?: readonly string[] | undefined
  /** Called with the columns of a table, under the names by which they are asked for. */
  readonly onColumns?: ((names: readonly string[]) => void) | undefined
  /** Called with what was recognised in a file and may surprise: an encoding, the separator of cells. */
  readonly onNote?: ((note: string) => void) | undefined
  /** The encoding of text; by default it is recognised. */
  readonly encoding?: string | undefined
  /** Decompressors of Parquet by their names there, where the runtime has faster ones. */
  readonly unpack?: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> | undefined
  /** The sheet of a workbook; by default the first. */
  readonly worksheet?: string | undefined
  /** The id of the document that a text file is. */
  readonly textId?: string | undefined
}

const PIECE = 1024 * 1024

/**
 * The content of a file in pieces of about 1 MB, decompressed when its first bytes are those of gzip or Zstandard, whatever its name.
 * Data that is cut short or damaged is an error, so a loop that ends has seen the whole file.
 */
export function sourceBytes(file: SourceFile, control: SourceControl = {}): AsyncGenerator<Uint8Array> {
  return decompressed(storedBytes(file, control), file.name, file.gunzip)
}

async function* storedBytes(file: SourceFile, {signal, onRead}: SourceControl): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += PIECE) {
    throwIfCancelled(signal)
    const bytes = new Uint8Array(await sliceOf(file, at, Math.min(file.size, at + PIECE)))
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

/** All of these bytes as one. */
export async function wholeBytes(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  mostBytes = MOST_BYTES
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    length += chunk.length
    if (length > mostBytes)
      throw fileError(
        name,
        `the file has over ${Math.round(mostBytes / 2 ** 20)} MB, decompressed; it is read as a whole; check that it is the right file`
      )
  }
  return joined(parts)
}

/** The whole content of a UTF-8 file, decompressed, without a byte order mark. */
export async function readSourceText(file: SourceFile, control: SourceControl = {}): Promise<string> {
  const {name} = file
  const bytes = await wholeBytes(sourceBytes(file, control), name)
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

/** Beyond the range, only the rest of one line is needed. */
const TAIL = 64 * 1024

/**
 * The whole lines of a plain file that begin in a range of its bytes, in pieces. Adjacent ranges give every line once,
 * however long it is. Reads the byte before the range, which shows whether a line begins with it, the range, and the rest
 * of its last line.
 */
export async function* lineRange(
  file: SourceFile,
  {from, to}: ByteRange,
  {signal, onRead}: SourceControl = {}
): AsyncGenerator<Uint8Array> {
  let isInLine = from === 0
  for (let at = Math.max(0, from - 1); at < file.size; ) {
    throwIfCancelled(signal)
    const end = Math.min(file.size, at < to ? Math.min(at + PIECE, to) : at + TAIL)
    const bytes = new Uint8Array(await sliceOf(file, at, end))
    const start = isInLine ? 0 : bytes.indexOf(NEWLINE) + 1
    isInLine ||= start > 0
    onRead?.(Math.max(0, Math.min(to, end) - Math.max(from, at)))
    // The last line of the range ends at the first line end at or after the last byte of the range.
    const last = end < to ? -1 : bytes.indexOf(NEWLINE, Math.max(0, to - 1 - at))
    if (isInLine) yield bytes.subarray(start, last < 0 ? undefined : last + 1)
    at = end
    if (last >= 0 || (!isInLine && at >= to)) return
  }
}
