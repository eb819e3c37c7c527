import {AdfaError, badOption, checkOptions, whole} from '../../base/checks/index.ts'
import {crc32} from '../../base/numeric/index.ts'
import {grouped, printableLine} from '../../base/text/index.ts'
import {
  type Counts,
  type CountsHeader,
  checkAlike,
  requireComplete,
  requirePatterns,
  type SiteStatement
} from '../counts/index.ts'
import {
  conceptSetCount,
  conceptSetNumber,
  eachSubset,
  type NumberPlaces,
  type NumberRange,
  numberPlaces
} from './concept-sets.ts'
import {type ReleaseRules, withholdPinned} from './withhold.ts'

export const releaseDefaults: ReleaseRules = {maxOrder: 2, minCell: 10}

/**
 * Low-order tables of one site or of several together: numbers of documents in which *all* of some anchors fired, and all
 * of some anchors with a word. Every table over at most `maxOrder` anchors and words follows by subtraction.
 *
 * An exact number has `low = high`; a withheld one lies from `low` to `high`. Numbers are whole.
 * Layout: the S sets of at most `maxOrder` concepts in the order of {@link conceptSets}, the empty one first, which holds all
 * documents and is never withheld; then numbers with word j at `S + set * n + j`, for the sets of at most `maxOrder - 1` concepts.
 */
export interface Release extends CountsHeader, NumberRange {
  readonly maxOrder: number
  readonly sites: readonly SiteStatement[]
}

/** How many numbers of a release are known only as an interval. */
export function withheldNumbers({low, high}: Release): number {
  return low.reduce((count, number, at) => count + (number === high[at] ? 0 : 1), 0)
}

export function placesOf({lexicon, maxOrder}: Pick<Release, 'lexicon' | 'maxOrder'>): NumberPlaces {
  return numberPlaces(lexicon.anchors.length, lexicon.words.length, maxOrder)
}

/** A number of a release: of documents in which the anchors of all these concepts fired, and that have the word. */
export interface ReleasedNumber {
  readonly concepts: readonly number[]
  readonly word: number | undefined
  readonly low: number
  readonly high: number
}

export function* releasedNumbers(release: Release): Generator<ReleasedNumber> {
  const {count, set, word} = placesOf(release)
  for (let place = 0; place < count; place++) {
    const j = word(place)
    const [low, high] = [release.low[place], release.high[place]]
    yield {concepts: set(place), word: j < 0 ? undefined : j, low, high}
  }
}

/** The sum of the tables of several sites, which may be sums themselves. Errors call the releases by `names`, or by their place. */
export function poolReleases(releases: readonly Release[], names?: readonly string[]): Release {
  if (releases.length === 0) throw new AdfaError('bad-counts', 'there are no releases to pool; give at least one')
  const [first] = releases
  const remedy = 'agree on anchors, words and `maxOrder`, and count again'
  checkAlike(releases, {names, kind: 'releases', remedy}, (a, b) =>
    a.maxOrder === b.maxOrder ? undefined : 'largest tables (`maxOrder`)'
  )
  const sites = releases.flatMap(release => release.sites).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const twice = sites.find((site, at) => at > 0 && site.name === sites[at - 1].name)
  if (twice !== undefined)
    throw new AdfaError(
      'mismatch',
      `site "${twice.name}" is among them twice; its documents would count twice; give each site once, or give different sites different names with \`site\``
    )
  const sum = (part: keyof NumberRange) => {
    const total = new Float64Array(first[part].length)
    for (const release of releases) for (let at = 0; at < total.length; at++) total[at] += release[part][at]
    return total
  }
  return {...first, sites, low: sum('low'), high: sum('high')}
}

export interface ReleaseOptions extends ReleaseRules {
  /** The name of the site in pooled releases; by default a fingerprint of the release. */
  readonly site: string
}

/**
 * The tables of at most `maxOrder` anchors and words, without cells of 1 to `minCell - 1` documents.
 *
 * By default tables of two, and cells from 10 on. The smaller a site, the more it withholds; a site of fewer than
 * `minCell` documents is refused. Labels are not released: rates that were learned by them can be given with the anchors.
 */
export function releaseCounts(counts: Counts, options: Partial<ReleaseOptions> = {}): Release {
  const {maxOrder = releaseDefaults.maxOrder, minCell = releaseDefaults.minCell, site} = options
  checkReleaseRules({maxOrder, minCell})
  if (site !== undefined) checkSiteName(site)
  const numbers = sumTables(counts, maxOrder)
  const [documents] = numbers
  // Of two documents nothing can be withheld: every number but 1 would be too near an end.
  const least = minCell < 2 ? 1 : Math.max(3, minCell)
  if (documents < least)
    throw new AdfaError(
      'bad-counts',
      `tables are released from ${least} documents on; there are ${minCell > 1 ? 'fewer' : documents}; count more documents`
    )
  const {seed, protocol} = counts
  // The reasons for skipped anchors contain exact numbers.
  const lexicon = {...counts.lexicon, skipped: []}
  const told = withholdPinned(counts, numbers, {maxOrder, minCell})
  const sums = [told.low, told.high].map(({buffer}) => crc32(new Uint8Array(buffer)))
  const name = site ?? `site-${crc32(new TextEncoder().encode(sums.join())).toString(16).padStart(8, '0')}`
  return {
    lexicon,
    labelShare: 0,
    seed,
    ...(protocol && {protocol}),
    maxOrder,
    sites: [{name, documents, minCell}],
    ...told
  }
}

export function checkReleaseRules(rules: ReleaseRules): void {
  const {maxOrder, minCell} = rules
  checkOptions('release', releaseDefaults, {maxOrder: whole(1, 3), minCell: whole(0)}, {maxOrder, minCell})
}

/** The name is shown in messages and reports. */
export function isSiteName(site: string): boolean {
  return site.length >= 1 && site.length <= 100 && site === site.trim() && site === printableLine(site)
}

export const siteRule = 'a name of 1 to 100 characters without control characters and space at its ends'

export function checkSiteName(site: string): void {
  if (!isSiteName(site)) throw badOption('release', 'site', siteRule, site)
}

/** More numbers than this are refused: 512 MB with their bounds. */
const MOST_NUMBERS = 2 ** 25

/** How many documents fire all anchors of each set, and have each word. Cost: per pattern, its sets times its words. */
function sumTables(counts: Counts, maxOrder: number): Float64Array {
  requirePatterns(counts, 'releasing tables')
  requireComplete(counts)
  const m = counts.lexicon.anchors.length
  checkSize(m, counts.lexicon.words.length, maxOrder)
  const {count, rowOf} = placesOf({...counts, maxOrder})
  const numbers = new Float64Array(count)
  for (let p = 0; p < counts.patternCount; p++) {
    const fired = counts.concepts.subarray(counts.conceptStarts[p], counts.conceptStarts[p + 1])
    const [from, to] = [counts.wordStarts[p], counts.wordStarts[p + 1]]
    eachSubset([...fired], maxOrder, set => {
      const at = conceptSetNumber(m, set)
      numbers[at] += counts.patternDocuments[p]
      if (set.length === maxOrder) return
      const row = rowOf(at)
      for (let w = from; w < to; w++) numbers[row + counts.wordIds[w]] += counts.wordCounts[w]
    })
  }
  return numbers
}

export function checkSize(m: number, n: number, order: number): void {
  const size = conceptSetCount(m, order) + conceptSetCount(m, order - 1) * n
  if (size <= MOST_NUMBERS) return
  throw new AdfaError(
    'bad-option',
    `tables of ${order} of ${m} anchors and ${n} words have ${grouped(size)} numbers; at most ` +
      `${grouped(MOST_NUMBERS)} are released; use a smaller \`maxOrder\`, or fewer words or concepts`
  )
}
