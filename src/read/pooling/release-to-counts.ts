import {clamp} from '../../base/numeric/index.ts'
import {type Counts, countsFromPatterns, dropConcepts} from '../counts/index.ts'
import type {SkippedAnchor} from '../data/index.ts'
import {conceptSetCount, conceptSets, eachNumber, type NumberRange, subsetNumber} from './concept-sets.ts'
import {placesOf, type Release, withheldNumbers} from './release.ts'
import {NumberBounds} from './withhold.ts'

/**
 * Counts with the released tables, for fitting a model.
 *
 * A withheld number becomes the one in its interval nearest to independence ({@link fillNumber}). Then patterns of at most K concepts are weighted so that all tables of at most K anchors and
 * words come out exactly: w(Z) = s(Z) - sum over larger T of w(T), the Moebius inverse truncated at K. Weights may be
 * negative, as they represent tables, not documents; whatever needs whole patterns refuses these counts. The first member
 * of an anchor represents it, since tables do not distinguish members. Concepts whose own anchor was withheld are
 * dropped, with the reason among the skipped. Cost: numbers times 2^K.
 */
export function releaseToCounts(release: Release): Counts {
  const {lexicon, labelShare, seed, protocol, maxOrder, sites} = release
  const [m, n] = [lexicon.anchors.length, lexicon.words.length]
  const {low: numbers} = filledNumbers(release)
  const first = conceptSetCount(m, maxOrder)
  const [sets, words] = [numbers.subarray(0, first), numbers.subarray(first)]
  subtractLarger(m, maxOrder, sets, 1)
  subtractLarger(m, maxOrder - 1, words, n)
  const firstMember = [0]
  for (const {any} of lexicon.anchors) firstMember.push((firstMember.at(-1) ?? 0) + any.length)
  const patterns = conceptSets(m, maxOrder).map((concepts, at) => {
    const row = words.subarray(at * n, (at + 1) * n)
    const wordIds = Uint32Array.from(row.keys()).filter(j => row[j] !== 0)
    const members = concepts.map(i => firstMember[i])
    return {members, documents: sets[at], wordIds, wordCounts: Float64Array.from(wordIds, j => row[j])}
  })
  const tables = {maxOrder, numbers: numbers.length, withheld: withheldNumbers(release), sites}
  const counts = countsFromPatterns(
    {lexicon, labelShare, seed, protocol, tables},
    patterns.filter(({documents, wordIds}) => documents !== 0 || wordIds.length > 0)
  )
  const unknown = unknownAnchors(release)
  return unknown.length === 0 ? counts : dropConcepts(counts, unknown)
}

/** Anchors whose frequency is not known to a factor of 2; everything learned about a concept depends on it. */
function unknownAnchors({lexicon, low, high}: Release): SkippedAnchor[] {
  return lexicon.anchors.flatMap(({concept}, i) => {
    const [least, most] = [low[1 + i], high[1 + i]]
    if (least === most || most <= 2 * least) return []
    return [{concept, reason: `its anchor fires in ${least} to ${most} documents; the sites withheld how many`}]
  })
}

function filledNumbers(release: Release): NumberRange {
  const filled = {low: release.low.slice(), high: release.high.slice()}
  const bounds = new NumberBounds()
  eachNumber(placesOf(release), filled, (k, low, high) => {
    const full = 2 ** k - 1
    bounds.read(k, low, high)
    low[full] = fillNumber(k, low, high, bounds)
    high[full] = low[full]
  })
  return filled
}

/**
 * The released number, or the one in its interval nearest to independence, as far as the smaller tables allow, which are
 * filled in already: the middle of the interval for one anchor or word, s_i s_k / N for two, and for three what their pairs
 * imply without a three-way interaction, s_ik s_il s_kl N / (s_i s_k s_l). Inconsistent pairs allow no number; the middle
 * of their contradicting bounds has the least negative cell.
 */
function fillNumber(k: number, low: Float64Array, high: Float64Array, bounds: NumberBounds): number {
  const full = 2 ** k - 1
  const isExact = low[full] === high[full]
  const wanted = isExact ? low[full] : clamp(Math.round(expected(k, low, high)), low[full], high[full])
  return bounds.low <= bounds.high ? clamp(wanted, bounds.low, bounds.high) : Math.floor((bounds.low + bounds.high) / 2)
}

function expected(k: number, s: Float64Array, high: Float64Array): number {
  if (k === 1) return Math.floor((s[1] + high[1]) / 2)
  if (k === 2) return (s[1] * s[2]) / s[0]
  const singles = s[1] * s[2] * s[4]
  return singles === 0 ? 0 : ((s[3] * s[5]) / singles) * s[6] * s[0]
}

/** From sums over all supersets to the sets themselves; each set has a row of `size` numbers. */
function subtractLarger(m: number, order: number, sums: Float64Array, size: number): void {
  const sets = conceptSets(m, order)
  for (let at = sets.length - 1; at > 0; at--) {
    const set = sets[at]
    for (let T = 0; T < 2 ** set.length - 1; T++) {
      const part = subsetNumber(m, set, T)
      for (let j = 0; j < size; j++) sums[part * size + j] -= sums[at * size + j]
    }
  }
}
