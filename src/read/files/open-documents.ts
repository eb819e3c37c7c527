import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {type Row, separatorOf, tagSeparatorOf} from '../data/index.ts'
import {type DocumentBlock, parseBlock, type ReadOptions, readingOf} from '../reading/index.ts'
import {cutShard, type DocumentShard, partSize, shardJob} from './cut-shard.ts'
import {documentInput, type FilePart} from './document-input.ts'
import {unpack} from './read-bytes.ts'

/** The fields to read and as what, and how to read the files; with `keepsRecords` all of their columns. */
export interface DocumentOptions extends ReadOptions {
  /** Only this part of the documents; by default all of them. */
  readonly shard?: DocumentShard | undefined
  /**
   * Documents of up to this many bytes stay in memory after the first pass, and later passes do not read the files; by
   * default 0. Larger ones are read by every pass.
   */
  readonly keptBytes?: number | undefined
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
  /**
   * The same pass, cut at the same places, unparsed where lines can be parsed one by one. A pass that `isLast` is not kept in memory:
   * whoever reads it keeps what is needed.
   */
  blocks(signal?: AbortSignal, isLast?: boolean): AsyncIterable<DocumentBlock>
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
  const {shard, keptBytes = 0, ...others} = options
  const {format, ...reading} = {...readingOf(others), unpack}
  const {fields, encoding} = reading
  const separators = [...new Set([separatorOf(fields), tagSeparatorOf(fields)])]
  const inputs = paths.map(path => documentInput(path, format))
  const parts: readonly FilePart[] = shard === undefined ? inputs.map(() => 'whole') : cutShard(inputs, shard, encoding)
  let bytesRead = 0
  let isClosed = false

  const byteCount = () => {
    const sizes = inputs.map((input, at) => partSize(parts[at], input.size() ?? Number.NaN))
    const sum = sizes.reduce((total, size) => total + size, 0)
    return Number.isNaN(sum) ? undefined : sum
  }
  /** The blocks of a whole pass, where they fit into memory. */
  let kept: readonly StoredBlock[] | undefined
  async function* blocks(signal?: AbortSignal, isLast = false): AsyncGenerator<DocumentBlock> {
    if (isClosed) throw new Error('internal error: documents were read after they were closed')
    bytesRead = 0
    if (kept !== undefined) {
      for (const {block, read} of kept) {
        throwIfCancelled(signal)
        bytesRead = read
        yield copyOf(block)
      }
      return
    }
    const onRead = (count: number) => {
      bytesRead += count
    }
    let room = isLast || (byteCount() ?? 0) > keptBytes ? 0 : keptBytes
    let stored: StoredBlock[] = []
    for (const [at, part] of parts.entries()) {
      if (part === 'none') continue
      for await (const block of inputs[at].blocks(part, {...reading, given: format, signal, onRead})) {
        throwIfCancelled(signal)
        if (room > 0) room -= sizeOf(block)
        if (room > 0) stored.push({block: copyOf(block), read: bytesRead})
        else stored = []
        yield block
      }
    }
    if (room > 0) kept = stored
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
      kept = undefined
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

interface StoredBlock {
  readonly block: DocumentBlock
  /** How many bytes of the files had been read when it came. */
  readonly read: number
}

/** A copy, since the bytes of a block may be transferred to another thread. */
function copyOf(block: DocumentBlock): DocumentBlock {
  return block.kind === 'rows' ? block : {...block, bytes: block.bytes.slice()}
}

function sizeOf(block: DocumentBlock): number {
  return block.kind === 'lines' ? block.bytes.length : block.rows.reduce((sum, row) => sum + rowSize(row), 0)
}

/** About the bytes of a parsed row: its characters, and some 32 for each string and object. */
function rowSize({text, features, tags = []}: Row): number {
  const size = (strings: Iterable<string>) => {
    let sum = 32
    for (const each of strings) sum += each.length + 32
    return sum
  }
  return 128 + size(text.values()) + size(features) + size(tags)
}
