import {AdfaError, badOption, checkOptions, whole} from '../../base/checks/index.ts'
import {crc32} from '../../base/numeric/index.ts'
import {grouped, printableLine} from '../../base/text/index.ts'
import {type Counts, requireComplete, requirePatterns} from '../counts/index.ts'
import {conceptSetCount, conceptSetNumber, eachSubset, type NumberRange} from './concept-sets.ts'
import {placesOf, type Release, type ReleaseRules, releaseDefaults} from './release.ts'
import {withholdPinned} from './withhold-pinned.ts'

export interface ReleaseOptions extends ReleaseRules {
  /** The name of the site in pooled releases; by default a fingerprint of the release. */
  readonly site: string
}

/**
 * The tables of at most `maxOrder` anchors and words, without cells of 1 to `minCell - 1` documents.
 *
 * By default tables of two, and cells from 10 on. The smaller a site, the more it withholds; a site of fewer than
 * `minCell` documents is refused. Labelled documents of a concept are one more table.
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
  const {labelShare, seed, protocol} = counts
  // The reasons for skipped anchors contain exact numbers.
  const lexicon = {...counts.lexicon, skipped: []}
  const told = withholdPinned(counts, numbers, {maxOrder, minCell})
  const name = site ?? fingerprint(told, conceptSetCount(lexicon.anchors.length, maxOrder))
  return {
    lexicon,
    labelShare,
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

/** Hashes the bounds of the sets of concepts, then those of sets with words. */
function fingerprint({low, high}: NumberRange, sets: number): string {
  const parts = [low.subarray(0, sets), high.subarray(0, sets), low.subarray(sets), high.subarray(sets)]
  const sums = parts.map(({buffer, byteOffset, byteLength}) => crc32(new Uint8Array(buffer, byteOffset, byteLength)))
  return `site-${crc32(new TextEncoder().encode(sums.join())).toString(16).padStart(8, '0')}`
}

/** More numbers than this are refused: 512 MB with their bounds. */
const MOST_NUMBERS = 2 ** 25

/**
 * Documents in which all anchors of each set of at most `maxOrder` concepts fired, and all of at most `maxOrder - 1` with a word.
 * Cost: per pattern, its sets times its words.
 */
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
