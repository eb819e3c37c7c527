/**
 * Learns noisy-or links by one estimator for all graphs, from how often an anchor and a word occur together. The paper shrinks
 * all tables alike, and a shrinkage strong enough for unrelated words halves strong links; here each link has its own.
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
import type {WordMoments} from '../moments/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {gatedCovariances} from './weights-from-counts.ts'

/** The link of a word is dropped if its covariance with the anchor is within this many standard errors of 0. */
const SIGMAS = 3
/** The smallest ratio P(X = 0 | Y = 1) / P(X = 0 | Y = 0) that is estimated. */
const RATIO_FLOOR = 1e-3

export type WordRatios = Pick<WordMoments, 'conceptCount' | 'wordCount' | 'frequency'> & {
  readonly ratios: Float64Array
  readonly certificate: GateCertificate
}

/**
 * Estimates the ratios P(X_j = 0 | Y_i = 1) / P(X_j = 0 | Y_i = 0) of Eq. 7 in closed form, at `i*n + j`, each shrunk to 1 by its
 * own standard error. Dropped links have the ratio 1 exactly.
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
    // A word in every document without the concept would make the divisor of the ratio 0.
    const with0 = Math.min((x - p * with1) / (1 - p), 1 - RATIO_FLOOR * (1 - x))
    if (with1 !== target) clipped++
    kept++
    return (1 - with1) / (1 - with0)
  })
  return {conceptCount: m, wordCount: n, frequency, ratios, certificate: {sigmas: SIGMAS, ratios: m * n, kept, clipped}}
}

/**
 * Learns failures and leaks of every word (Algorithm 1, line 3) from the ratios of {@link recoverWordRatios}. Where a ratio is
 * exactly 1, so is the failure.
 *
 * The other failures of a word are those with which P(Y) implies its ratios ({@link failureNetwork}); so a concept's failure does
 * not include the effect of its neighbours on the word. `network` may be simpler than the one used to predict: sums over a forest
 * are exact and fast, sums over a wide network are estimated from 20,000 draws.
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
