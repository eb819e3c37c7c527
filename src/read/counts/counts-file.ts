import {
  AdfaError,
  fieldsAt,
  fileKind,
  type JsonObject,
  numberAt,
  objectAt,
  parseJson,
  textAt,
  wholeAt
} from '../../base/checks/index.ts'
import {crc32} from '../../base/numeric/index.ts'
import {GrowingArray, lexiconFromJson, lexiconToJson} from '../data/index.ts'
import {type Counts, type CountsHeader, comparePatterns, type PatternCount, packCounts, unpackCounts} from './counts.ts'
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

/** Read a counts file; `where` names it in errors. All of it is checked: a right check sum shows only who wrote it last. */
export function countsFromBytes(bytes: Uint8Array, where: string): Counts {
  const refuse = (what: string, remedy: string) => new AdfaError('bad-counts', `${where}: ${what}; ${remedy}`)
  const again = 'make it again with adfa count'
  if (!isCountsFile(bytes)) {
    const kind = fileKind(new TextDecoder('latin1').decode(bytes.subarray(0, 100)))
    const remedy = 'give a file written by adfa count'
    throw refuse('not a counts file', kind === undefined ? remedy : `it holds ${kind}; ${remedy}`)
  }
  const input = new ByteReader(bytes, MAGIC.length)
  try {
    const version = input.integer()
    if (version > VERSION)
      throw refuse(
        `written by a newer adfa (version ${version} of the format, this one reads ${VERSION})`,
        'update adfa'
      )
    const sum =
      bytes.length < 4 ? -1 : new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4, 4).getUint32(0, true)
    if (crc32(bytes.subarray(0, bytes.length - 4)) !== sum)
      throw refuse('the file is damaged or cut short (its check sum is wrong)', again)
    const header = parseHeader(input.take(input.integer()))
    const counts = packCounts(header, readPatterns(input, header), new Float64Array(4 * header.lexicon.anchors.length))
    for (let cell = 0; cell < counts.labelled.length; cell++) counts.labelled[cell] = input.integer()
    if (!input.isAtEnd) throw new Error('there is more behind its last number')
    checkTotals(counts)
    return counts
  } catch (cause) {
    if (cause instanceof AdfaError && cause.code === 'bad-counts') throw cause
    throw refuse((cause as Error).message, again)
  }
}

function parseHeader(bytes: Uint8Array): CountsHeader {
  let value: unknown
  try {
    value = parseJson(new TextDecoder('utf-8', {fatal: true}).decode(bytes))
  } catch (cause) {
    throw new Error(`its header is not valid JSON (${(cause as Error).message})`)
  }
  const header = objectAt(value, 'its header')
  if (header.shards !== undefined && !isShards(header.shards)) throw new Error('its record of shards is invalid')
  return {...headerFromJson(header), ...(header.shards && {shards: header.shards})}
}

/** What counts and releases store of how they were made; faults are plain Errors that name the place. */
export function headerFromJson({lexicon, labelShare, seed, protocol}: JsonObject): CountsHeader {
  const share = numberAt(labelShare, 'labelShare')
  if (!(share >= 0 && share <= 1)) throw new Error(`labelShare must be a share from 0 to 1, not ${share}`)
  return {
    lexicon: lexiconFromJson(lexicon),
    labelShare: share,
    seed: wholeAt(seed, 'seed', Number.MIN_SAFE_INTEGER),
    ...(protocol !== undefined && {protocol: fieldsAt(protocol, 'protocol', ['name', 'fingerprint'], textAt)})
  }
}

/** The patterns, checked one by one: their members and words exist and are in order, and so are the patterns. */
function* readPatterns(input: ByteReader, {lexicon}: CountsHeader): Generator<PatternCount> {
  const memberCount = lexicon.anchors.reduce((sum, {any}) => sum + any.length, 0)
  let before: readonly number[] | undefined
  for (let left = input.integer(), number = 1; left > 0; left--, number++) {
    const fault = (what: string) => new Error(`its pattern ${number} ${what}`)
    const members = input.ascending(memberCount, () =>
      fault(`must name some of the ${memberCount} anchor features, each once, in order`)
    )
    if (before !== undefined && comparePatterns(before, members) >= 0) throw fault('must come after the one before it')
    before = members
    const documents = input.integer()
    if (documents === 0) throw fault('has no documents')
    const wordIds = input.ascending(lexicon.words.length, () =>
      fault(`must name some of the ${lexicon.words.length} words, each once, in order`)
    )
    const wordCounts = wordIds.map(() => input.integer())
    const odd = wordCounts.find(count => count === 0 || count > documents)
    if (odd !== undefined)
      throw fault(`has ${documents} documents, so a word occurs in 1 to ${documents} of them, not in ${odd}`)
    yield {members, documents, wordIds, wordCounts}
  }
}

/** Refuses more labelled documents with or without an anchor than there are. */
function checkTotals(counts: Counts): void {
  const {lexicon, documentCount, patternCount, concepts, conceptStarts, patternDocuments, labelled} = counts
  if (!Number.isSafeInteger(documentCount)) throw new Error(`${documentCount} documents are too many to count exactly`)
  const fired = new Float64Array(lexicon.anchors.length)
  for (let p = 0; p < patternCount; p++)
    for (let at = conceptStarts[p]; at < conceptStarts[p + 1]; at++) fired[concepts[at]] += patternDocuments[p]
  for (const [i, {concept}] of lexicon.anchors.entries())
    for (const [isFired, most] of [documentCount - fired[i], fired[i]].entries()) {
      const count = labelled[4 * i + isFired] + labelled[4 * i + 2 + isFired]
      if (count > most)
        throw new Error(
          `the anchor of "${concept}" ${isFired ? 'fires' : 'does not fire'} in ${most} documents, of which ${count} cannot be labelled`
        )
    }
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
  #at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.#at = at
    this.#end = bytes.length - 4
  }

  get isAtEnd(): boolean {
    return this.#at === this.#end
  }

  integer(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      if (this.#at >= this.#end) throw cutShort()
      const byte = this.#bytes[this.#at++]
      value += (byte & 127) * scale
      if (value > Number.MAX_SAFE_INTEGER || scale > Number.MAX_SAFE_INTEGER) throw new Error('a number is too large')
      if (byte < 128) return value
    }
  }

  /** Ascending numbers below `limit`. */
  ascending(limit: number, fault: () => Error): number[] {
    const values: number[] = []
    for (let left = this.integer(); left > 0; left--) {
      const step = this.integer()
      const last = values.at(-1)
      const value = (last ?? 0) + step
      if (value >= limit || (last !== undefined && step === 0)) throw fault()
      values.push(value)
    }
    return values
  }

  take(length: number): Uint8Array {
    if (length > this.#end - this.#at) throw cutShort()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
}

function cutShort(): Error {
  return new Error('the file is cut short')
}
