import {createHash} from 'node:crypto'
import {closeSync, openSync, readSync} from 'node:fs'
import {basename} from 'node:path'
import {AdfaError, badOption, throwIfCancelled} from '../../base/checks/index.ts'
import {grouped} from '../../base/text/index.ts'
import {mostShards} from '../counts/index.ts'
import {type Row, separatorOf, tagSeparatorOf} from '../data/index.ts'
import {
  type ByteRange,
  type DocumentBlock,
  isLineFormat,
  isText16,
  packingOf,
  parseBlock,
  type ReadOptions,
  readingOf,
  startsArray
} from '../reading/index.ts'
import {unpack} from './disk-file.ts'
import {type DocumentInput, documentInput} from './document-input.ts'
import {cannotRead} from './file-error.ts'

/** One of `of` parts of the documents, from 1. */
export interface DocumentShard {
  readonly shard: number
  readonly of: number
}

/** The fields to read and as what, and how to read the files; with `keepsRecords` all of their columns. */
export interface DocumentOptions extends ReadOptions {
  /** Only this part of the documents; by default all of them. */
  readonly shard?: DocumentShard | undefined
}

/** Documents of one or several files, which can be read any number of times. */
export interface DocumentSource {
  /** What errors and reports call the files. */
  readonly names: readonly string[]
  /** The size on disk of all files, or of the shard; undefined until standard input has been read to its end. */
  readonly byteCount: number | undefined
  /** Identifies what was cut, if only a shard is read: shards of one job belong together. */
  readonly job: string | undefined
  /** A new pass over all documents, in order, a batch at a time; only the current batch is held. */
  batches(signal?: AbortSignal): AsyncIterable<readonly Row[]>
  /** The same pass, cut at the same places, unparsed where lines can be parsed one by one. */
  blocks(signal?: AbortSignal): AsyncIterable<DocumentBlock>
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
  const {format, ...reading} = {...readingOf(others), unpack}
  const {fields, encoding} = reading
  const separators = [...new Set([separatorOf(fields), tagSeparatorOf(fields)])]
  const inputs = paths.map(path => documentInput(path, format))
  const parts: readonly Part[] =
    shard === undefined ? inputs.map(input => ({input, range: undefined})) : cutShard(inputs, shard, encoding)
  let bytesRead = 0
  let isClosed = false

  const byteCount = () => {
    const sizes = parts.map(({input, range}) => (range ? range.to - range.from : (input.size() ?? Number.NaN)))
    const sum = sizes.reduce((total, size) => total + size, 0)
    return Number.isNaN(sum) ? undefined : sum
  }

  async function* blocks(signal?: AbortSignal): AsyncGenerator<DocumentBlock> {
    if (isClosed) throw new Error('internal error: documents were read after they were closed')
    bytesRead = 0
    const onRead = (count: number) => {
      bytesRead += count
    }
    for (const {input, range} of parts)
      for await (const block of input.blocks(range, {...reading, signal, onRead})) {
        throwIfCancelled(signal)
        yield block
      }
  }

  async function* batches(signal?: AbortSignal): AsyncGenerator<readonly Row[]> {
    for await (const block of blocks(signal)) {
      const rows = parseBlock(block)
      if (rows.length > 0) yield rows
    }
  }

  return {
    names: inputs.map(input => input.name),
    get byteCount() {
      return byteCount()
    },
    job: shard && shardJob(inputs, [format, ...separators, ...(fields.part === undefined ? [] : [fields.part])]),
    batches,
    blocks,
    bytesRead: () => bytesRead,
    async close() {
      isClosed = true
      for (const input of inputs) await input.close?.()
    }
  }
}

function checkPaths(paths: readonly string[]): void {
  if (paths.length === 0)
    throw new AdfaError('bad-option', 'no documents are given; name at least one file, or - for standard input')
  if (paths.indexOf('-') !== paths.lastIndexOf('-'))
    throw new AdfaError('bad-option', 'standard input (-) is given twice; it can be read only once; name it once')
}

/** A file to read, all of it or the lines that begin in a range of its bytes. */
interface Part {
  readonly input: DocumentInput
  readonly range: ByteRange | undefined
}

/**
 * The files that are in a shard, or the part of each.
 *
 * All files, one after the other, are cut into ranges of equal length. A document of a plain line file belongs to the
 * range in which its line begins; a file that cannot be cut (compressed, a table, ...) belongs whole to the range in which
 * it begins. So every document is in exactly one shard, whatever their number.
 */
function cutShard(inputs: readonly DocumentInput[], {shard, of}: DocumentShard, encoding?: string): Part[] {
  const isCuttable = (input: DocumentInput) => !/^utf-?16/i.test(encoding ?? '') && canBeCut(input)
  checkShard({shard, of})
  const sizes = inputs.map(diskSize)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const cut = (at: number) => (at === of ? total : Math.floor((total * at) / of))
  const [from, to] = [cut(shard - 1), cut(shard)]
  let start = 0
  return inputs.flatMap((input, at): Part | [] => {
    const begin = start
    start += sizes[at]
    // The last shard takes empty files at the end.
    const beginsHere = begin >= from && (begin < to || shard === of)
    if (beginsHere && (start <= to || !isCuttable(input))) return {input, range: undefined}
    const range = {from: Math.max(from, begin) - begin, to: Math.min(to, start) - begin}
    return range.from < range.to && isCuttable(input) ? {input, range} : []
  })
}

/**
 * Identifies what is cut: the number and bytes of the files, and a fingerprint of their names (without folders, which
 * differ between computers), sizes and order, and of `reading`.
 */
function shardJob(inputs: readonly DocumentInput[], reading: readonly (string | undefined)[]): string {
  const files = inputs.map(input => [basename(input.name), diskSize(input)])
  const bytes = inputs.reduce((sum, input) => sum + diskSize(input), 0)
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([files, reading]))
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

function diskSize({name, path, size}: DocumentInput): number {
  const bytes = path === undefined ? undefined : size()
  if (bytes === undefined)
    throw new AdfaError(
      'bad-option',
      `${name} cannot be cut into shards: it can be read only once and its length is not known; save it to a file and give that`
    )
  return bytes
}

/** A file of lines, neither compressed nor in UTF-16 nor one array or object, whatever its name says. */
function canBeCut({format, path, name}: DocumentInput): boolean {
  if (!isLineFormat(format) || path === undefined) return false
  try {
    const file = openSync(path, 'r')
    try {
      const buffer = Buffer.alloc(1024)
      const head = buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0))
      return packingOf(head) === undefined && isText16(head) === undefined && !startsArray(head)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw cannotRead(name, error)
  }
}
