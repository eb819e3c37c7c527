/**
 * Noisy-or links by one estimator for all graphs, from pairs of an anchor and a word. The paper solves for every table and shrinks
 * all alike, and a shrinkage strong enough for unrelated words halves the strong ones; here each is shrunk by its own error.
 */

import type {BayesNetwork} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {
  failureNetwork,
  type GateCertificate,
  type LearnedLoadings,
  type LoadingOptions,
  networkSums,
  withLeaks
} from '../loadings/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {gatedCovariances} from './weights-from-counts.ts'

/** Links between a word and a concept within this many standard errors of independence from its anchor are dropped. */
const SIGMAS = 3
/** The lowest failure that may be learned. */
const RATIO_FLOOR = 1e-3

/** The ratio of each word and concept. */
export interface WordRatios {
  readonly conceptCount: number
  readonly wordCount: number
  /** P(X_j = 1), observed. */
  readonly frequency: Float64Array
  /** P(X_j = 0 | Y_i = 1) / P(X_j = 0 | Y_i = 0) at `i*n + j`; exactly 1 for dropped links. */
  readonly ratios: Float64Array
  readonly certificate: GateCertificate
}

/**
 * Estimates the direct ratios of Eq. 7 in closed form, each shrunk to 1 by its own standard error.
 *
 * Cov(Y_i, X_j) = Cov(A_i, X_j) / (t_i - e_i), so P(x1|y1) = x + D and P(x1|y0) = x - D p / (1 - p) with D = Cov(Y_i,
 * X_j) / p, {@link gatedCovariances gated} at three standard errors.
 */
export function recoverWordRatios(counts: Counts, rates: NoiseRates): WordRatios {
  const [m, n] = [counts.lexicon.anchors.length, counts.lexicon.words.length]
  const {firing, frequency, covariances} = gatedCovariances(counts, SIGMAS)
  let [kept, clipped] = [0, 0]
  const ratios = covariances.map((covariance, at) => {
    if (covariance === 0) return 1
    const [i, x] = [Math.floor(at / n), frequency[at % n]]
    const p = rates.prevalence[i]
    // A word in all of ten anchored documents may still be absent from the eleventh: the rule of succession bounds the ratio.
    const floor = Math.max(RATIO_FLOOR, 1 / (firing[i] * counts.documentCount + 1))
    const target = x + covariance / ((rates.truePositive[i] - rates.falsePositive[i]) * p)
    const with1 = Math.max(0, Math.min(target, x / p, 1 - floor * (1 - x)))
    // A word in every other document has no meaningful ratio.
    const with0 = Math.min((x - p * with1) / (1 - p), 1 - RATIO_FLOOR * (1 - x))
    if (with1 !== target) clipped++
    kept++
    return (1 - with1) / (1 - with0)
  })
  return {conceptCount: m, wordCount: n, frequency, ratios, certificate: {sigmas: SIGMAS, ratios: m * n, kept, clipped}}
}

/**
 * Learns f and l of every word (Algorithm 1, line 3) from ratios that are exactly 1 wherever the counts cannot distinguish a word
 * from one independent of the concept ({@link recoverWordRatios}); there the failure is 1.
 *
 * The other failures of a word are such that P(Y) gives it its ratios ({@link failureNetwork}), so effects through neighbours
 * go to the neighbours. `network` may be simpler than the one used to predict: a forest is exact and fast, a wide network
 * costs 20,000 draws.
 */
export function learnGatedLoadings(
  words: WordRatios,
  network: BayesNetwork,
  {leakFloor, seed = 0}: LoadingOptions
): LearnedLoadings {
  const sums = networkSums(network, rng(seed).stream('failures'))
  const {failure} = failureNetwork(sums, words.ratios, words.wordCount)
  return withLeaks({failure, estimator: 'gated', gate: words.certificate}, words, {network, sums, leakFloor})
}
