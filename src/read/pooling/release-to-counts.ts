import {AdfaError} from '../../base/checks/index.ts'
import {clamp} from '../../base/numeric/index.ts'
import {type Counts, countsOfTables, dropConcepts, type SetCount} from '../counts/index.ts'
import type {SkippedAnchor} from '../data/index.ts'
import {conceptSetCount, conceptSetNumber, conceptSets, eachNumber, type NumberRange} from './concept-sets.ts'
import {type Release, withheldNumbers} from './release.ts'
import {NumberBounds} from './withhold-small.ts'

/**
 * Counts that have the released tables, for fitting a model.
 *
 * Numbers that were withheld become the one in their interval nearest to what independence foretells, and noisy ones the
 * nearest that smaller tables allow ({@link fillNumber}). Then patterns of at most K concepts are weighted so that all tables
 * of at most K anchors and words come out exactly: w(Z) = s(Z) - sum over larger T of w(T), the Moebius inverse cut off at K.
 * Weights may be negative: they stand for tables and not for documents, so what needs whole patterns refuses these counts.
 * Concepts whose own anchor was withheld are left out, with the reason among the skipped. Cost: numbers times 2^K.
 */
export function releaseToCounts(release: Release): Counts {
  const {lexicon, maxOrder, sites} = release
  const [m, n] = [lexicon.anchors.length, lexicon.words.length]
  if (!(release.low[0] > 0))
    throw new AdfaError(
      'bad-counts',
      `the release tells of ${release.low[0]} documents, which noise may do to a small site; pool it with others`
    )
  const {low: sets, wordLow: words} = filledNumbers(release)
  const labelled = mendedLabels(release.labelled, sets)
  subtractLarger(m, maxOrder, sets, 1)
  subtractLarger(m, maxOrder - 1, words, n)
  const withWords = conceptSetCount(m, maxOrder - 1)
  const patterns = conceptSets(m, maxOrder).map((concepts, at): SetCount => {
    const row = at < withWords ? words.subarray(at * n, (at + 1) * n) : new Float64Array(0)
    const wordIds = Uint32Array.from(row.keys()).filter(j => row[j] !== 0)
    return {concepts, documents: sets[at], wordIds, wordCounts: Float64Array.from(wordIds, j => row[j])}
  })
  const numbers = release.low.length + release.wordLow.length
  const tables = {maxOrder, numbers, withheld: withheldNumbers(release), sites}
  const counts = countsOfTables(release, tables, patterns, labelled)
  const unknown = unknownAnchors(release)
  return unknown.length === 0 ? counts : dropConcepts(counts, unknown)
}

/** Anchors of which it is not known to a factor of 2 how often they fire: all that is learned of a concept rests on that. */
function unknownAnchors({lexicon, low, high}: Release): SkippedAnchor[] {
  return lexicon.anchors.flatMap(({concept}, i) => {
    const [least, most] = [low[1 + i], high[1 + i]]
    if (least === most || most <= 2 * least) return []
    return [{concept, reason: `its anchor fires in ${least} to ${most} documents; the sites withheld how many`}]
  })
}

/** Noise may leave fewer labelled documents than none, or more than there are with the anchor, or without: these are scaled down. */
function mendedLabels(labelled: Float64Array, sets: Float64Array): Float64Array {
  const mended = labelled.map(cell => Math.max(0, cell))
  for (let i = 0; 4 * i < mended.length; i++)
    for (const a of [0, 1]) {
      const [absent, present] = [4 * i + a, 4 * i + 2 + a]
      const most = a === 1 ? sets[1 + i] : sets[0] - sets[1 + i]
      const share = most / Math.max(most, mended[absent] + mended[present], 1)
      mended[absent] = Math.floor(share * mended[absent])
      mended[present] = Math.floor(share * mended[present])
    }
  return mended
}

function filledNumbers(release: Release): NumberRange {
  const {lexicon, maxOrder} = release
  const filled: NumberRange = {
    low: release.low.slice(),
    high: release.high.slice(),
    wordLow: release.wordLow.slice(),
    wordHigh: release.wordHigh.slice()
  }
  const bounds = new NumberBounds()
  eachNumber({concepts: lexicon.anchors.length, words: lexicon.words.length, maxOrder}, filled, (k, low, high) => {
    const full = 2 ** k - 1
    bounds.read(k, low, high)
    low[full] = fillNumber(k, low, high, bounds)
    high[full] = low[full]
  })
  return filled
}

/**
 * The number told, or the one in its interval nearest to independence, as far as the smaller tables allow, which are filled in
 * already: the middle of the interval for one anchor or word, s_i s_k / N for two, and for three what their pairs imply without
 * an effect of all three together, s_ik s_il s_kl N / (s_i s_k s_l). Pairs that no three variables have leave no number; the
 * middle of their contradicting bounds has the least negative cell.
 */
function fillNumber(k: number, low: Float64Array, high: Float64Array, bounds: NumberBounds): number {
  const full = 2 ** k - 1
  const isTold = low[full] === high[full]
  const wanted = isTold ? low[full] : clamp(Math.round(expected(k, low, high)), low[full], high[full])
  return bounds.low <= bounds.high ? clamp(wanted, bounds.low, bounds.high) : Math.floor((bounds.low + bounds.high) / 2)
}

function expected(k: number, s: Float64Array, high: Float64Array): number {
  if (k === 1) return Math.floor((s[1] + high[1]) / 2)
  if (k === 2) return (s[1] * s[2]) / s[0]
  const singles = s[1] * s[2] * s[4]
  return singles === 0 ? 0 : ((s[3] * s[5]) / singles) * s[6] * s[0]
}

/** From sums over all sets that contain one, to the sets themselves; each set has a row of `size` numbers. */
function subtractLarger(m: number, order: number, sums: Float64Array, size: number): void {
  const sets = conceptSets(m, order)
  for (let at = sets.length - 1; at > 0; at--) {
    const set = sets[at]
    for (let T = 0; T < 2 ** set.length - 1; T++) {
      const part = conceptSetNumber(
        m,
        set.filter((_, bit) => T & (1 << bit))
      )
      for (let j = 0; j < size; j++) sums[part * size + j] -= sums[at * size + j]
    }
  }
}
