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
import {type Counts, type CountsHeader, CountsWriter, compareRows, firedDocuments, requirePatterns} from './counts.ts'
import {ByteReader, ByteWriter} from './pattern-bytes.ts'
import {shardsAt} from './shards.ts'

/**
 * The counts file: 8 bytes of magic, then version, header (JSON in UTF-8, its length first), patterns and labels as
 * variable-length integers, and the CRC-32 of everything before in the last 4 bytes, least significant first.
 * Equal counts give equal bytes.
 */
const MAGIC = 'ADFACNT\n'
const VERSION = 3

export function countsToBytes(counts: Counts): Uint8Array {
  requirePatterns(counts, 'a counts file')
  const {lexicon, labelShare, seed, shards, protocol, members, memberStarts, wordStarts, wordIds, wordCounts} = counts
  const out = new ByteWriter()
  out.append(new TextEncoder().encode(MAGIC))
  out.integer(VERSION)
  const header = new TextEncoder().encode(
    JSON.stringify({lexicon: lexiconToJson(lexicon), labelShare, seed, shards, protocol})
  )
  out.integer(header.length)
  out.append(header)
  out.integer(counts.patternCount)
  for (let p = 0; p < counts.patternCount; p++) {
    out.ascending(members, memberStarts[p], memberStarts[p + 1])
    out.integer(counts.patternDocuments[p])
    out.ascending(wordIds, wordStarts[p], wordStarts[p + 1])
    out.integers(wordCounts, wordStarts[p], wordStarts[p + 1])
  }
  out.integers(counts.labelled, 0, counts.labelled.length)
  const sum = crc32(out.values.subarray(0, out.length))
  out.append(Uint8Array.of(sum & 0xff, (sum >>> 8) & 0xff, (sum >>> 16) & 0xff, sum >>> 24))
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
  const body = bytes.subarray(0, Math.max(MAGIC.length, bytes.length - 4))
  const input = new ByteReader(body, MAGIC.length)
  let place = ''
  try {
    const version = input.integer()
    if (version !== VERSION)
      throw refuse(
        `version ${version} of the format, and this adfa reads version ${VERSION}`,
        version > VERSION ? 'update adfa' : 'count the documents again'
      )
    const sum = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4, 4).getUint32(0, true)
    if (crc32(body) !== sum) throw refuse('the file is damaged or cut short (its check sum is wrong)', again)
    place = 'its header is not valid JSON: '
    const json = parseJson(new TextDecoder('utf-8', {fatal: true}).decode(input.take(input.integer())))
    place = ''
    const stored = objectAt(json, 'its header')
    const {shards} = stored
    const header = {...headerFromJson(stored), ...(shards !== undefined && {shards: shardsAt(shards)})}
    // A cell takes at least two bytes.
    const writer = new CountsWriter(header, Math.ceil(bytes.length / 2))
    readPatterns(input, header, writer)
    const counts = writer.finish(Float64Array.from({length: 4 * header.lexicon.anchors.length}, () => input.integer()))
    if (!input.isAtEnd) throw new Error('there is more behind its last number')
    checkTotals(counts)
    return counts
  } catch (cause) {
    if (cause instanceof AdfaError && cause.code === 'bad-counts') throw cause
    throw refuse(`${place}${(cause as Error).message}`, again)
  }
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

/** Copy the patterns, and check each: its members and words exist, each once, in order, with possible counts. */
function readPatterns(input: ByteReader, {lexicon}: CountsHeader, writer: CountsWriter): void {
  const members = new Uint32Array(lexicon.anchors.flatMap(({any}) => any).length)
  const ids = new Uint32Array(lexicon.words.length)
  const patternCount = input.integer()
  for (let pattern = 1; pattern <= patternCount; pattern++) {
    const fault = (what: string) => new Error(`its pattern ${pattern} ${what}`)
    const memberCount = input.ascending(members)
    if (memberCount === undefined)
      throw fault(`must name some of the ${members.length} anchor features, each once, in order`)
    const documents = input.integer()
    if (documents === 0) throw fault('has no documents')
    const wordCount = input.ascending(ids)
    if (wordCount === undefined) throw fault(`must name some of the ${ids.length} words, each once, in order`)
    for (let at = 0; at < wordCount; at++) {
      const count = input.integer()
      if (count === 0 || count > documents)
        throw fault(`has ${documents} documents, so a word occurs in 1 to ${documents} of them, not in ${count}`)
      writer.addWord(ids[at], count)
    }
    writer.endPattern(members, 0, memberCount, documents)
  }
}

/** Refuses patterns that are not in order, and more labelled documents with or without an anchor than there are. */
function checkTotals(counts: Counts): void {
  const {documentCount, labelled, lexicon, patternCount, patternDocuments} = counts
  for (let p = 1; p < patternCount; p++)
    if (compareRows(counts, p - 1, counts, p) >= 0)
      throw new Error(`its pattern ${p + 1} must come after the one before it`)
  if (!Number.isSafeInteger(documentCount)) throw new Error(`${documentCount} documents are too many to count exactly`)
  const fired = firedDocuments(counts, patternDocuments)
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
