/**
 * Word weights from counts alone, and how alike the words of two concepts are. The paper's noisy-or links add up the evidence of
 * words as if they were independent; these weights are log-odds that count a share of it, since words of a text repeat each other.
 */

import {clamp, log} from '../../base/numeric/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, noiseVariance, wordTotals} from '../../read/counts/index.ts'

/** Neither the probability of a word nor that of its absence changes by more than this factor. */
const CHANCE_FLOOR = 0.1
/** Weights within this many standard errors of independence are 0. */
const SIGMAS = 4
/** Below 2% of the documents, but at least 3 and at most 20, the share of a word among anchored ones is mostly chance. */
const MIN_SHARE = 0.02
const MIN_RANGE = [3, 20] as const
/** Words of a document are correlated, so each counts this share of its weight on its own. */
const WORD_SHARE = 0.3
/**
 * A similarity is shrunk as if this many documents with average words were added, since from few documents it is mostly
 * chance.
 */
const MEAN_DOCUMENTS = 20

/**
 * Returns the shares of documents with each anchor and with each word, and Cov(A_i, x_j) max(0, 1 - sigmas^2 / z^2) at
 * `i*n + j`, with z the covariance in standard errors. The factor makes nearly all unrelated words 0 and goes to 1 as documents
 * are added. The standard errors are taken under independence (a score test), plus privacy noise: errors at the estimate (delta
 * method) would drop a rare word in five of ten anchored documents, which is certainly related though its strength is
 * uncertain. Cost: one pass over the counts and O(m n).
 */
export function gatedCovariances(counts: Counts, sigmas: number) {
  const [m, n] = [counts.lexicon.anchors.length, counts.lexicon.words.length]
  const N = counts.documentCount
  const fired = anchorPairCounts(counts)
  const together = anchorWordCounts(counts)
  const firing = Float64Array.from({length: m}, (_, i) => fired[i * m + i] / N)
  const frequency = wordTotals(counts).map(total => total / N)
  const [anchorNoise, wordNoise] = [noiseVariance(counts, 'anchors') / N ** 2, noiseVariance(counts, 'words') / N ** 2]
  const covariances = together.map((both, at) => {
    const [a, x] = [firing[Math.floor(at / n)], frequency[at % n]]
    const covariance = both / N - a * x
    const noise = wordNoise * (1 + a ** 2) + anchorNoise * x ** 2
    const share = 1 - (sigmas ** 2 * ((a * (1 - a) * x * (1 - x)) / N + noise)) / covariance ** 2
    return share > 0 && share < 1 ? covariance * share : 0
  })
  return {firing, frequency, covariances}
}

/**
 * Returns word weights from counts alone: cell `i*n + j` holds the log-odds that word j adds to concept i.
 *
 * With D = Cov(A_i, x_j) / P(A_i = 1), {@link gatedCovariances gated}, the weight is
 * `share` log (P(x_j) + D) / (P(x_j) - D p / (1 - p)), since anchored documents represent all documents with the concept, and 0
 * for rare words.
 */
export function weightsFromCounts(counts: Counts, prevalence: ArrayLike<number>, share = WORD_SHARE): Float64Array {
  const n = counts.lexicon.words.length
  const {firing, frequency, covariances} = gatedCovariances(counts, SIGMAS)
  const least = clamp(MIN_SHARE * counts.documentCount, ...MIN_RANGE) / counts.documentCount
  return covariances.map((covariance, at) => {
    const [i, x] = [Math.floor(at / n), frequency[at % n]]
    if (covariance === 0 || x < least) return 0
    const difference = covariance / firing[i]
    const inside = (chance: number) => clamp(chance, CHANCE_FLOOR * x, 1 - CHANCE_FLOOR * (1 - x))
    const odds = prevalence[i] / (1 - prevalence[i])
    return share * log(inside(x + difference) / inside(x - difference * odds))
  })
}

/**
 * Returns how much the words of documents with one anchor are evidence of the other concept, at `i*m + k`, symmetric.
 *
 * The mean over documents where A_i fired of the sum of the word weights of concept k, less its mean over all documents;
 * then the mean of both directions. Documents in which A_k fired too, which are what the similarity is compared with, are
 * taken out, as if they had the words of other documents with A_k: tables of anchors and words contain no more
 * information.
 * Cost: O(m) per weight that is not 0.
 */
export function wordSimilarity(counts: Counts, prevalence: ArrayLike<number>): Float64Array {
  const [m, n] = [counts.lexicon.anchors.length, counts.lexicon.words.length]
  const weights = weightsFromCounts(counts, prevalence)
  const withAnchor = anchorWordCounts(counts)
  const fired = anchorPairCounts(counts)
  const totals = wordTotals(counts)
  // Of the sums of the weights of concept k over documents with A_i, what exceeds the mean of all documents.
  const excess = new Float64Array(m * m)
  weights.forEach((weight, at) => {
    if (weight === 0) return
    const [k, j] = [Math.floor(at / n), at % n]
    for (let i = 0; i < m; i++)
      excess[i * m + k] += weight * (withAnchor[i * n + j] - (fired[i * m + i] * totals[j]) / counts.documentCount)
  })
  const oneWay = (i: number, k: number) => {
    const both = fired[i * m + k]
    const own = fired[k * m + k] > 0 ? excess[k * m + k] / fired[k * m + k] : 0
    return (excess[i * m + k] - both * own) / (Math.max(0, fired[i * m + i] - both) + MEAN_DOCUMENTS)
  }
  const similarity = new Float64Array(m * m)
  for (let i = 0; i < m; i++)
    for (let k = 0; k < i; k++) similarity[i * m + k] = similarity[k * m + i] = (oneWay(i, k) + oneWay(k, i)) / 2
  return similarity
}
