import {AdfaError} from '../../base/checks/index.ts'
import {crc32} from '../../base/numeric/index.ts'
import {type Counts, type NoisePart, type NoiseStatement, requireComplete, requirePatterns} from '../counts/index.ts'
import {conceptSetCount, conceptSetNumber, type NumberRange} from './concept-sets.ts'
import {type Release, type ReleaseRules, releaseDefaults} from './release.ts'
import {withholdLabels, withholdSmall} from './withhold-small.ts'

/** Noise that is added to every number before small ones are withheld, and what it promises. */
export interface ReleaseNoise {
  readonly statement: NoiseStatement
  /** A whole number each time, of the size that numbers of this kind need. */
  draw(part: NoisePart['name']): number
}

export interface ReleaseOptions extends ReleaseRules {
  /** The name of the site, in the releases of several together; by default a fingerprint of what is released. */
  readonly site: string
  readonly noise: ReleaseNoise
}

/**
 * The tables of at most `maxOrder` anchors and words, without cells of 1 to `minCell - 1` documents.
 *
 * By default tables of two and cells from 10 on. The smaller a site, the more it withholds; a site of fewer than `minCell`
 * documents has nothing to release and is refused. Labelled documents of a concept are one table more.
 */
export function releaseCounts(counts: Counts, options: Partial<ReleaseOptions> = {}): Release {
  const {maxOrder = releaseDefaults.maxOrder, minCell = releaseDefaults.minCell, site, noise} = options
  checkReleaseRules({maxOrder, minCell})
  if (site !== undefined) checkSiteName(site)
  const exact = sumTables(counts, maxOrder)
  const numbers = noise === undefined ? exact : withNoise(exact, counts.labelShare > 0, noise)
  const [documents] = numbers.sets
  if (documents < Math.max(1, minCell))
    throw new AdfaError(
      'bad-counts',
      `tables are released from ${Math.max(1, minCell)} documents on; ${minCell > 1 ? 'there are fewer' : `there are ${documents}`}; count more documents`
    )
  const {labelShare, seed, protocol} = counts
  // The reasons why anchors were left out have exact numbers in them.
  const lexicon = {...counts.lexicon, skipped: []}
  const shape = {concepts: lexicon.anchors.length, words: lexicon.words.length, maxOrder}
  const told = withholdSmall(numbers, shape, minCell)
  const name = site ?? fingerprint(told)
  return {
    lexicon,
    labelShare,
    seed,
    ...(protocol && {protocol}),
    maxOrder,
    sites: [{name, documents, minCell, ...(noise && {noise: noise.statement})}],
    ...told,
    ...withholdLabels(numbers.labelled, minCell)
  }
}

export function checkReleaseRules({maxOrder, minCell}: ReleaseRules): void {
  if (![1, 2, 3].includes(maxOrder))
    throw new AdfaError('bad-option', `--max-order is 1, 2 or 3 anchors and words a table; got ${maxOrder}`)
  if (!Number.isSafeInteger(minCell) || minCell < 0)
    throw new AdfaError('bad-option', `--min-cell is a whole number of documents, 0 for no limit; got ${minCell}`)
}

/** A site's name is shown in messages and reports. */
export function checkSiteName(site: string): void {
  if (site.length >= 1 && site.length <= 100 && site === site.trim() && !/\p{Cc}/u.test(site)) return
  throw new AdfaError(
    'bad-option',
    `--site is the name of the site: 1 to 100 characters without space at its ends; got ${JSON.stringify(site)}`
  )
}

function withNoise({sets, words, labelled}: TableNumbers, hasLabels: boolean, {draw}: ReleaseNoise): TableNumbers {
  const noisy = (numbers: Float64Array, part: NoisePart['name']) => numbers.map(number => number + draw(part))
  return {
    sets: noisy(sets, 'anchors'),
    words: noisy(words, 'words'),
    labelled: hasLabels ? noisy(labelled, 'labels') : labelled
  }
}

function fingerprint({low, high, wordLow, wordHigh}: NumberRange): string {
  const sums = [low, high, wordLow, wordHigh].map(({buffer, byteOffset, byteLength}) =>
    crc32(new Uint8Array(buffer, byteOffset, byteLength))
  )
  return `site-${crc32(new TextEncoder().encode(sums.join())).toString(16).padStart(8, '0')}`
}

/** The exact numbers of a {@link Release}, before anything is withheld, in its layout. */
export interface TableNumbers {
  readonly sets: Float64Array
  readonly words: Float64Array
  readonly labelled: Float64Array
}

/** More numbers than this are refused: 512 MB with their bounds. */
const MOST_NUMBERS = 2 ** 25

/**
 * In how many documents all anchors of each set of at most `order` concepts fired, and all of at most `order - 1` with a word.
 * Cost: for every pattern, its sets times its words.
 */
function sumTables(counts: Counts, order: number): TableNumbers {
  requirePatterns(counts, 'releasing tables')
  requireComplete(counts)
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  checkSize(m, n, order)
  const sets = new Float64Array(conceptSetCount(m, order))
  const words = new Float64Array(conceptSetCount(m, order - 1) * n)
  for (let p = 0; p < counts.patternCount; p++) {
    const fired = counts.concepts.subarray(counts.conceptStarts[p], counts.conceptStarts[p + 1])
    const [from, to] = [counts.wordStarts[p], counts.wordStarts[p + 1]]
    eachSubset([...fired], order, set => {
      const at = conceptSetNumber(m, set)
      sets[at] += counts.patternDocuments[p]
      if (set.length === order) return
      for (let w = from; w < to; w++) words[at * n + counts.wordIds[w]] += counts.wordCounts[w]
    })
  }
  return {sets, words, labelled: counts.labelled.slice()}
}

function eachSubset(fired: readonly number[], order: number, visit: (set: readonly number[]) => void): void {
  const grow = (set: readonly number[], next: number): void => {
    visit(set)
    if (set.length < order) for (let at = next; at < fired.length; at++) grow([...set, fired[at]], at + 1)
  }
  grow([], 0)
}

function checkSize(m: number, n: number, order: number): void {
  const size = conceptSetCount(m, order) + conceptSetCount(m, order - 1) * n
  if (size <= MOST_NUMBERS) return
  throw new AdfaError(
    'bad-option',
    `tables of ${order} of ${m} anchors and ${n} words have ${size.toLocaleString('en')} numbers; at most ` +
      `${MOST_NUMBERS.toLocaleString('en')} are released; take a smaller --max-order, or fewer words or concepts`
  )
}
