import {clamp, exp, log, mutualInformation} from '../../base/numeric/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'

/** The lifts that a pair may have, evenly spaced in their logarithm. */
const LIFTS = Float64Array.from({length: 33}, (_, g) => 0.02 * exp((g / 32) * log(60 / 0.02)))
/** The prior of log lift, a standard normal distribution, counts as this many pairs. */
const PRIOR_PAIRS = 10
const ROUNDS = 200

/**
 * Cov(Y_i, Y_k) at `i*m + k` from how often anchors fire together, by empirical Bayes over all pairs; 0 on the diagonal.
 *
 * The number of documents with both anchors is Poisson with mean lift times the count expected under independence. The
 * distribution of lifts is learned from all pairs ({@link liftShares}); the lift of a pair is its posterior geometric
 * mean. So a pair expected twice and never seen counts as rare, and one seen three times instead of 0.1 is held back;
 * shrinking each by its own standard error does neither. The lift gives the covariance of the anchors, and that the
 * covariance of the concepts ({@link anchorPairs}). Cost: O(patterns + rounds m^2).
 */
export function pairCovariances(counts: Counts, rates: NoiseRates): Float64Array {
  const m = counts.lexicon.anchors.length
  const N = counts.documentCount
  const p = rates.prevalence
  const {together, shares: a, gains} = anchorPairs(counts, rates)
  const pairs: PairLikelihood[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) pairs.push({i, k, likelihood: liftLikelihood(together[i * m + k], N * a[i] * a[k])})
  const shares = liftShares(pairs.map(({likelihood}) => likelihood))
  const covariances = new Float64Array(m * m)
  for (const {i, k, likelihood} of pairs) {
    const delta = gains[i] * gains[k] * a[i] * a[k] * (typicalLift(likelihood, shares) - 1)
    covariances[i * m + k] = covariances[k * m + i] = insideTable(p[i], p[k], delta)
  }
  return covariances
}

interface PairLikelihood {
  readonly i: number
  readonly k: number
  readonly likelihood: Float64Array
}

/** The likelihood of each lift, up to a factor, for `seen` documents where independence predicts `expected`. */
export function liftLikelihood(seen: number, expected: number): Float64Array {
  const logs = LIFTS.map(lift => seen * log(lift) - expected * lift)
  const most = logs.reduce((top, value) => Math.max(top, value))
  return logs.map(value => exp(value - most))
}

/**
 * The distribution of lifts over the pairs: the most probable one given all counts, by EM from a prior that is normal in
 * log lift and counts as {@link PRIOR_PAIRS} pairs.
 */
export function liftShares(likelihoods: readonly Float64Array[]): Float64Array {
  const start = normalised(LIFTS.map(lift => exp(-(log(lift) ** 2) / 2)))
  let shares = start
  for (let round = 0; round < ROUNDS; round++) {
    const next = start.map(share => PRIOR_PAIRS * share)
    for (const likelihood of likelihoods) {
      let total = 0
      for (let g = 0; g < shares.length; g++) total += shares[g] * likelihood[g]
      for (let g = 0; g < shares.length; g++) next[g] += (shares[g] * likelihood[g]) / total
    }
    shares = normalised(next)
  }
  return shares
}

/** The posterior geometric mean of the lift of a pair. */
function typicalLift(likelihood: Float64Array, shares: Float64Array): number {
  const chances = normalised(likelihood.map((value, g) => value * shares[g]))
  return exp(chances.reduce((sum, chance, g) => sum + chance * log(LIFTS[g]), 0))
}

function normalised(values: Float64Array): Float64Array {
  const total = values.reduce((sum, value) => sum + value, 0)
  return values.map(value => value / total)
}

/** How often anchors fire, alone and together, and what that implies for their concepts. */
interface AnchorPairs {
  /** Documents in which both fire, at `i*m + k`. */
  readonly together: Float64Array
  /** P(A_i = 1). */
  readonly shares: Float64Array
  /**
   * Cov(Y_i, Y_k) = gain_i gain_k Cov(A_i, A_k): one over the slope of P(A) in P(Y) when false anchors count as signs of
   * related concepts, min(1, p d / P(A)) / d with d = t - e. 0 for an anchor that never fires.
   */
  readonly gains: Float64Array
}

function anchorPairs(counts: Counts, {truePositive, falsePositive, prevalence}: NoiseRates): AnchorPairs {
  const m = counts.lexicon.anchors.length
  const together = anchorPairCounts(counts)
  const shares = Float64Array.from({length: m}, (_, i) => together[i * m + i] / counts.documentCount)
  const gains = shares.map((share, i) => {
    const d = truePositive[i] - falsePositive[i]
    return share > 0 ? Math.min(1, (prevalence[i] * d) / share) / d : 0
  })
  return {together, shares, gains}
}

/** No cell of a pair's table falls below this share of independence: one rare pair must not rule out another. */
const CELL_FLOOR = 0.05

/** Cov(Y_i, Y_k) at `i*m + k`, shrunk and kept inside the table of the pair; 0 on the diagonal. */
export function shrunkenCovariances(counts: Counts, rates: NoiseRates): Float64Array {
  const m = counts.lexicon.anchors.length
  const N = counts.documentCount
  const p = rates.prevalence
  const {together, shares: a, gains} = anchorPairs(counts, rates)
  const covariances = new Float64Array(m * m)
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const both = together[i * m + k] / N
      const scale = gains[i] * gains[k]
      const delta = scale * (both - a[i] * a[k])
      const error2 = (scale * scale * productVariance(a[i], a[k], both)) / N
      const shrunken = delta === 0 ? 0 : delta * Math.max(0, 1 - error2 / (delta * delta))
      covariances[i * m + k] = covariances[k * m + i] = insideTable(p[i], p[k], shrunken)
    }
  return covariances
}

/** The variance of (A_i - a_i)(A_k - a_k), at least that of independent anchors: rare pairs would seem certain. */
function productVariance(ai: number, ak: number, both: number): number {
  const covariance = both - ai * ak
  const square = (xi: number, xk: number) => (xi - ai) ** 2 * (xk - ak) ** 2
  const second =
    both * square(1, 1) + (ai - both) * square(1, 0) + (ak - both) * square(0, 1) + (1 - ai - ak + both) * square(0, 0)
  return Math.max(ai * (1 - ai) * ak * (1 - ak), second - covariance * covariance)
}

/** The covariance nearest to `delta` that keeps the table of a pair above its floor. */
function insideTable(pi: number, pk: number, delta: number): number {
  const room = 1 - CELL_FLOOR
  const least = -room * Math.min(pi * pk, (1 - pi) * (1 - pk))
  const most = room * Math.min(pi * (1 - pk), (1 - pi) * pk)
  return clamp(delta, least, most)
}

/** The mutual information of each pair of concepts, at `i*m + k`. */
export function pairInformation(covariances: Float64Array, prevalence: Float64Array): Float64Array {
  const m = prevalence.length
  return covariances.map((delta, at) =>
    delta === 0 ? 0 : mutualInformation(pairTable(prevalence[Math.floor(at / m)], prevalence[at % m], delta))
  )
}

/** The table of a pair, cell `2*yi + yk`. */
export function pairTable(pi: number, pk: number, delta: number): number[] {
  return [(1 - pi) * (1 - pk) + delta, (1 - pi) * pk - delta, pi * (1 - pk) - delta, pi * pk + delta]
}
