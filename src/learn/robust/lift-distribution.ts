/**
 * Learns the lifts of all pairs of concepts together, by empirical Bayes. The paper recovers the table of each pair on its own and
 * shrinks all alike; here the distribution of all lifts is the prior of each.
 */

import {clamp, dot, exp, goldenSection, log, normalised} from '../../base/numeric/index.ts'
import {type MomentCertificate, reachedStatus} from '../moments/index.ts'

/** The grid of log lifts, relative to the log lift that the words suggest: factors from .018 to 55. */
const LOG_LIFTS = Float64Array.from({length: 33}, (_, g) => (g - 16) / 4)
const LIFTS = LOG_LIFTS.map(value => exp(value))
/** The prior of the distribution of log lifts, a standard normal, counts as this many pairs. */
const PRIOR = normalised(LOG_LIFTS.map(value => exp(-(value ** 2) / 2)))
const PRIOR_PAIRS = 10
/** The largest size of a log lift that words may suggest. */
const MAX_LOCATION = 3
/** The slope of log lifts on the similarity of words is learned from at most about this many pairs, which saves time. */
const SLOPE_PAIRS = 2000
/** The slope times the root mean square similarity has a normal prior with the mean 0 and this standard deviation. */
const SLOPE_SPREAD = 0.25
/** The largest slope times root mean square similarity that is tried, and the relative width at which the search ends. */
const MAX_SLOPE = 2
const SLOPE_TOLERANCE = 0.01
/** The expected number of documents with both anchors is at least this factor times the number under independence. */
const MIN_RATIO = 1e-3
/** EM ends at this gap to the maximum per pair, in nats, or after this many rounds. */
const GAP_PER_PAIR = 1e-3
const ROUND_LIMIT = 10_000

/** The anchors of two concepts, i < k. */
export interface AnchorPair {
  readonly i: number
  readonly k: number
  /** The number of documents with both anchors, and the number expected under independence. */
  readonly seen: number
  readonly expected: number
  /** The share of one anchor's firings that are true, times the share of the other's. */
  readonly trueShare: number
  /** The similarity of the words of both concepts ({@link wordSimilarity}). */
  readonly similarity: number
  /** Says whether a rule requires the pair. It then has the fixed prior, not the distribution of all pairs, most unlinked. */
  readonly isRequired: boolean
}

/** The posterior of the lift of a pair: exp E[log lift], and its 5% and 95% points. */
export interface LiftPosterior {
  readonly lift: number
  readonly low: number
  readonly high: number
}

/**
 * Computes the posterior of each pair. The slope of log lifts on similarity, unless it is known, and the distribution of lifts
 * are learned from the pairs that are not required.
 */
export function fitLifts(pairs: readonly AnchorPair[], knownSlope?: number) {
  const slope = knownSlope ?? mostProbableSlope(pairs.filter(({isRequired}) => !isRequired))
  const likelihoods = pairs.map(pair => liftLikelihood(pair, locationOf(pair, slope)).likelihood)
  const {shares, certificate} = liftShares(likelihoods.filter((_, p) => !pairs[p].isRequired))
  const posteriors = pairs.map((pair, p) =>
    liftPosterior(likelihoods[p], pair.isRequired ? PRIOR : shares, locationOf(pair, slope))
  )
  return {slope, posteriors, certificate}
}

/** Returns the log lift that the words of two concepts suggest. */
function locationOf({similarity}: AnchorPair, slope: number): number {
  return clamp(slope * similarity, -MAX_LOCATION, MAX_LOCATION)
}

/** Finds the most probable slope by golden section; for each slope, the distribution of lifts is the most probable one. */
function mostProbableSlope(all: readonly AnchorPair[]): number {
  const stride = Math.ceil(all.length / SLOPE_PAIRS)
  const pairs = all.filter((_, p) => p % stride === 0)
  const rms = Math.sqrt(pairs.reduce((sum, {similarity}) => sum + similarity * similarity, 0) / pairs.length)
  if (!(rms > 0)) return 0
  let start = PRIOR
  const evaluate = (slope: number) => {
    const found = pairs.map(pair => liftLikelihood(pair, locationOf(pair, slope)))
    const {shares, certificate} = liftShares(
      found.map(({likelihood}) => likelihood),
      start
    )
    start = shares
    const logPrior = -(((slope * rms) / SLOPE_SPREAD) ** 2) / 2
    const logFactors = found.reduce((sum, {logFactor}) => sum + logFactor, 0)
    return {at: slope, value: logPrior + logFactors - certificate.objective}
  }
  const atZero = evaluate(0)
  const maxSlope = MAX_SLOPE / rms
  const {best} = goldenSection(evaluate, [0, maxSlope], SLOPE_TOLERANCE * maxSlope)
  return best.value > atZero.value ? best.at : 0
}

/**
 * Returns the Poisson likelihood of each lift of the grid around exp(location), divided by the largest, and the logarithm of the
 * largest. `seen` has the mean expected (1 + trueShare (lift - 1)); factors that do not depend on the lift are left out.
 */
export function liftLikelihood(
  {seen, expected, trueShare}: Pick<AnchorPair, 'seen' | 'expected' | 'trueShare'>,
  location = 0
) {
  const centre = exp(location)
  const logs = LIFTS.map(lift => {
    const ratio = Math.max(MIN_RATIO, 1 + trueShare * (centre * lift - 1))
    return seen * log(ratio) - expected * ratio
  })
  const logFactor = logs.reduce((top, value) => Math.max(top, value))
  return {likelihood: logs.map(value => exp(value - logFactor)), logFactor}
}

/**
 * Finds the distribution of lifts over the pairs that is most probable given all counts: it maximises
 *
 *     f(s) = sum_p log(L_p s) + sum_g alpha_g log s_g
 *
 * over the simplex, with L_p the likelihoods of pair p and alpha the prior times {@link PRIOR_PAIRS}, by EM: each share becomes
 * the expected share of the pairs with that lift. Since f is concave, its maximum exceeds f(s) by at most `gap`.
 * Cost: O(pairs grid) per round, about 100 rounds.
 */
export function liftShares(
  likelihoods: readonly Float64Array[],
  start = PRIOR
): {readonly shares: Float64Array; readonly certificate: MomentCertificate} {
  const degree = likelihoods.length + PRIOR_PAIRS
  let shares = start
  for (let steps = 0; ; steps++) {
    const gradient = PRIOR.map((share, g) => (PRIOR_PAIRS * share) / shares[g])
    let objective = -shares.reduce((sum, share, g) => sum + PRIOR_PAIRS * PRIOR[g] * log(share), 0)
    for (const likelihood of likelihoods) {
      const chance = dot(likelihood, shares)
      objective -= log(chance)
      for (let g = 0; g < gradient.length; g++) gradient[g] += likelihood[g] / chance
    }
    const gap = Math.max(0, gradient.reduce((top, value) => Math.max(top, value)) - degree)
    const isReached = gap <= GAP_PER_PAIR * degree
    if (isReached || steps === ROUND_LIMIT) {
      const status = isReached ? reachedStatus(gap, objective) : 'step-limit'
      return {shares, certificate: {objective, lowerBound: objective - gap, gap, steps, atoms: 0, cuts: 0, status}}
    }
    shares = shares.map((share, g) => (share * gradient[g]) / degree)
  }
}

/** Returns the posterior of a pair whose grid of lifts is centred at exp(location). */
export function liftPosterior(likelihood: Float64Array, shares: Float64Array, location = 0): LiftPosterior {
  const chances = normalised(likelihood.map((value, g) => value * shares[g]))
  const step = LOG_LIFTS[1] - LOG_LIFTS[0]
  // The probability of each lift is spread evenly over the step around it.
  const quantile = (mass: number) => {
    let left = mass
    const g = chances.findIndex(chance => {
      left -= chance
      return left <= 0
    })
    return exp(location + LOG_LIFTS[g] + step * (0.5 + left / chances[g]))
  }
  return {lift: exp(location + dot(chances, LOG_LIFTS)), low: quantile(0.05), high: quantile(0.95)}
}
