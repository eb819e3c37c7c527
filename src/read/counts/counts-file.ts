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
import {lexiconFromJson, lexiconToJson} from '../data/index.ts'
import {type CompactCounts, compactCounts, countsOfRun} from './compact-counts.ts'
import {type Counts, type CountsHeader, CountsWriter} from './counts.ts'
import {
  ByteReader,
  ByteWriter,
  compareMembers,
  createWordList,
  PatternReader,
  sizesOf,
  type WordList
} from './pattern-bytes.ts'
import {bytesOf, ownMemory, RunWriter} from './runs.ts'
import {isShards} from './shards.ts'

/**
 * The counts file: 8 bytes of magic, then version, header (JSON in UTF-8, its length first), patterns and labels as
 * variable-length integers, and the CRC-32 of everything before in the last 4 bytes, least significant first.
 * Equal counts give equal bytes.
 * Counts of some shards of a job are version 2, so that readers without support for shards refuse them.
 */
const MAGIC = 'ADFACNT\n'
const VERSION = 2

/** The counts file, part after part. */
export function* countsFileParts(counts: CompactCounts): Generator<Uint8Array> {
  const {lexicon, labelShare, seed, shards, protocol, run, store} = counts
  const head = new ByteWriter()
  head.bytes(new TextEncoder().encode(MAGIC))
  head.integer(shards === undefined ? 1 : 2)
  const header = new TextEncoder().encode(
    JSON.stringify({lexicon: lexiconToJson(lexicon), labelShare, seed, shards, protocol})
  )
  head.integer(header.length)
  head.bytes(header)
  head.integer(counts.patternCount)
  yield head.written()
  let sum = crc32(head.written())
  for (const piece of run) {
    const bytes = bytesOf(piece, store)
    sum = crc32(bytes, sum)
    yield bytes
  }
  const tail = new ByteWriter()
  for (const count of counts.labelled) tail.integer(count)
  sum = crc32(tail.written(), sum)
  tail.bytes(Uint8Array.of(sum & 0xff, (sum >>> 8) & 0xff, (sum >>> 16) & 0xff, sum >>> 24))
  yield tail.written()
}

export function countsToBytes(counts: Counts): Uint8Array {
  const out = new ByteWriter()
  for (const part of countsFileParts(compactCounts(counts))) out.bytes(part)
  return out.values.slice(0, out.length)
}

/** Read a counts file; `where` names it in errors. All of it is checked: a right check sum shows only who wrote it last. */
export function countsFromBytes(bytes: Uint8Array, where: string): Counts {
  return readCountsFile(bytes, where, header => {
    // A cell takes at least two bytes.
    const writer = new CountsWriter(header, Math.ceil(bytes.length / 2))
    return {
      add: (pattern, list, words) => writer.append(pattern, list, words),
      finish: labelled => writer.finish(labelled)
    }
  })
}

/** {@link countsFromBytes} that keeps the patterns as they are in the file. */
export function compactFromBytes(bytes: Uint8Array, where: string): CompactCounts {
  return readCountsFile(bytes, where, header => {
    const writer = new RunWriter(ownMemory)
    return {
      add: (pattern, _list, _words, from, to) => writer.copy(pattern, bytes.subarray(from, to)),
      finish: labelled => countsOfRun(header, writer.finish(), labelled)
    }
  })
}

/** Takes the patterns of a file: each as read, with this many words of the list, and from which byte to which it is. */
interface PatternSink<T> {
  add(pattern: PatternReader, list: WordList, words: number, from: number, to: number): void
  finish(labelled: Float64Array): T
}

function readCountsFile<T>(bytes: Uint8Array, where: string, sinkOf: (header: CountsHeader) => PatternSink<T>): T {
  const refuse = (what: string, remedy: string) => new AdfaError('bad-counts', `${where}: ${what}; ${remedy}`)
  const again = 'make it again with adfa count'
  if (!isCountsFile(bytes)) {
    const kind = fileKind(new TextDecoder('latin1').decode(bytes.subarray(0, 100)))
    const remedy = 'give a file written by adfa count'
    throw refuse('not a counts file', kind === undefined ? remedy : `it holds ${kind}; ${remedy}`)
  }
  const input = new ByteReader(bytes, MAGIC.length, bytes.length - 4)
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
    const sink = sinkOf(header)
    const fired = readPatterns(input, header, sink)
    const labelled = new Float64Array(4 * header.lexicon.anchors.length)
    input.integers(labelled, labelled.length)
    if (!input.isAtEnd) throw new Error('there is more behind its last number')
    checkTotals(header, fired, labelled)
    return sink.finish(labelled)
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

/** Documents, and those in which the anchor of each concept fires. */
interface Fired {
  documentCount: number
  readonly documents: Float64Array
}

/** Hand on the patterns, which must come in order. */
function readPatterns<T>(input: ByteReader, {lexicon}: CountsHeader, sink: PatternSink<T>): Fired {
  const fired: Fired = {documentCount: 0, documents: new Float64Array(lexicon.anchors.length)}
  const conceptOf = lexicon.anchors.flatMap(({any}, concept) => any.map(() => concept))
  const sizes = sizesOf(lexicon)
  const pattern = new PatternReader(sizes)
  const list = createWordList(sizes)
  const before = {members: pattern.members.slice(), memberCount: -1}
  for (let left = input.integer(); left > 0; left--) {
    const from = input.at
    pattern.next(input)
    const {members, memberCount, documents} = pattern
    if (compareMembers(before, pattern) >= 0) throw pattern.fault('must come after the one before it')
    before.members.set(members)
    before.memberCount = memberCount
    const words = pattern.words(input, list)
    sink.add(pattern, list, words, from, input.at)
    fired.documentCount += documents
    for (let at = 0; at < memberCount; at++)
      if (at === 0 || conceptOf[members[at]] !== conceptOf[members[at - 1]])
        fired.documents[conceptOf[members[at]]] += documents
  }
  return fired
}

/** Refuses more labelled documents with or without an anchor than there are. */
function checkTotals({lexicon}: CountsHeader, {documentCount, documents}: Fired, labelled: Float64Array): void {
  if (!Number.isSafeInteger(documentCount)) throw new Error(`${documentCount} documents are too many to count exactly`)
  for (const [i, {concept}] of lexicon.anchors.entries())
    for (const [isFired, most] of [documentCount - documents[i], documents[i]].entries()) {
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
