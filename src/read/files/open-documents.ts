import {createHash} from 'node:crypto'
import {closeSync, createReadStream, openSync, readdirSync, readSync, statSync} from 'node:fs'
import {open} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import type {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {AdfaError, badOption} from '../../base/checks/index.ts'
import {counted, grouped, nameList} from '../../base/text/index.ts'
import {mostShards} from '../counts/index.ts'
import {fieldsOf, type Row} from '../data/index.ts'
import {
  type ByteRange,
  type DocumentBlock,
  documentBlocks,
  fileError,
  formatOfName,
  hasLines,
  lineBlocks,
  lineRange,
  peek,
  type Reading,
  type ReadOptions,
  readingOf,
  rowsOf,
  type SourceFile,
  textEnding,
  utf8Bytes
} from '../reading/index.ts'
import {diskFile, statusOf} from './disk-file.ts'
import {cannotRead, cannotWrite, fileChanged, folderError} from './file-error.ts'
import {removeTemporaryFile, reserveTemporaryFile} from './temporary-files.ts'

/** One of `of` parts of the documents, from 1. */
export interface DocumentShard {
  readonly shard: number
  readonly of: number
}

/** The fields to read and as what, and how to read the files; with `keepsRecords` all of their columns. */
export interface DocumentOptions extends ReadOptions {
  readonly shard?: DocumentShard | undefined
}

/** Documents of one or several files, which can be read any number of times. */
export interface DocumentSource {
  readonly names: readonly string[]
  /** The size on disk of all files, or of the shard; undefined until standard input has been read to its end. */
  readonly byteCount: number | undefined
  /** Identifies what was cut, if only a shard is read: shards of one job belong together. */
  readonly job: string | undefined
  /** A new pass over all documents, in order, a batch at a time; only the current batch is held. */
  batches(signal?: AbortSignal): AsyncIterable<readonly Row[]>
  /** The same pass, cut at the same places, unparsed where lines can be parsed one by one. */
  blocks(signal?: AbortSignal): AsyncIterable<DocumentBlock>
  /** The same open files, whose rows have all columns or are those of another part. */
  withFields(changes: Pick<ReadOptions, 'keepsRecords' | 'part'>): DocumentSource
  /** How many bytes the latest pass has read, of `byteCount`. */
  bytesRead(): number
  /** Remove the copy of standard input. The source cannot be read afterwards. */
  close(): Promise<void>
}

/**
 * Open document files by path; `-` is standard input. Names, formats and permissions are checked now, contents when a
 * pass reads them. The first pass copies standard input and pipes to a temporary file.
 */
export function openDocuments(paths: readonly string[], options: DocumentOptions): DocumentSource {
  checkPaths(paths)
  const {shard, ...others} = options
  const reading = readingOf(others)
  const {separator, tagSeparator} = fieldsOf(reading.fields)
  const inputs = paths.map(path => documentInput(path, reading))
  const parts = shard === undefined ? inputs : cutShard(inputs, shard)
  const job = shard && shardJob(inputs, [...new Set([separator, tagSeparator])], reading)
  let bytesRead = 0
  let isClosed = false
  return sourceOf(reading)

  function sourceOf(reading: Reading): DocumentSource {
    async function* blocks(signal?: AbortSignal): AsyncGenerator<DocumentBlock> {
      if (isClosed) throw new Error('internal error: documents were read after they were closed')
      bytesRead = 0
      const onRead = (count: number) => {
        bytesRead += count
      }
      for (const part of parts) yield* part.blocks({...reading, signal, onRead})
    }

    return {
      names: inputs.map(input => input.name),
      get byteCount() {
        const sum = parts.reduce((total, part) => total + (part.size() ?? Number.NaN), 0)
        return Number.isNaN(sum) ? undefined : sum
      },
      job,
      batches: signal => rowsOf(blocks(signal)),
      blocks,
      withFields: changes => sourceOf({...reading, fields: {...reading.fields, ...changes}}),
      bytesRead: () => bytesRead,
      async close() {
        isClosed = true
        for (const input of inputs) await input.close?.()
      }
    }
  }
}

function checkPaths(paths: readonly string[]): void {
  if (paths.length === 0)
    throw new AdfaError('bad-option', 'no documents are given; name at least one file, or - for standard input')
  if (paths.indexOf('-') !== paths.lastIndexOf('-'))
    throw new AdfaError('bad-option', 'standard input (-) is given twice; it can be read only once; name it once')
}

/**
 * The files that are in a shard, or the part of each.
 *
 * All files, one after the other, are cut into ranges of equal length. A document of a plain file of JSON Lines belongs to the
 * range in which its line begins; a file that cannot be cut (compressed, a table, ...) belongs whole to the range in which
 * it begins. So every document is in exactly one shard, whatever their number.
 */
function cutShard(inputs: readonly DocumentInput[], {shard, of}: DocumentShard): DocumentInput[] {
  checkShard({shard, of})
  const sizes = inputs.map(diskSize)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const cut = (at: number) => (at === of ? total : Math.floor((total * at) / of))
  const [from, to] = [cut(shard - 1), cut(shard)]
  let start = 0
  return inputs.flatMap((input, at) => {
    const begin = start
    start += sizes[at]
    // The last shard takes empty files at the end.
    const beginsHere = begin >= from && (begin < to || shard === of)
    if (beginsHere && start <= to) return input
    const range = {from: Math.max(from, begin) - begin, to: Math.min(to, start) - begin}
    if (range.from >= range.to) return []
    return input.cut?.(range) ?? (beginsHere ? input : [])
  })
}

/** Identifies what is cut, by the names of the files without folders, which differ between computers, their sizes and `reading`. */
function shardJob(inputs: readonly DocumentInput[], separators: readonly string[], reading: Reading): string {
  const {format, fields} = reading
  const files = inputs.map(input => [basename(input.name), diskSize(input)] as const)
  const bytes = files.reduce((sum, [, size]) => sum + size, 0)
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([files, [format, ...separators, ...(fields.part === undefined ? [] : [fields.part])]]))
    .digest('hex')
    .slice(0, 16)
  // Part of counts files: not written with separators of thousands.
  return `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${bytes} bytes, fingerprint ${fingerprint}`
}

function checkShard({shard, of}: DocumentShard): void {
  if (!Number.isInteger(of) || of < 1 || of > mostShards)
    throw badOption('shards', 'of', `a whole number from 1 to ${grouped(mostShards)}`, of)
  if (!Number.isInteger(shard) || shard < 1 || shard > of)
    throw badOption('shards', 'shard', `a whole number from 1 to ${of}`, shard)
}

function diskSize({name, size}: DocumentInput): number {
  const bytes = size()
  if (bytes === undefined)
    throw new AdfaError(
      'bad-option',
      `${name} cannot be cut into shards: it can be read only once and its length is not known; save it to a file and give that`
    )
  return bytes
}

/** One file of documents or some of its lines, a folder of text files, or a stream that can be read only once, such as standard input. */
interface DocumentInput {
  readonly name: string
  /** Bytes on disk; undefined while the end of a stream has not been seen. */
  size(): number | undefined
  /** The documents in it. Refuses a file that has changed since it was opened. */
  blocks(reading: Reading): AsyncIterable<DocumentBlock>
  /** The lines that begin in a range of its bytes; undefined where these cannot be read by themselves. */
  cut?(range: ByteRange): DocumentInput | undefined
  close?(): Promise<void>
}

function documentInput(path: string, {format: given, encoding = 'utf-8'}: Reading): DocumentInput {
  const status = path === '-' ? undefined : statusOf(path)
  if (status?.isDirectory()) return textFolder(path, given)
  if (!status?.isFile()) return onceOnly(path)
  const format = given ?? formatOfName(path)
  const file = diskFile(path, status)
  return {
    name: path,
    size: () => file.size,
    blocks: reading => documentBlocks(file, reading),
    cut(range) {
      if (format !== 'jsonl' || /^utf-?16/i.test(encoding) || !hasLines(startOf(path))) return undefined
      return {name: path, size: () => range.to - range.from, blocks: reading => linesIn(file, range, reading)}
    }
  }
}

function startOf(path: string): Uint8Array {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(1024)
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0))
  } finally {
    closeSync(file)
  }
}

function linesIn(file: SourceFile, range: ByteRange, reading: Reading): AsyncIterable<DocumentBlock> {
  // The number of lines before is not known without reading them, nor is the encoding.
  const name = range.from === 0 ? file.name : `${file.name} (lines from byte ${range.from} on)`
  const context = {...reading, name, encoding: reading.encoding ?? 'utf-8'}
  return lineBlocks(utf8Bytes(lineRange(file, range, reading), context), context)
}

/** Standard input or a pipe: copied to a temporary file when it is first needed. */
function onceOnly(path: string): DocumentInput {
  const name = path === '-' ? 'standard input' : path
  let copy: Promise<string> | undefined
  let file: SourceFile | undefined
  return {
    name,
    size: () => file?.size,
    async *blocks(reading) {
      copy ??= spool(() => (path === '-' ? process.stdin : createReadStream(path)), name, reading.signal)
      file ??= diskFile(await copy, undefined, name)
      yield* documentBlocks(file, reading)
    },
    async close() {
      // A copy that failed has cleaned up, and its reader has the error.
      const made = await copy?.catch(() => undefined)
      if (made !== undefined) await removeTemporaryFile(made)
    }
  }
}

/** Copies a stream to a temporary file, which only the user may read and which is gone at the latest when the process ends. */
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

/** The same bytes; a line that no reader would take is refused now, since a device may go on with it forever. */
async function* limitLines(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const {head, chunks} = await peek(source, 1024)
  if (!hasLines(head)) yield* chunks
  else for await (const {bytes} of lineBlocks(chunks, {name, fields: {text: []}})) yield bytes
}

export function isTextFile(path: string): boolean {
  return textEnding.test(path) && !isHidden(path)
}

function isHidden(path: string): boolean {
  return path.split(/[\\/]/).some(part => part.startsWith('.'))
}

/** A folder stands for the text files in it and in the folders in it; what begins with a dot is hidden. */
function textFolder(folder: string, given: Reading['format']): DocumentInput {
  if (given !== undefined && given !== 'txt') throw cannotRead(folder, folderError())
  const listed = listTextFolder(folder)
  const {files, others} = listed
  if (files.length === 0) {
    const found = others.length === 0 ? '' : `; it has ${nameList(others, 5)}`
    throw fileError(folder, `the folder has no text files (.txt)${found}; name the files to read`)
  }
  return {
    name: folder,
    size: () => files.reduce((sum, {size}) => sum + size, 0),
    async *blocks(reading) {
      const {onNote} = reading
      if (JSON.stringify(listTextFolder(folder)) !== JSON.stringify(listed)) throw fileChanged(folder)
      if (others.length > 0)
        onNote?.(`${folder}: ${counted(others.length, 'file')} without the ending .txt ignored: ${nameList(others, 5)}`)
      const noted: string[] = []
      for (const {path, ...opened} of files)
        yield* documentBlocks(diskFile(join(folder, path), opened), {
          ...reading,
          format: 'txt',
          textId: path.replace(textEnding, ''),
          onNote: () => noted.push(path)
        })
      if (noted.length > 0)
        onNote?.(
          `${folder}: ${counted(noted.length, 'file')} read as Windows-1252 (Latin-1) or UTF-16: ${nameList(noted, 5)}`
        )
    }
  }
}

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
