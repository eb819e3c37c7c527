import {createHash} from 'node:crypto'
import {closeSync, openSync, readSync} from 'node:fs'
import {basename} from 'node:path'
import {AdfaError, badOption} from '../../base/checks/index.ts'
import {grouped} from '../../base/text/index.ts'
import {mostShards} from '../counts/index.ts'
import {isLineFormat, isText16, packingOf, startsArray} from '../reading/index.ts'
import type {DocumentInput, FilePart} from './document-input.ts'
import {cannotRead} from './file-error.ts'

/** One of `of` parts of the documents, from 1. */
export interface DocumentShard {
  readonly shard: number
  readonly of: number
}

/**
 * The part of each file that is in a shard.
 *
 * All files, one after the other, are cut into ranges of equal length. A document of a plain line file belongs to the
 * range in which its line begins; a file that cannot be cut (compressed, a table, ...) belongs whole to the range in which
 * it begins. So every document is in exactly one shard, whatever their number.
 */
export function cutShard(inputs: readonly DocumentInput[], {shard, of}: DocumentShard, encoding?: string): FilePart[] {
  const isCuttable = (input: DocumentInput) => !/^utf-?16/i.test(encoding ?? '') && canBeCut(input)
  checkShard({shard, of})
  const sizes = inputs.map(sizeOf)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const cut = (at: number) => (at === of ? total : Math.floor((total * at) / of))
  const [from, to] = [cut(shard - 1), cut(shard)]
  let start = 0
  return inputs.map((input, at): FilePart => {
    const begin = start
    start += sizes[at]
    // The last shard takes empty files at the end.
    const beginsHere = begin >= from && (begin < to || shard === of)
    if (beginsHere && (start <= to || !isCuttable(input))) return 'whole'
    const range = {from: Math.max(from, begin) - begin, to: Math.min(to, start) - begin}
    return range.from < range.to && isCuttable(input) ? range : 'none'
  })
}

export function partSize(part: FilePart, size: number): number {
  if (part === 'none') return 0
  return part === 'whole' ? size : part.to - part.from
}

/**
 * Identifies what is cut: the number and bytes of the files, and a fingerprint of their names (without folders, which
 * differ between computers), sizes and order, and of `reading`.
 */
export function shardJob(inputs: readonly DocumentInput[], reading: readonly (string | undefined)[]): string {
  const files = inputs.map(input => [basename(input.name), sizeOf(input)])
  const bytes = inputs.reduce((sum, input) => sum + sizeOf(input), 0)
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

function sizeOf({name, path, size}: DocumentInput): number {
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
