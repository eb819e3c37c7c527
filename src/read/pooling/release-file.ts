import {
  AdfaError,
  arrayAt,
  distinctAt,
  type JsonObject,
  objectAt,
  parseJson,
  shownValue,
  textAt,
  wholeAt
} from '../../base/checks/index.ts'
import {crc32} from '../../base/numeric/index.ts'
import {headerFromJson, type SiteStatement} from '../counts/index.ts'
import {lexiconToJson} from '../data/index.ts'
import {eachNumber, type NumberPlaces} from './concept-sets.ts'
import {checkSize, isSiteName, placesOf, type Release, siteRule} from './release.ts'
import {NumberBounds} from './withhold.ts'

/**
 * The release file: readable JSON Lines, so that people can check what they release.
 *
 * The first line holds the sites and how documents are read; then one line per set of anchors, with the number of
 * documents in which all of them fired and the number of these with each word; last the number of preceding lines and their CRC-32. Withheld numbers are `[low, high]`. A word that a line
 * omits is in none of its documents, and a set of anchors without a line never fired. Equal releases give equal bytes.
 */
const FORMAT = 'adfa-release'
const RELEASE_VERSION = 3
const START = `{"format":"${FORMAT}"`

export function releaseToBytes(release: Release): Uint8Array {
  const body = Array.from(releaseLines(release), line => `${JSON.stringify(line)}\n`)
  const text = body.join('')
  const last = {lines: body.length, crc32: crc32(new TextEncoder().encode(text))}
  return new TextEncoder().encode(`${text}${JSON.stringify(last)}\n`)
}

export function isReleaseFile(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, START.length)) === START
}

function* releaseLines(release: Release): Generator<object> {
  const {lexicon, labelShare, seed, protocol, maxOrder, sites, low, high} = release
  const {anchors, words} = lexicon
  const header = {lexicon: lexiconToJson(lexicon), labelShare, seed, protocol}
  yield {format: FORMAT, version: RELEASE_VERSION, maxOrder, sites, ...header}
  const {sets, rowOf} = placesOf(release)
  const isNever = (place: number) => low[place] === 0 && high[place] === 0
  for (const [at, set] of sets.entries()) {
    const hasWords = set.length < maxOrder
    const row = words.flatMap((word, j) => {
      const place = rowOf(at) + j
      return hasWords && !isNever(place) ? [[word, told(low[place], high[place])]] : []
    })
    if (at > 0 && row.length === 0 && isNever(at)) continue
    const names = set.map(i => anchors[i].concept)
    yield {anchors: names, documents: told(low[at], high[at]), ...(hasWords && {words: row})}
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
  const lines = new TextDecoder().decode(bytes).split('\n')
  let place = 'the file is cut short: '
  try {
    const first = objectAt(parseJson(lines[0]), 'its first line')
    // A newer version may end otherwise.
    if (first.version !== RELEASE_VERSION)
      throw refuse(
        `version ${shownValue(first.version)} of the format, and this adfa reads version ${RELEASE_VERSION}`,
        Number(first.version) > RELEASE_VERSION ? 'update adfa' : 'release the counts again'
      )
    place = ''
    checkEnd(bytes, lines)
    place = 'its first line is invalid: '
    const release = emptyRelease(first)
    const numbersOf = (names: readonly string[]): Names => new Map(names.map((name, at) => [name, at]))
    const concepts = numbersOf(release.lexicon.anchors.map(({concept}) => concept))
    const words = numbersOf(release.lexicon.words)
    const places = placesOf(release)
    const seen = new Set<string>()
    for (const [at, text] of lines.slice(1, -2).entries()) {
      place = `line ${at + 2} is invalid: `
      const line = objectAt(parseJson(text), 'the line')
      const name = JSON.stringify(line.anchors)
      if (seen.size === seen.add(name).size) throw new Error(`${name} has a line already`)
      readSet(line, release, concepts, words, places)
    }
    place = ''
    checkNumbers(release, places)
    return release
  } catch (cause) {
    if (cause instanceof AdfaError && cause.code === 'bad-counts') throw cause
    throw refuse(`${place}${(cause as Error).message}`)
  }
}

/** The last line must match those before it, which end where it begins. */
function checkEnd(bytes: Uint8Array, lines: readonly string[]): void {
  const [, count, sum] = /^\{"lines":(\d+),"crc32":(\d+)\}$/.exec(lines[lines.length - 2]) ?? []
  if (count === undefined || lines[lines.length - 1] !== '') throw new Error('the file is cut short')
  const body = bytes.subarray(0, bytes.lastIndexOf(10, bytes.length - 2) + 1)
  if (Number(count) !== lines.length - 2 || crc32(body) !== Number(sum))
    throw new Error('it was changed after it was made, or damaged in transfer (its check sum is wrong)')
}

type Names = ReadonlyMap<unknown, number>

function emptyRelease(first: JsonObject): Release {
  const header = headerFromJson(first)
  const maxOrder = wholeAt(first.maxOrder, 'maxOrder', 1)
  if (maxOrder > 3) throw new Error(`maxOrder must be 1, 2 or 3, not ${maxOrder}`)
  const sites = arrayAt(first.sites, 'sites', siteAt)
  if (sites.length === 0) throw new Error('sites must name at least one')
  const names = sites.map(({name}) => name)
  distinctAt(names, 'sites')
  const [m, n] = [header.lexicon.anchors.length, header.lexicon.words.length]
  checkSize(m, n, maxOrder)
  const {count} = placesOf({...header, maxOrder})
  return {...header, maxOrder, sites, low: new Float64Array(count), high: new Float64Array(count)}
}

function siteAt(value: unknown, place: string): SiteStatement {
  const {name, documents, minCell} = objectAt(value, place)
  const site = textAt(name, `${place}.name`)
  if (!isSiteName(site)) throw new Error(`${place}.name must be ${siteRule}, not ${shownValue(site)}`)
  return {
    name: site,
    documents: wholeAt(documents, `${place}.documents`),
    minCell: wholeAt(minCell, `${place}.minCell`)
  }
}

/** Refuses numbers that no documents can have, given those of their smaller tables. */
function checkNumbers(release: Release, places: NumberPlaces): void {
  const {lexicon, sites, low, high} = release
  const documents = sites.reduce((sum, site) => sum + site.documents, 0)
  if (low[0] !== documents || high[0] !== documents)
    throw new Error(`its sites have ${documents} documents, its tables ${told(low[0], high[0])}`)
  const bounds = new NumberBounds()
  eachNumber(places, release, (k, lows, highs, place) => {
    const full = 2 ** k - 1
    bounds.read(k, lows, highs)
    const isPossible = lows[full] <= bounds.high && highs[full] >= bounds.low
    if (isPossible && lows[full] >= 0 && highs[full] <= documents) return
    const word = lexicon.words[places.word(place)]
    throw new Error(
      `the anchors ${JSON.stringify(places.set(place).map(i => lexicon.anchors[i].concept))} cannot fire ` +
        `${word === undefined ? '' : `with the word ${shownValue(word)} `}in ${shownValue(told(lows[full], highs[full]))} ` +
        `of ${documents} documents, by its smaller tables`
    )
  })
}

function readSet(line: JsonObject, {low, high}: Release, concepts: Names, words: Names, places: NumberPlaces): void {
  const {maxOrder} = places
  const set = arrayAt(line.anchors, 'anchors', (name, place) => placeAt(concepts, name, place))
  if (set.length > maxOrder || set.some((i, at) => at > 0 && i <= set[at - 1]))
    throw new Error(`anchors must be at most ${maxOrder}, in order`)
  const at = places.of(set, -1)
  ;[low[at], high[at]] = rangeAt(line.documents, 'documents')
  if (set.length === maxOrder) return
  const named = arrayAt(line.words, 'words', (entry, place) => {
    const [name, number] = arrayAt(entry, place, value => value)
    const cell = places.of(set, placeAt(words, name, place))
    ;[low[cell], high[cell]] = rangeAt(number, place)
    return name
  })
  distinctAt(named, 'words')
}

function placeAt(names: Names, name: unknown, place: string): number {
  const found = names.get(name)
  if (found === undefined) throw new Error(`${place} names ${shownValue(name)}, which is not in the first line`)
  return found
}

function rangeAt(value: unknown, place: string): readonly [number, number] {
  const [low, high] = Array.isArray(value) ? value : [value, value]
  if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || low > high)
    throw new Error(`${place} must be a whole number or an interval, not ${shownValue(value)}`)
  return [low, high]
}
