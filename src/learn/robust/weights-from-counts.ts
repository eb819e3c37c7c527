import {clamp, log} from '../../base/numeric/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, wordTotals} from '../../read/counts/index.ts'

/** Neither the probability of a word nor that of its absence changes by more than this factor. */
const CHANCE_FLOOR = 0.1
/** Weights within this many standard errors of independence are 0. */
const SIGMAS = 4
/** Below 2% of the documents, but at least 3 and at most 20, the share of a word among anchored ones is mostly chance. */
const LEAST_SHARE = 0.02
const LEAST_RANGE = [3, 20] as const
/** Words of a document are correlated, so each counts this share of its weight on its own. */
const WORD_SHARE = 0.3
/** A likeness counts as many more documents of mean words: from few documents it is mostly chance. */
const MEAN_DOCUMENTS = 20

/**
 * Returns word weights from counts alone: cell `i*n + j` holds the log-odds that word j adds to concept i.
 *
 * D = (P(x_j | A_i = 1) - P(x_j)) max(0, 1 - sigmas^2 / z^2), z = the number of standard errors of Cov(A_i, x_j); the
 * weight is `share` log (P(x_j) + D) / (P(x_j) - D p / (1 - p)), since anchored documents represent all documents with the
 * concept, and 0 for rare words. Cost: one pass over the counts and O(m n).
 */
export function weightsFromCounts(counts: Counts, prevalence: ArrayLike<number>, share = WORD_SHARE): Float64Array {
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const N = counts.documentCount
  const pairs = anchorPairCounts(counts)
  const together = anchorWordCounts(counts)
  const totals = wordTotals(counts)
  const least = clamp(LEAST_SHARE * N, ...LEAST_RANGE)
  const weights = new Float64Array(m * n)
  for (let i = 0; i < m; i++) {
    const a = pairs[i * m + i] / N
    const odds = prevalence[i] / (1 - prevalence[i])
    for (let j = 0; j < n; j++)
      if (totals[j] >= least)
        weights[i * n + j] = share * loneWeight({a, x: totals[j] / N, both: together[i * n + j] / N, odds, N})
  }
  return weights
}

interface WordShares {
  /** P(A = 1), P(x = 1) and P(A = x = 1). */
  readonly a: number
  readonly x: number
  readonly both: number
  /** P(Y = 1) / P(Y = 0). */
  readonly odds: number
  readonly N: number
}

/** Returns the weight of a word on its own. */
function loneWeight({a, x, both, odds, N}: WordShares): number {
  const covariance = both - a * x
  const variance = (a * (1 - a) * x * (1 - x)) / N
  const kept = 1 - (SIGMAS * SIGMAS * variance) / (covariance * covariance)
  if (!(variance > 0 && kept > 0)) return 0
  const difference = (covariance / a) * kept
  const inside = (chance: number) => clamp(chance, CHANCE_FLOOR * x, 1 - CHANCE_FLOOR * (1 - x))
  return log(inside(x + difference) / inside(x - difference * odds))
}

/**
 * Returns how much the words of documents with one anchor are evidence of the other concept, at `i*m + k`, symmetric.
 *
 * The mean over documents where A_i fired of the sum of the word weights of concept k, less its mean over all documents;
 * then the mean of both directions. Documents in which A_k fired too, which are what the likeness is compared with, are
 * taken out, as if they had the words of other documents with A_k: tables of anchors and words tell no more.
 * Cost: O(m) per weight that is not 0.
 */
export function wordLikeness(counts: Counts, prevalence: ArrayLike<number>): Float64Array {
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const weights = weightsFromCounts(counts, prevalence)
  const used = Array.from({length: m}, (_, k) => nonZeros(weights.subarray(k * n, (k + 1) * n)))
  const withAnchor = anchorWordCounts(counts)
  const fired = anchorPairCounts(counts)
  const totals = wordTotals(counts)
  // The sum of the weights of concept k over words that occur so often.
  const sumOf = (k: number, occurrences: ArrayLike<number>, from: number) => {
    let sum = 0
    for (const j of used[k]) sum += occurrences[from + j] * weights[k * n + j]
    return sum
  }
  const mean = Float64Array.from({length: m}, (_, k) => sumOf(k, totals, 0) / counts.documentCount)
  const excess = (i: number, k: number) => sumOf(k, withAnchor, i * n) - fired[i * m + i] * mean[k]
  const own = mean.map((_, k) => (fired[k * m + k] > 0 ? excess(k, k) / fired[k * m + k] : 0))
  const oneWay = (i: number, k: number) => {
    const both = fired[i * m + k]
    return (excess(i, k) - both * own[k]) / (Math.max(0, fired[i * m + i] - both) + MEAN_DOCUMENTS)
  }
  const likeness = new Float64Array(m * m)
  for (let i = 0; i < m; i++)
    for (let k = 0; k < i; k++) likeness[i * m + k] = likeness[k * m + i] = (oneWay(i, k) + oneWay(k, i)) / 2
  return likeness
}

/** Most words have no weight. */
function nonZeros(weights: Float64Array): Uint32Array {
  const places: number[] = []
  for (let j = 0; j < weights.length; j++) if (weights[j] !== 0) places.push(j)
  return Uint32Array.from(places)
}
