import {AdfaError} from '../../base/checks/index.ts'
import type {BayesNetwork} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, noiseVariance, wordTotals} from '../../read/counts/index.ts'
import {
  failureNetwork,
  type GateCertificate,
  type LearnedLoadings,
  type LoadingOptions,
  networkSums,
  withLeaks
} from '../loadings/index.ts'
import type {NoiseRates} from '../noise/index.ts'

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
 * X_j) / p. D is multiplied by max(0, 1 - 3^2 / z^2), z = Cov(A_i, X_j) in standard errors: this drops nearly all links
 * to unrelated words and goes to 1 as documents are added, so the estimate stays consistent. The standard errors are taken
 * under independence (a score test), plus privacy noise: errors at the estimate (delta method) would drop a rare word in
 * five of ten anchored documents, which is certainly linked though its strength is uncertain.
 * Differs from the paper, which solves for every table and shrinks all alike: a shrinkage strong enough for unrelated words
 * halves the strong ones. Cost: one pass over the counts and O(m n).
 */
export function recoverWordRatios(counts: Counts, rates: NoiseRates): WordRatios {
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const N = counts.documentCount
  const fired = anchorPairCounts(counts)
  const together = anchorWordCounts(counts)
  const frequency = wordTotals(counts).map(total => total / N)
  const ratios = new Float64Array(m * n).fill(1)
  const [anchorNoise, wordNoise] = [noiseVariance(counts, 'anchors') / N ** 2, noiseVariance(counts, 'words') / N ** 2]
  let kept = 0
  let clipped = 0
  for (let i = 0; i < m; i++) {
    const a = fired[i * m + i] / N
    const p = rates.prevalence[i]
    const scale = 1 / ((rates.truePositive[i] - rates.falsePositive[i]) * p)
    // A word in all of ten anchored documents may still be absent from the eleventh: the rule of succession bounds the ratio.
    const floor = Math.max(RATIO_FLOOR, 1 / (fired[i * m + i] + 1))
    for (let j = 0; j < n; j++) {
      const x = frequency[j]
      const covariance = together[i * n + j] / N - a * x
      const noise = wordNoise * (1 + a ** 2) + anchorNoise * x ** 2
      const share = 1 - (SIGMAS ** 2 * ((a * (1 - a) * x * (1 - x)) / N + noise)) / covariance ** 2
      if (!(share > 0 && covariance !== 0)) continue
      const target = x + covariance * share * scale
      const with1 = Math.max(0, Math.min(target, x / p, 1 - floor * (1 - x)))
      // A word in every other document has no meaningful ratio.
      const with0 = Math.min((x - p * with1) / (1 - p), 1 - RATIO_FLOOR * (1 - x))
      if (with1 !== target) clipped++
      ratios[i * n + j] = (1 - with1) / (1 - with0)
      kept++
    }
  }
  return {conceptCount: m, wordCount: n, frequency, ratios, certificate: {sigmas: SIGMAS, ratios: m * n, kept, clipped}}
}

/**
 * Learns f and l of every word (Algorithm 1, line 3) from ratios that are exactly 1 wherever the counts cannot distinguish a word
 * from one independent of the concept ({@link recoverWordRatios}); there the failure is 1.
 *
 * The other failures of a word are such that P(Y) gives it its ratios ({@link failureNetwork}), so effects through neighbours
 * go to the neighbours. `network` may be simpler than the one used to predict: a forest is exact and fast, a wide network
 * costs 20,000 draws.
 * Differs from the paper: one estimator for all graphs, from pairs of an anchor and a word only.
 */
export function learnGatedLoadings(
  words: WordRatios,
  network: BayesNetwork,
  {leakFloor, seed = 0}: LoadingOptions
): LearnedLoadings {
  const {conceptCount, wordCount, ratios, certificate: gate} = words
  if (network.parents.length !== conceptCount)
    throw new AdfaError(
      'mismatch',
      `learnGatedLoadings needs a network of the ${conceptCount} concepts of the words; got ${network.parents.length}`
    )
  const sums = networkSums(network, rng(seed).stream('failures'))
  const {failure} = failureNetwork(sums, ratios, wordCount)
  return withLeaks({failure, estimator: 'gated', gate}, words, {network, sums, leakFloor})
}
