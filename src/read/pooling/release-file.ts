import {AdfaError} from '../../base/checks/index.ts'
import {crc32} from '../../base/numeric/index.ts'
import type {CountsHeader, SiteStatement} from '../counts/index.ts'
import {textFromJson, textToJson} from '../data/index.ts'
import {conceptSetCount, conceptSetNumber, conceptSets} from './concept-sets.ts'
import type {Release} from './release.ts'

/**
 * The release file: JSON Lines that people can read, for they must be able to see what leaves the house.
 *
 * The first line says how the documents were read and by which sites; then comes one line for each set of anchors, with the
 * number of documents where all of them fired and the number of these with each word; then one for the labelled documents of
 * each concept; last the number of lines before it and their CRC-32. Withheld numbers are `[low, high]`. A word that a line
 * does not name is in none of its documents, and a set of anchors without a line never fired. Equal releases give equal bytes.
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

/** Whether the bytes begin like a release. */
export function isReleaseFile(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, START.length)) === START
}

function* releaseLines(release: Release): Generator<object> {
  const {lexicon, labelShare, seed, protocol, maxOrder, sites, low, high, wordLow, wordHigh} = release
  const {anchors, words} = lexicon
  const n = words.length
  const header = {lexicon: {...lexicon, text: textToJson(lexicon.text)}, labelShare, seed, protocol}
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
  const {first, rest} = readLines(bytes, refuse)
  const release = emptyRelease(first, refuse)
  const places = {
    concept: placeOf(release.lexicon.anchors.map(({concept}) => concept)),
    word: placeOf(release.lexicon.words)
  }
  for (const [at, line] of rest.entries()) {
    const unreadable = () => refuse(`line ${at + 2} makes no sense`)
    if ('labelled' in line) readLabels(line, release, places, unreadable)
    else readSet(line, release, places, unreadable)
  }
  return release
}

type Refuse = (fault: string, remedy?: string) => AdfaError
type Line = Readonly<Record<string, unknown>>

/** The lines but the last, which must be right about them; the version first, for a newer one may end otherwise. */
function readLines(bytes: Uint8Array, refuse: Refuse): {readonly first: Line; readonly rest: readonly Line[]} {
  const parse = (line: string) => parseLine(line) ?? refuseLine(refuse)
  const text = new TextDecoder().decode(bytes)
  const first = parse(text.slice(0, Math.max(0, text.indexOf('\n'))))
  if (typeof first.version === 'number' && first.version > RELEASE_VERSION)
    throw refuse(
      `written by a newer adfa (version ${first.version} of the format, this one reads ${RELEASE_VERSION})`,
      'update adfa'
    )
  const bodyEnd = bytes.lastIndexOf(10, bytes.length - 2) + 1
  const last = bytes.at(-1) === 10 ? parseLine(new TextDecoder().decode(bytes.subarray(bodyEnd))) : undefined
  if (typeof last?.lines !== 'number') throw refuse('the file is cut short')
  const lines = new TextDecoder().decode(bytes.subarray(0, bodyEnd)).split('\n').slice(0, -1)
  if (lines.length !== last.lines || crc32(bytes.subarray(0, bodyEnd)) !== last.crc32)
    throw refuse('it was changed after it was made, or damaged on its way (its check sum is wrong)')
  return {first, rest: lines.slice(1).map(parse)}
}

function refuseLine(refuse: Refuse): never {
  throw refuse('a line is not JSON')
}

function parseLine(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? {...value} : undefined
  } catch {
    return undefined
  }
}

/** Names to their places, whatever the names are. */
function placeOf(names: readonly string[]): ReadonlyMap<unknown, number> {
  return new Map(names.map((name, at) => [name, at]))
}

interface Places {
  readonly concept: ReadonlyMap<unknown, number>
  readonly word: ReadonlyMap<unknown, number>
}

function emptyRelease(first: Line, refuse: Refuse): Release {
  // The check sum is right, so that this is what was written.
  const {lexicon, labelShare, seed, protocol, maxOrder, sites} = first as unknown as CountsHeader & {
    readonly maxOrder: number
    readonly sites: readonly SiteStatement[]
  }
  if (![1, 2, 3].includes(maxOrder) || !Array.isArray(sites) || sites.length === 0)
    throw refuse('its first line makes no sense')
  const [m, n] = [lexicon.anchors.length, lexicon.words.length]
  const sets = () => new Float64Array(conceptSetCount(m, maxOrder))
  const words = () => new Float64Array(conceptSetCount(m, maxOrder - 1) * n)
  return {
    // JSON has no undefined: an absent filter or rate comes back as a missing key.
    lexicon: {
      ...lexicon,
      text: textFromJson(lexicon.text),
      filter: lexicon.filter,
      anchors: lexicon.anchors.map(anchor => ({...anchor, rates: anchor.rates}))
    },
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

function readSet(line: Line, release: Release, {concept, word}: Places, refuse: () => AdfaError): void {
  const {low, high, wordLow, wordHigh, lexicon, maxOrder} = release
  const set = listOf(line.anchors, refuse).map(name => concept.get(name) ?? -1)
  const isSet = set.length <= maxOrder && set.every((i, at) => i >= 0 && (at === 0 || i > set[at - 1]))
  if (!isSet) throw refuse()
  const at = conceptSetNumber(lexicon.anchors.length, set)
  ;[low[at], high[at]] = numberOf(line.documents, refuse)
  if (set.length === maxOrder) return
  for (const entry of listOf(line.words, refuse)) {
    const [name, number] = listOf(entry, refuse)
    const j = word.get(name)
    if (j === undefined) throw refuse()
    const cell = at * lexicon.words.length + j
    ;[wordLow[cell], wordHigh[cell]] = numberOf(number, refuse)
  }
}

function readLabels(line: Line, {labelled, withheldLabels}: Release, {concept}: Places, refuse: () => AdfaError): void {
  const i = concept.get(line.labelled)
  const [absent, present] = [line.absent, line.present].map(side =>
    typeof side === 'object' && side !== null ? ({...side} as Line) : {}
  )
  const cells = [absent.silent, absent.fired, present.silent, present.fired].map(cell => numberOf(cell, refuse)[0])
  if (i === undefined) throw refuse()
  labelled.set(cells, 4 * i)
  withheldLabels[i] = numberOf(line.withheldBy, refuse)[0]
}

function listOf(value: unknown, refuse: () => AdfaError): readonly unknown[] {
  if (!Array.isArray(value)) throw refuse()
  return value
}

/** A number, or the two ends of an interval. */
function numberOf(value: unknown, refuse: () => AdfaError): [number, number] {
  const [low, high] = Array.isArray(value) ? value : [value, value]
  if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || low > high) throw refuse()
  return [low, high]
}
