import {networkEdges, type PairNetwork, pairNetwork} from '../../base/network/index.ts'
import {choleskyFactor, choleskySolve, exp, log} from '../../base/numeric/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import type {MomentCertificate} from '../moments/index.ts'
import type {NoiseRates} from '../noise/index.ts'

/** The lifts that a pair may have, from 0.018 to 55, evenly spaced in their logarithm; independence is one of them. */
const LOG_LIFTS = Float64Array.from({length: 33}, (_, g) => (g - 16) / 4)
const LIFTS = LOG_LIFTS.map(value => exp(value))
/** The prior of log lift, a standard normal distribution, counts as this many pairs. */
const PRIOR_PAIRS = 10

/** Of the couplings of all pairs. */
export interface PairCertificate {
  readonly method: 'pairs'
  readonly status: MomentCertificate['status']
  /** Pairs of concepts. */
  readonly couplings: number
  /** Those whose interval excludes 1. */
  readonly edges: number
}

export interface LearnedPairs {
  readonly network: PairNetwork
  /** Of the distribution of lifts: a concave problem. */
  readonly moments: MomentCertificate
  readonly certificate: PairCertificate
}

/**
 * P(Y) from how often anchors fire together, by empirical Bayes over all pairs.
 *
 * The lift of a pair is P(Y_i = Y_k = 1) / (p_i p_k). Documents with both anchors are Poisson with the mean that the lift
 * and the rates imply. The distribution of lifts is learned from all pairs ({@link liftShares}), which gives each pair a
 * posterior. Its coupling is the value between E[log lift] and log E[lift] that is nearest to 0, and 0 where the two
 * differ in sign. It is used as log odds ratio, which is the same for rare concepts and keeps common ones from certainty.
 * Cost: O(patterns + m^2).
 */
export function learnPairs(
  counts: Counts,
  rates: NoiseRates,
  falseAnchors: 'noise' | 'related' = 'noise'
): LearnedPairs {
  const prevalence = Float64Array.from(rates.prevalence)
  const m = prevalence.length
  const likelihoods = pairLikelihoods(counts, rates, falseAnchors)
  const {shares, certificate: moments} = liftShares(likelihoods)
  const couplings = new Float64Array(m * m)
  const [low, high] = [couplings.slice().fill(1), couplings.slice().fill(1)]
  let pair = 0
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const posterior = liftPosterior(likelihoods[pair++], shares)
      for (const at of [i * m + k, k * m + i]) {
        couplings[at] = posterior.coupling
        low[at] = posterior.low
        high[at] = posterior.high
      }
    }
  const network = pairNetwork({prevalence, couplings, low, high})
  const edges = networkEdges(network).length
  return {network, moments, certificate: {method: 'pairs', status: moments.status, couplings: pair, edges}}
}

/** The likelihood of each lift, up to a factor, for all pairs i < k. */
function pairLikelihoods(
  counts: Counts,
  {truePositive, falsePositive, prevalence}: NoiseRates,
  falseAnchors: 'noise' | 'related'
): Float64Array[] {
  const N = counts.documentCount
  const m = prevalence.length
  const together = anchorPairCounts(counts)
  const firing = Float64Array.from({length: m}, (_, i) => together[i * m + i] / N)
  // P(A_i A_k) = a_i a_k + d_i d_k p_i p_k (lift - 1) with d = t - e: true firings as a share of all. False anchors that are
  // signs of related concepts occur with others as true ones do.
  const trueShare = firing.map((a, i) => {
    const difference = truePositive[i] - falsePositive[i]
    if (falseAnchors === 'related' && difference > 0) return 1
    return a > 0 ? Math.min(1, (difference * prevalence[i]) / a) : 0
  })
  const likelihoods: Float64Array[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++)
      likelihoods.push(
        liftLikelihood(Math.max(0, together[i * m + k]), N * firing[i] * firing[k], trueShare[i] * trueShare[k])
      )
  return likelihoods
}

/** An expected count this far below independence is 0. */
const LEAST_SHARE = 1e-3

/** The likelihood of each lift, up to a factor, for `seen` documents where independence predicts `expected`. */
export function liftLikelihood(seen: number, expected: number, trueShare: number): Float64Array {
  const logs = LIFTS.map(lift => {
    const ratio = Math.max(LEAST_SHARE, 1 + trueShare * (lift - 1))
    return seen * log(ratio) - expected * ratio
  })
  const most = logs.reduce((top, value) => Math.max(top, value))
  return logs.map(value => exp(value - most))
}

const NEWTON_STEPS = 60
/** The gap per pair at which the distribution of lifts is final, in nats. */
const GAP_PER_PAIR = 1e-7

/**
 * The distribution of lifts over the pairs that is most probable given all counts: maximises sum_p log(L_p s) + sum_g
 * alpha_g log s_g over the simplex, with alpha the prior times {@link PRIOR_PAIRS}. By Newton's method: the prior keeps
 * every share positive, and the sum is 1 at the optimum of the function minus its degree times the sum.
 * The gap max_g f'_g - degree bounds what any other distribution could add, since the function is concave.
 */
export function liftShares(likelihoods: readonly Float64Array[]): {
  readonly shares: Float64Array
  readonly certificate: MomentCertificate
} {
  const prior = normalised(LOG_LIFTS.map(value => exp(-(value ** 2) / 2)))
  const alpha = prior.map(share => PRIOR_PAIRS * share)
  const degree = likelihoods.length + PRIOR_PAIRS
  let shares = prior
  let objective = liftObjective(likelihoods, alpha, shares)
  let gap = Number.POSITIVE_INFINITY
  let steps = 0
  for (; ; steps++) {
    const {gradient, curvature} = liftDerivatives(likelihoods, alpha, shares)
    gap = Math.max(0, gradient.reduce((top, value) => Math.max(top, value)) - degree)
    if (gap <= GAP_PER_PAIR * degree || steps === NEWTON_STEPS) break
    const step = gradient.map(value => value - degree)
    if (!choleskyFactor(curvature, step.length)) break
    choleskySolve(curvature, step.length, step)
    const next = searchAlong(likelihoods, alpha, shares, step, objective)
    if (next === undefined) break
    shares = next.shares
    objective = next.objective
  }
  const status = gap <= GAP_PER_PAIR * degree ? 'optimal' : 'step-limit'
  return {
    shares,
    certificate: {objective: -objective, lowerBound: -objective - gap, gap, steps, atoms: 0, cuts: 0, status}
  }
}

function liftObjective(likelihoods: readonly Float64Array[], alpha: Float64Array, shares: Float64Array): number {
  let sum = 0
  for (let g = 0; g < shares.length; g++) sum += alpha[g] * log(shares[g])
  for (const likelihood of likelihoods) sum += log(mixed(likelihood, shares))
  return sum
}

function mixed(likelihood: Float64Array, shares: Float64Array): number {
  let total = 0
  for (let g = 0; g < shares.length; g++) total += shares[g] * likelihood[g]
  return total
}

/** The gradient, and the negative of the second derivatives. */
function liftDerivatives(likelihoods: readonly Float64Array[], alpha: Float64Array, shares: Float64Array) {
  const size = shares.length
  const gradient = alpha.map((value, g) => value / shares[g])
  const curvature = new Float64Array(size * size)
  for (let g = 0; g < size; g++) curvature[g * size + g] = gradient[g] / shares[g]
  const ratio = new Float64Array(size)
  for (const likelihood of likelihoods) {
    const total = mixed(likelihood, shares)
    for (let g = 0; g < size; g++) {
      ratio[g] = likelihood[g] / total
      gradient[g] += ratio[g]
      // Only the lower triangle is read.
      for (let h = 0; h <= g; h++) curvature[g * size + h] += ratio[g] * ratio[h]
    }
  }
  return {gradient, curvature}
}

/** The first of ever shorter steps, normalised, that raises the objective; undefined when rounding hides any gain. */
function searchAlong(
  likelihoods: readonly Float64Array[],
  alpha: Float64Array,
  shares: Float64Array,
  step: Float64Array,
  objective: number
) {
  // At most nine tenths of the way to the nearest share of 0.
  const room = shares.reduce((least, share, g) => (step[g] < 0 ? Math.min(least, -share / step[g]) : least), 1 / 0.9)
  for (let length = Math.min(1, 0.9 * room); length > 1e-10; length /= 2) {
    const moved = normalised(shares.map((share, g) => share + length * step[g]))
    const reached = liftObjective(likelihoods, alpha, moved)
    if (reached > objective) return {shares: moved, objective: reached}
  }
  return undefined
}

/** The coupling of a pair, and the 5% and 95% points of its lift. */
export function liftPosterior(likelihood: Float64Array, shares: Float64Array) {
  const chances = normalised(likelihood.map((value, g) => value * shares[g]))
  const meanLog = chances.reduce((sum, chance, g) => sum + chance * LOG_LIFTS[g], 0)
  const logMean = log(chances.reduce((sum, chance, g) => sum + chance * LIFTS[g], 0))
  const coupling = meanLog > 0 ? meanLog : Math.min(0, logMean)
  return {coupling, low: quantile(chances, 0.05), high: quantile(chances, 0.95)}
}

/** The mass of each lift is spread evenly over the step around it, in its logarithm. */
function quantile(chances: Float64Array, share: number): number {
  const step = LOG_LIFTS[1] - LOG_LIFTS[0]
  let below = 0
  for (let g = 0; g < chances.length; g++) {
    if (below + chances[g] >= share) return exp(LOG_LIFTS[g] + step * ((share - below) / chances[g] - 0.5))
    below += chances[g]
  }
  return LIFTS[LIFTS.length - 1]
}

function normalised(values: Float64Array): Float64Array {
  const total = values.reduce((sum, value) => sum + value, 0)
  return values.map(value => value / total)
}
