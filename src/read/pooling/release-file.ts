import {AdfaError, arrayAt, type JsonObject, objectAt} from '../../base/checks/index.ts'
import {crc32} from '../../base/numeric/index.ts'
import type {CountsHeader, SiteStatement} from '../counts/index.ts'
import {lexiconFromJson, lexiconToJson} from '../data/index.ts'
import {conceptSetCount, conceptSetNumber, conceptSets} from './concept-sets.ts'
import type {Release} from './release.ts'

/**
 * The release file: readable JSON Lines, so that people can check what they release.
 *
 * The first line holds the sites and how documents are read; then one line per set of anchors, with the number of
 * documents in which all of them fired and the number of these with each word; then one per concept for its labelled
 * documents; last the number of preceding lines and their CRC-32. Withheld numbers are `[low, high]`. A word that a line
 * omits is in none of its documents, and a set of anchors without a line never fired. Equal releases give equal bytes.
 */
const FORMAT = 'adfa-release'
const RELEASE_VERSION = 1
const START = `{"format":"${FORMAT}"`

export function releaseToBytes(release: Release): Uint8Array {
  const body = [...releaseLines(release)].map(line => `${JSON.stringify(line)}\n`)
  const text = new TextEncoder().encode(body.join(''))
  const last = new TextEncoder().encode(`${JSON.stringify({lines: body.length, crc32: crc32(text)})}\n`)
  const bytes = new Uint8Array(text.length + last.length)
  bytes.set(text)
  bytes.set(last, text.length)
  return bytes
}

/** Whether the bytes begin as a release does. */
export function isReleaseFile(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, START.length)) === START
}

function* releaseLines(release: Release): Generator<object> {
  const {lexicon, labelShare, seed, protocol, maxOrder, sites, low, high, wordLow, wordHigh} = release
  const {anchors, words} = lexicon
  const n = words.length
  const header = {lexicon: lexiconToJson(lexicon), labelShare, seed, protocol}
  yield {format: FORMAT, version: RELEASE_VERSION, maxOrder, sites, ...header}
  const withWords = conceptSetCount(anchors.length, maxOrder - 1)
  for (const [at, set] of conceptSets(anchors.length, maxOrder).entries()) {
    const row: [string, number | readonly [number, number]][] = []
    for (let cell = at * n; at < withWords && cell < (at + 1) * n; cell++)
      if (wordLow[cell] !== 0 || wordHigh[cell] !== 0) row.push([words[cell % n], told(wordLow[cell], wordHigh[cell])])
    if (at > 0 && row.length === 0 && low[at] === 0 && high[at] === 0) continue
    const names = set.map(i => anchors[i].concept)
    yield {anchors: names, documents: told(low[at], high[at]), ...(at < withWords && {words: row})}
  }
  for (const [i, {concept}] of anchors.entries()) {
    const [silent, falsely, missed, fired] = release.labelled.subarray(4 * i, 4 * i + 4)
    const withheldBy = release.withheldLabels[i]
    if (silent || falsely || missed || fired || withheldBy)
      yield {labelled: concept, absent: {silent, fired: falsely}, present: {silent: missed, fired}, withheldBy}
  }
}

function told(low: number, high: number): number | readonly [number, number] {
  return low === high ? low : [low, high]
}

/** Read a release file; `where` names it in errors. */
export function releaseFromBytes(bytes: Uint8Array, where: string): Release {
  const refuse = (fault: string, remedy = 'ask its site for it again') =>
    new AdfaError('bad-counts', `${where}: ${fault}; ${remedy}`)
  if (!isReleaseFile(bytes)) throw refuse('not a release', 'give a file written by adfa count --max-order')
  const [first, ...rest] = readLines(bytes, refuse)
  const release = emptyRelease(first, refuse)
  const concepts = placesOf(release.lexicon.anchors.map(({concept}) => concept))
  const words = placesOf(release.lexicon.words)
  for (const [at, line] of rest.entries())
    try {
      if ('labelled' in line) readLabels(line, release, concepts)
      else readSet(line, release, concepts, words)
    } catch (cause) {
      throw refuse(`line ${at + 2} is invalid: ${(cause as Error).message}`)
    }
  return release
}

type Refuse = (fault: string, remedy?: string) => AdfaError

/** All lines but the last, which must match them. The version comes first, since a newer one may end differently. */
function readLines(bytes: Uint8Array, refuse: Refuse): JsonObject[] {
  const text = new TextDecoder().decode(bytes)
  const {version} = parseLine(text.slice(0, Math.max(0, text.indexOf('\n'))), refuse)
  if (typeof version === 'number' && version > RELEASE_VERSION)
    throw refuse(
      `written by a newer adfa (version ${version} of the format, this one reads ${RELEASE_VERSION})`,
      'update adfa'
    )
  const bodyEnd = bytes.lastIndexOf(10, bytes.length - 2) + 1
  const cutShort = () => refuse('the file is cut short')
  if (bytes.at(-1) !== 10) throw cutShort()
  const last = parseLine(new TextDecoder().decode(bytes.subarray(bodyEnd)), cutShort)
  if (typeof last.lines !== 'number') throw cutShort()
  const lines = new TextDecoder().decode(bytes.subarray(0, bodyEnd)).split('\n').slice(0, -1)
  if (lines.length !== last.lines || crc32(bytes.subarray(0, bodyEnd)) !== last.crc32)
    throw refuse('it was changed after it was made, or damaged in transfer (its check sum is wrong)')
  return lines.map(line => parseLine(line, refuse))
}

function parseLine(line: string, refuse: Refuse): JsonObject {
  try {
    return objectAt(JSON.parse(line), 'the line')
  } catch {
    throw refuse('a line is not a JSON object')
  }
}

/** Names to their places. */
function placesOf(names: readonly string[]): Places {
  return new Map(names.map((name, at) => [name, at]))
}

type Places = ReadonlyMap<unknown, number>

function emptyRelease(first: JsonObject, refuse: Refuse): Release {
  // The check sum is right, so this is what was written.
  const {lexicon, labelShare, seed, protocol, maxOrder, sites} = first as unknown as CountsHeader & {
    readonly maxOrder: number
    readonly sites: readonly SiteStatement[]
  }
  if (![1, 2, 3].includes(maxOrder) || !Array.isArray(sites) || sites.length === 0)
    throw refuse('its first line is invalid')
  const [m, n] = [lexicon.anchors.length, lexicon.words.length]
  const sets = () => new Float64Array(conceptSetCount(m, maxOrder))
  const words = () => new Float64Array(conceptSetCount(m, maxOrder - 1) * n)
  return {
    lexicon: lexiconFromJson(lexicon),
    labelShare,
    seed,
    ...(protocol && {protocol}),
    maxOrder,
    sites,
    low: sets(),
    high: sets(),
    wordLow: words(),
    wordHigh: words(),
    labelled: new Float64Array(4 * m),
    withheldLabels: new Uint32Array(m)
  }
}

function readSet(line: JsonObject, release: Release, concepts: Places, words: Places): void {
  const {low, high, wordLow, wordHigh, lexicon, maxOrder} = release
  const set = arrayAt(line.anchors, 'anchors', (name, place) => placeAt(concepts, name, place))
  if (set.length > maxOrder || set.some((i, at) => at > 0 && i <= set[at - 1]))
    throw new Error(`anchors must be at most ${maxOrder}, in order`)
  const at = conceptSetNumber(lexicon.anchors.length, set)
  ;[low[at], high[at]] = rangeAt(line.documents, 'documents')
  if (set.length === maxOrder) return
  arrayAt(line.words, 'words', (entry, place) => {
    const [name, number] = arrayAt(entry, place, value => value)
    const cell = at * lexicon.words.length + placeAt(words, name, place)
    ;[wordLow[cell], wordHigh[cell]] = rangeAt(number, place)
  })
}

function readLabels(line: JsonObject, {labelled, withheldLabels}: Release, concepts: Places): void {
  const i = placeAt(concepts, line.labelled, 'labelled')
  const [absent, present] = [objectAt(line.absent, 'absent'), objectAt(line.present, 'present')]
  const cells = [absent.silent, absent.fired, present.silent, present.fired]
  labelled.set(
    cells.map(cell => rangeAt(cell, 'labelled')[0]),
    4 * i
  )
  withheldLabels[i] = rangeAt(line.withheldBy, 'withheldBy')[0]
}

function placeAt(places: Places, name: unknown, place: string): number {
  const found = places.get(name)
  if (found === undefined) throw new Error(`${place} names ${JSON.stringify(name)}, which is not in the first line`)
  return found
}

/** A number, or the two ends of an interval. */
function rangeAt(value: unknown, place: string): readonly [number, number] {
  const [low, high] = Array.isArray(value) ? value : [value, value]
  if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || low > high)
    throw new Error(`${place} must be a whole number or an interval, not ${JSON.stringify(value)}`)
  return [low, high]
}
