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

export interface CountWeightOptions {
  /** The share of a word's weight on its own. */
  readonly share?: number
  /** Which words have weights: all, or those common enough to predict with. */
  readonly words?: 'all' | 'common'
}

/**
 * Word weights from counts alone: cell `i*n + j` holds the log-odds that word j adds to concept i.
 *
 * D = (P(x_j | A_i = 1) - P(x_j)) max(0, 1 - sigmas^2 / z^2), z = the number of standard errors of Cov(A_i, x_j); the
 * weight is `share` log (P(x_j) + D) / (P(x_j) - D p / (1 - p)): anchored documents represent those with the concept.
 * Cost: one pass over the counts and O(m n).
 */
export function weightsFromCounts(
  counts: Counts,
  prevalence: ArrayLike<number>,
  {share = WORD_SHARE, words = 'common'}: CountWeightOptions = {}
): Float64Array {
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const N = counts.documentCount
  const pairs = anchorPairCounts(counts)
  const together = anchorWordCounts(counts)
  const totals = wordTotals(counts)
  const least = words === 'all' ? 1 : clamp(LEAST_SHARE * N, ...LEAST_RANGE)
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

/** The weight of a word on its own. */
function loneWeight({a, x, both, odds, N}: WordShares): number {
  const covariance = both - a * x
  const variance = (a * (1 - a) * x * (1 - x)) / N
  const kept = 1 - (SIGMAS * SIGMAS * variance) / (covariance * covariance)
  if (!(variance > 0 && kept > 0)) return 0
  const difference = (covariance / a) * kept
  const inside = (chance: number) => clamp(chance, CHANCE_FLOOR * x, 1 - CHANCE_FLOOR * (1 - x))
  return log(inside(x + difference) / inside(x - difference * odds))
}
