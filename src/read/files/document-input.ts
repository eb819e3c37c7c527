import {createReadStream, readdirSync, statSync} from 'node:fs'
import {open} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {counted, nameList} from '../../base/text/index.ts'
import type {Row} from '../data/index.ts'
import {
  type ByteRange,
  type DocumentBlock,
  type DocumentFormat,
  documentBlocks,
  fileError,
  formatOfName,
  isLineFormat,
  lineBlocks,
  lineRange,
  packingOf,
  type ReaderContext,
  readTextDocument,
  recordLimit,
  type SourceFile,
  sourceBytes,
  textEnding,
  textIdOf,
  tooLong,
  utf8Bytes
} from '../reading/index.ts'
import {diskFile, statusOf} from './disk-file.ts'
import {cannotRead, cannotWrite, fileChanged, folderError} from './file-error.ts'
import {removeTemporaryFile, reserveTemporaryFile} from './temporary-files.ts'

/** One file of documents, a folder of text files, or a stream that can be read only once, such as standard input. */
export interface DocumentInput {
  readonly name: string
  /** Where the file is; undefined for standard input and pipes. */
  readonly path: string | undefined
  /** The format, by what is said of it or by its name; undefined where the content must show it. */
  readonly format: DocumentFormat | undefined
  /** Bytes on disk; undefined while the end of a stream has not been seen. */
  size(): number | undefined
  /** The documents in it, or in the lines that begin in a range of its bytes. Refuses a file that has changed since it was opened. */
  blocks(range: ByteRange | undefined, reading: Omit<ReaderContext, 'name'>): AsyncIterable<DocumentBlock>
  close?(): Promise<void>
}

export function documentInput(path: string, given: DocumentFormat | undefined): DocumentInput {
  const status = path === '-' ? undefined : statusOf(path)
  if (status?.isDirectory()) return textFolder(path, given)
  const format = given ?? (path === '-' ? undefined : formatOfName(path))
  if (!status?.isFile()) return onceOnly(path, given)
  return {
    name: path,
    path,
    format,
    size: () => status.size,
    blocks: (range, reading) => {
      const context = {...reading, name: path, textId: textIdOf(path)}
      const file = diskFile(path, status)
      if (range === undefined || !isLineFormat(format)) return documentBlocks(file, given, context)
      // The number of lines before is not known without reading them, nor is the encoding.
      const own = {...context, name: range.from === 0 ? path : `${path} (lines from byte ${range.from} on)`}
      const chunks = utf8Bytes(lineRange(file, range, context), {...own, encoding: context.encoding ?? 'utf-8'})
      return lineBlocks(chunks, {...own, format}, range.from === 0)
    }
  }
}

/** Standard input or a pipe: copied to a temporary file when it is first needed. */
function onceOnly(path: string, given: DocumentFormat | undefined): DocumentInput {
  const name = path === '-' ? 'standard input' : path
  let copy: Promise<string> | undefined
  let file: SourceFile | undefined
  return {
    name,
    path: undefined,
    format: given,
    size: () => file?.size,
    async *blocks(_, reading) {
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

/** Whether a file in a folder of text files is read: `path` is that within the folder. */
export function isTextFile(path: string): boolean {
  return textEnding.test(path) && !isHidden(path)
}

function isHidden(path: string): boolean {
  return path.split(/[\\/]/).some(part => part.startsWith('.'))
}

/** A folder stands for the text files in it and in the folders in it; what begins with a dot is hidden. */
function textFolder(folder: string, given: DocumentFormat | undefined): DocumentInput {
  if (given !== undefined && given !== 'txt') throw cannotRead(folder, folderError())
  const listed = listTextFolder(folder)
  const {files, others} = listed
  if (files.length === 0) {
    const found = others.length === 0 ? '' : `; it has ${nameList(others, 5)}`
    throw fileError(folder, `the folder has no text files (.txt)${found}; name the files to read`)
  }
  return {
    name: folder,
    path: folder,
    format: 'txt',
    size: () => files.reduce((sum, {size}) => sum + size, 0),
    async *blocks(_, reading) {
      const {onNote, signal} = reading
      if (JSON.stringify(listTextFolder(folder)) !== JSON.stringify(listed)) throw fileChanged(folder)
      if (others.length > 0)
        onNote?.(`${folder}: ${counted(others.length, 'file')} without the ending .txt ignored: ${nameList(others, 5)}`)
      const noted: string[] = []
      for (let from = 0; from < files.length; from += BATCH) {
        const rows: Row[] = []
        for (const {path, ...opened} of files.slice(from, from + BATCH)) {
          throwIfCancelled(signal)
          const name = join(folder, path)
          const own = {...reading, name, onNote: () => noted.push(path), textId: path.replace(textEnding, '')}
          for await (const batch of readTextDocument(utf8Bytes(sourceBytes(diskFile(name, opened), own), own), own))
            rows.push(...batch)
        }
        yield {kind: 'rows', rows, part: reading.fields.part}
      }
      if (noted.length > 0)
        onNote?.(
          `${folder}: ${counted(noted.length, 'file')} read as Windows-1252 (Latin-1) or UTF-16: ${nameList(noted, 5)}`
        )
    }
  }
}

/** So many text files are a block. */
const BATCH = 256

/** The text files in a folder, and what else is in it: paths in the folder, with `/`. */
function listTextFolder(folder: string) {
  const files: {path: string; size: number; mtimeMs: number}[] = []
  const others: string[] = []
  try {
    const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'}).map(path => path.replaceAll('\\', '/'))
    // By code units, so that the order is the same everywhere.
    for (const path of paths.filter(path => !isHidden(path)).sort()) {
      const status = statSync(join(folder, path), {throwIfNoEntry: false})
      if (!status?.isFile()) continue
      if (isTextFile(path)) files.push({path, size: status.size, mtimeMs: status.mtimeMs})
      else others.push(path)
    }
  } catch (error) {
    throw cannotRead(folder, error)
  }
  return {files, others}
}
