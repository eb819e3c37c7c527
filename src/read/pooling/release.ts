import {AdfaError} from '../../base/checks/index.ts'
import {type CountsHeader, checkAlike, type SiteStatement} from '../counts/index.ts'
import {type NumberPlaces, type NumberRange, numberPlaces} from './concept-sets.ts'

export interface ReleaseRules {
  /** The largest number of anchors and words in a table: 1, 2 or 3. */
  readonly maxOrder: number
  /** Tables with a cell of 1 to `minCell - 1` documents are withheld; 0: none. */
  readonly minCell: number
}

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
  /** Ascending by name. */
  readonly sites: readonly SiteStatement[]
  /** Labelled documents per concept, cell `4*i + 2*y + a`, of the sites that did not withhold them. */
  readonly labelled: Float64Array
  /** How many sites withheld the labelled documents of each concept. */
  readonly withheldLabels: Uint32Array
}

/** How many numbers of a release are known only as an interval. */
export function withheldNumbers({low, high}: Release): number {
  return low.reduce((count, number, at) => count + (number === high[at] ? 0 : 1), 0)
}

/** The layout of the numbers. */
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

/** The numbers in the order of their places. */
export function* releasedNumbers(release: Release): Generator<ReleasedNumber> {
  const {count, set, word} = placesOf(release)
  for (let place = 0; place < count; place++) {
    const j = word(place)
    const [low, high] = [release.low[place], release.high[place]]
    yield {concepts: set(place), word: j < 0 ? undefined : j, low, high}
  }
}

/**
 * The tables of several sites together: numbers add up, and so do the ends of intervals. The order does not matter, pools
 * can be pooled again, and no site may occur twice. Errors call the releases by `names`, or by their place.
 */
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
  const sum = (part: keyof NumberRange | 'labelled') => {
    const total = new Float64Array(first[part].length)
    for (const release of releases) for (let at = 0; at < total.length; at++) total[at] += release[part][at]
    return total
  }
  return {
    ...first,
    sites,
    low: sum('low'),
    high: sum('high'),
    labelled: sum('labelled'),
    withheldLabels: first.withheldLabels.map((_, i) => releases.reduce((all, part) => all + part.withheldLabels[i], 0))
  }
}
