/**
 * Computes word weights from counts alone, and the similarity of the words of two concepts. The paper's noisy-or links treat the
 * words of a text as independent evidence; these weights are log-odds times a factor, since words repeat each other.
 */

import {clamp, log} from '../../base/numeric/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, wordTotals} from '../../read/counts/index.ts'

/** The probabilities of a word and of its absence given Y = 1 or Y = 0 are at least this share of the overall probabilities. */
const MIN_RATIO = 0.1
/** A weight is 0 if the covariance of its word with the anchor is within this many standard errors of 0. */
const SIGMAS = 4
/** Words in fewer than 2% of the documents have the weight 0; this bound is at least 3 and at most 20 documents. */
const MIN_SHARE = 0.02
const MIN_RANGE = [3, 20] as const
/** The factor of a word's own log-odds, below 1 since the words of a document are correlated. */
const WORD_FACTOR = 0.3
/** Similarities are shrunk as if this many average documents were added, since those of few documents are mostly chance. */
const PRIOR_DOCUMENTS = 20

/**
 * Returns P(A_i = 1), P(x_j = 1), and the gated covariances Cov(A_i, x_j) max(0, 1 - sigmas^2 / z^2) at `i*n + j`, with z the
 * covariance in standard errors. The gate sets nearly all unrelated words to 0 and goes to 1 as documents are added. Standard
 * errors are those under independence (a score test): errors at the estimate (delta method) would drop a
 * rare word in five of ten anchored documents, which is certainly related. Cost: one pass over the counts and O(m n).
 */
export function gatedCovariances(counts: Counts, sigmas: number) {
  const [m, n] = [counts.lexicon.anchors.length, counts.lexicon.words.length]
  const N = counts.documentCount
  const fired = anchorPairCounts(counts)
  const together = anchorWordCounts(counts)
  const firing = Float64Array.from({length: m}, (_, i) => fired[i * m + i] / N)
  const frequency = wordTotals(counts).map(total => total / N)
  const covariances = together.map((both, at) => {
    const [a, x] = [firing[Math.floor(at / n)], frequency[at % n]]
    const covariance = both / N - a * x
    const gate = 1 - (sigmas ** 2 * ((a * (1 - a) * x * (1 - x)) / N)) / covariance ** 2
    return gate > 0 && gate < 1 ? covariance * gate : 0
  })
  return {firing, frequency, covariances}
}

/**
 * Returns word weights from counts alone: the log-odds that word j adds to concept i, at `i*n + j`.
 *
 * With p = P(Y_i = 1) and D = Cov(A_i, x_j) / P(A_i = 1), which is 0 unless the covariance is significant, the weight is
 * factor * log(on / off) for on = P(x_j) + D and off = P(x_j) - D p / (1 - p), both bounded; 0 for rare words. So documents with
 * the anchor are taken as typical of all documents with the concept.
 */
export function weightsFromCounts(counts: Counts, prevalence: ArrayLike<number>, factor = WORD_FACTOR): Float64Array {
  const n = counts.lexicon.words.length
  const {firing, frequency, covariances} = gatedCovariances(counts, SIGMAS)
  const minFrequency = clamp(MIN_SHARE * counts.documentCount, ...MIN_RANGE) / counts.documentCount
  return covariances.map((covariance, at) => {
    const [i, x] = [Math.floor(at / n), frequency[at % n]]
    if (covariance === 0 || x < minFrequency) return 0
    const difference = covariance / firing[i]
    const bounded = (chance: number) => clamp(chance, MIN_RATIO * x, 1 - MIN_RATIO * (1 - x))
    const odds = prevalence[i] / (1 - prevalence[i])
    return factor * log(bounded(x + difference) / bounded(x - difference * odds))
  })
}

/**
 * Returns the similarity of the words of two concepts, a symmetric matrix at `i*m + k`: how much the words of documents with one
 * anchor are evidence of the other concept.
 *
 * One direction is the mean, over documents where A_i fired, of the summed word weights of concept k, less the mean over all
 * documents. The similarity is the mean of both directions. Documents where both anchors fired are subtracted, since the
 * similarity is to predict their number; they are taken to have the average words of documents with A_k. Cost: O(m) per weight
 * that is not 0.
 */
export function wordSimilarity(counts: Counts, prevalence: ArrayLike<number>): Float64Array {
  const [m, n] = [counts.lexicon.anchors.length, counts.lexicon.words.length]
  const weights = weightsFromCounts(counts, prevalence)
  const withAnchor = anchorWordCounts(counts)
  const fired = anchorPairCounts(counts)
  const totals = wordTotals(counts)
  // The sum of the weights of concept k over documents with A_i, less the expected sum of as many average documents.
  const excess = new Float64Array(m * m)
  weights.forEach((weight, at) => {
    if (weight === 0) return
    const [k, j] = [Math.floor(at / n), at % n]
    for (let i = 0; i < m; i++)
      excess[i * m + k] += weight * (withAnchor[i * n + j] - (fired[i * m + i] * totals[j]) / counts.documentCount)
  })
  const similarityOneWay = (i: number, k: number) => {
    const both = fired[i * m + k]
    const own = fired[k * m + k] > 0 ? excess[k * m + k] / fired[k * m + k] : 0
    return (excess[i * m + k] - both * own) / (Math.max(0, fired[i * m + i] - both) + PRIOR_DOCUMENTS)
  }
  const similarity = new Float64Array(m * m)
  for (let i = 0; i < m; i++)
    for (let k = 0; k < i; k++)
      similarity[i * m + k] = similarity[k * m + i] = (similarityOneWay(i, k) + similarityOneWay(k, i)) / 2
  return similarity
}
