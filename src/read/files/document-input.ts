import {accessSync, constants, createReadStream, type Stats, statSync} from 'node:fs'
import {open} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import type {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {AdfaError} from '../../base/checks/index.ts'
import {
  type ByteRange,
  type DocumentBlock,
  type DocumentFormat,
  documentBlocks,
  formatOfName,
  isLineFormat,
  lineBlocks,
  lineRange,
  packingOf,
  type ReaderContext,
  recordLimit,
  rowBlocks,
  type SourceFile,
  textIdOf,
  tooLong,
  utf8Bytes
} from '../reading/index.ts'
import {cannotRead, cannotWrite, fileChanged, folderError} from './file-error.ts'
import {diskFile} from './read-bytes.ts'
import {removeTemporaryFile, reserveTemporaryFile} from './temporary-files.ts'
import {listTextFolder, readTextFolder} from './text-folder.ts'

/** The part of a file to read: all of it, nothing, or the lines that begin in a range of its bytes. */
export type FilePart = 'whole' | 'none' | ByteRange

/** How all files are read. */
export type FileReading = Omit<ReaderContext, 'name'> & {readonly given: DocumentFormat | undefined}

/** One file of documents, a folder of text files, or a stream that can be read only once, such as standard input. */
export interface DocumentInput {
  readonly name: string
  /** Where the file is; undefined for standard input and pipes. */
  readonly path: string | undefined
  /** The format, by what is said of it or by its name; undefined where the content must show it. */
  readonly format: DocumentFormat | undefined
  /** Bytes on disk; undefined while the end of a stream has not been seen. */
  size(): number | undefined
  /** The documents in a part of it. Refuses a file that has changed since it was opened. */
  blocks(part: Exclude<FilePart, 'none'>, reading: FileReading): AsyncIterable<DocumentBlock>
  close?(): Promise<void>
}

export function documentInput(path: string, given: DocumentFormat | undefined): DocumentInput {
  const status = path === '-' ? undefined : readableStatus(path)
  if (status?.isDirectory()) return textFolder(path, given)
  const format = given ?? (path === '-' ? undefined : formatOfName(path))
  if (!status?.isFile()) return onceOnly(path, format)
  return {
    name: path,
    path,
    format,
    size: () => status.size,
    blocks: (part, {given, ...reading}) => {
      const context = {...reading, name: path, textId: textIdOf(path)}
      const file = diskFile(path, status)
      if (part === 'whole' || !isLineFormat(format)) return documentBlocks(file, given, context)
      // The number of lines before is not known without reading them, nor is the encoding.
      const own = {...context, name: part.from === 0 ? path : `${path} (lines from byte ${part.from} on)`}
      const chunks = utf8Bytes(lineRange(file, part, context), {...own, encoding: context.encoding ?? 'utf-8'})
      return lineBlocks(chunks, {...own, format}, part.from === 0)
    }
  }
}

/** Standard input or a pipe: copied to a temporary file when it is first needed. */
function onceOnly(path: string, format: DocumentFormat | undefined): DocumentInput {
  const name = path === '-' ? 'standard input' : path
  let copy: Promise<string> | undefined
  let file: SourceFile | undefined
  return {
    name,
    path: undefined,
    format,
    size: () => file?.size,
    async *blocks(_, {given, ...reading}) {
      copy ??= spool(() => (path === '-' ? process.stdin : createReadStream(path)), name, reading.signal)
      file ??= diskFile(await copy, undefined, name)
      yield* documentBlocks(file, given, {...reading, name}, 'jsonl')
    },
    async close() {
      // A copy that failed has cleaned up, and its reader has the error.
      const made = await copy?.catch(() => undefined)
      if (made !== undefined) await removeTemporaryFile(made)
    }
  }
}

function readableStatus(path: string): Stats {
  try {
    const status = statSync(path)
    if (status.isFile()) accessSync(path, constants.R_OK)
    return status
  } catch (error) {
    throw cannotRead(path, error)
  }
}

function textFolder(path: string, given: DocumentFormat | undefined): DocumentInput {
  if (given !== undefined && given !== 'txt') throw cannotRead(path, folderError())
  const folder = listTextFolder(path)
  return {
    name: path,
    path,
    format: 'txt',
    size: () => folder.files.reduce((sum, {size}) => sum + size, 0),
    async *blocks(_, reading) {
      if (JSON.stringify(listTextFolder(path).files) !== JSON.stringify(folder.files)) throw fileChanged(path)
      yield* rowBlocks(readTextFolder(folder, path, {...reading, name: path}), reading)
    }
  }
}

/**
 * Copy a stream that can be read only once (standard input, a pipe) to a temporary file that can be read again, and
 * return its path. Only the user may read it; `removeTemporaryFile` removes it, at the latest when the process ends.
 */
async function spool(openStream: () => Readable, name: string, signal?: AbortSignal): Promise<string> {
  const path = reserveTemporaryFile(tmpdir(), 'adfa')
  let stream: Readable | undefined
  try {
    // The file exists before the copy starts: one created after an interruption would stay behind.
    const copy = (await open(path, 'wx', 0o600)).createWriteStream()
    stream = openStream()
    await pipeline(stream, chunks => limitLines(chunks, name), copy, signal === undefined ? {} : {signal})
    return path
  } catch (error) {
    await removeTemporaryFile(path)
    if (error instanceof AdfaError) throw error
    if (stream?.errored) throw cannotRead(name, error)
    throw cannotWrite(`${path} (a copy of ${name}; TMPDIR names another folder for it)`, error)
  }
}

/** Parquet, zip archives, XML and arrays have no lines. */
const WITHOUT_LINES = /^(?:PAR1|PK|(?:\xef\xbb\xbf)?\s*[<[])/

/** The same bytes; a line that no reader would take is refused now, since a device may go on with it forever. */
async function* limitLines(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  let hasLines: boolean | undefined
  let line = 1
  let length = 0
  for await (const chunk of chunks) {
    hasLines ??= packingOf(chunk) === undefined && !WITHOUT_LINES.test(chunk.toString('latin1', 0, 100))
    for (let from = 0; hasLines && from < chunk.length; ) {
      const end = chunk.indexOf(10, from)
      length += (end < 0 ? chunk.length : end) - from
      if (length > recordLimit)
        throw tooLong(name, line, 'line', 'check that this is the right file and the right format')
      if (end < 0) break
      line++
      length = 0
      from = end + 1
    }
    yield chunk
  }
}
