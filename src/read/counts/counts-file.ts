import {AdfaError, fileKind} from '../../base/checks/index.ts'
import {crc32} from '../../base/numeric/index.ts'
import {lexiconFromJson, lexiconToJson} from '../data/index.ts'
import {type Counts, type CountsHeader, type PatternCount, packCounts, unpackCounts} from './counts.ts'
import {GrowingArray} from './growing-array.ts'
import {isShards} from './shards.ts'
import {requirePatterns} from './table-statement.ts'

/**
 * The counts file: 8 bytes of magic, then version, header (JSON in UTF-8, its length first), patterns and labels as
 * variable-length integers, and the CRC-32 of everything before in the last 4 bytes, least significant first.
 * Member and word ids are stored as differences to the previous one. Equal counts give equal bytes.
 * Counts of some shards of a job are version 2, so that readers without support for shards refuse them.
 */
const MAGIC = 'ADFACNT\n'
const VERSION = 2

export function countsToBytes(counts: Counts): Uint8Array {
  requirePatterns(counts, 'a counts file')
  const {lexicon, labelShare, seed, shards, protocol} = counts
  const out = new ByteWriter()
  out.bytes(new TextEncoder().encode(MAGIC))
  out.integer(shards === undefined ? 1 : 2)
  const header = new TextEncoder().encode(
    JSON.stringify({lexicon: lexiconToJson(lexicon), labelShare, seed, shards, protocol})
  )
  out.integer(header.length)
  out.bytes(header)
  out.integer(counts.patternCount)
  for (const {members, documents, wordIds, wordCounts} of unpackCounts(counts)) {
    out.ascending(members)
    out.integer(documents)
    out.ascending(wordIds)
    for (let at = 0; at < wordCounts.length; at++) out.integer(wordCounts[at])
  }
  for (const count of counts.labelled) out.integer(count)
  return out.finish()
}

/** Read a counts file; `where` names it in errors. */
export function countsFromBytes(bytes: Uint8Array, where: string): Counts {
  const refuse = (what: string, remedy: string) => new AdfaError('bad-counts', `${where}: ${what}; ${remedy}`)
  const again = 'make it again with adfa count'
  if (!isCountsFile(bytes)) {
    const kind = fileKind(new TextDecoder('latin1').decode(bytes.subarray(0, 100)))
    const remedy = 'give a file written by adfa count'
    throw refuse('not a counts file', kind === undefined ? remedy : `it holds ${kind}; ${remedy}`)
  }
  const input = new ByteReader(bytes, MAGIC.length, () => refuse('the file is cut short', again))
  const version = input.integer()
  if (version > VERSION)
    throw refuse(`written by a newer adfa (version ${version} of the format, this one reads ${VERSION})`, 'update adfa')
  const sum =
    bytes.length < 4 ? -1 : new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4, 4).getUint32(0, true)
  if (crc32(bytes.subarray(0, bytes.length - 4)) !== sum)
    throw refuse('the file is damaged or cut short (its check sum is wrong)', again)
  const header = JSON.parse(new TextDecoder().decode(input.take(input.integer()))) as CountsHeader
  if (header.shards !== undefined && !isShards(header.shards)) throw refuse('its record of shards is invalid', again)
  const lexicon = lexiconFromJson(header.lexicon)
  const patterns = Array.from({length: input.integer()}, (): PatternCount => {
    const members = input.ascending()
    const documents = input.integer()
    const wordIds = input.ascending()
    return {members, documents, wordIds, wordCounts: wordIds.map(() => input.integer())}
  })
  const labelled = Float64Array.from({length: 4 * lexicon.anchors.length}, () => input.integer())
  return packCounts({...header, lexicon}, patterns, labelled)
}

/** Whether the bytes begin as a counts file does. */
export function isCountsFile(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, MAGIC.length)) === MAGIC
}

/** Non-negative integers up to 2^53, seven bits per byte, the least significant first; the high bit marks continuation. */
class ByteWriter {
  readonly #out = new GrowingArray(size => new Uint8Array(size), 1 << 16)

  integer(value: number): void {
    const bytes = this.#out.reserve(8)
    let left = value
    while (left >= 128) {
      bytes[this.#out.length++] = (left % 128) + 128
      left = Math.floor(left / 128)
    }
    bytes[this.#out.length++] = left
  }

  ascending(values: ArrayLike<number>): void {
    this.integer(values.length)
    for (let at = 0; at < values.length; at++) this.integer(at === 0 ? values[0] : values[at] - values[at - 1])
  }

  bytes(bytes: Uint8Array): void {
    this.#out.append(bytes)
  }

  finish(): Uint8Array {
    const sum = crc32(this.#out.values.subarray(0, this.#out.length))
    this.bytes(Uint8Array.of(sum & 0xff, (sum >>> 8) & 0xff, (sum >>> 16) & 0xff, sum >>> 24))
    return this.#out.values.slice(0, this.#out.length)
  }
}

class ByteReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  readonly #cutShort: () => AdfaError
  #at: number

  constructor(bytes: Uint8Array, at: number, cutShort: () => AdfaError) {
    this.#bytes = bytes
    this.#at = at
    this.#end = bytes.length - 4
    this.#cutShort = cutShort
  }

  integer(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      if (this.#at >= this.#end) throw this.#cutShort()
      const byte = this.#bytes[this.#at++]
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }

  ascending(): number[] {
    const values: number[] = []
    for (let left = this.integer(); left > 0; left--) values.push((values.at(-1) ?? 0) + this.integer())
    return values
  }

  take(length: number): Uint8Array {
    if (this.#at + length > this.#end) throw this.#cutShort()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
}
