import {clamp, log} from '../../base/numeric/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, wordTotals} from '../../read/counts/index.ts'
import type {WordWeightOptions} from './word-weight-options.ts'

/** Neither the probability of a word nor that of its absence changes by more than this factor. */
const CHANCE_FLOOR = 0.1

/**
 * Word weights from counts alone: cell `i*n + j` holds the log-odds that word j adds to concept i.
 *
 * D = (P(x_j | A_i = 1) - P(x_j)) max(0, 1 - sigmas^2 / z^2), z = the number of standard errors of Cov(A_i, x_j); the
 * weight is `wordShare` log (P(x_j) + D) / (P(x_j) - D p / (1 - p)): anchored documents represent those with the concept. Cost: one pass over the counts and O(m n).
 */
export function weightsFromCounts(
  counts: Counts,
  prevalence: ArrayLike<number>,
  {wordShare, sigmas}: Pick<WordWeightOptions, 'wordShare' | 'sigmas'>
): Float64Array {
  const sharesAt = countShares(counts, prevalence)
  const length = counts.lexicon.anchors.length * counts.lexicon.words.length
  const weights = new Float64Array(length)
  for (let at = 0; at < length; at++) weights[at] = wordShare * loneWeight(sharesAt(at), sigmas)
  return weights
}

/**
 * The standard error of the weight from counts in each cell: half its change while the covariance changes from one of its
 * own standard errors below to one above, since near the gate of `sigmas` the weight is far from linear.
 */
export function countErrors(
  counts: Counts,
  prevalence: ArrayLike<number>,
  {wordShare, sigmas}: Pick<WordWeightOptions, 'wordShare' | 'sigmas'>
): (at: number) => number {
  const sharesAt = countShares(counts, prevalence)
  return at => {
    const shares = sharesAt(at)
    const {a, x, both, N} = shares
    const covariance = both - a * x
    // E of (A - a)^2 (x_j - x)^2, over the four cells.
    const squares =
      both * ((1 - a) * (1 - x)) ** 2 +
      (a - both) * ((1 - a) * x) ** 2 +
      (x - both) * (a * (1 - x)) ** 2 +
      (1 - a - x + both) * (a * x) ** 2
    const error = Math.sqrt(Math.max(0, squares - covariance * covariance) / N)
    const moved = (change: number) => loneWeight({...shares, both: both + change}, sigmas)
    return (wordShare * Math.abs(moved(error) - moved(-error))) / 2
  }
}

/** What the counts tell of each cell. */
function countShares(counts: Counts, prevalence: ArrayLike<number>): (at: number) => WordShares {
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const N = counts.documentCount
  const pairs = anchorPairCounts(counts)
  const together = anchorWordCounts(counts)
  const totals = wordTotals(counts)
  return at => {
    const [i, j] = [Math.floor(at / n), at % n]
    const odds = prevalence[i] / (1 - prevalence[i])
    return {a: pairs[i * m + i] / N, x: totals[j] / N, both: together[at] / N, odds, N}
  }
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
function loneWeight({a, x, both, odds, N}: WordShares, sigmas: number): number {
  const covariance = both - a * x
  const variance = (a * (1 - a) * x * (1 - x)) / N
  const kept = 1 - (sigmas * sigmas * variance) / (covariance * covariance)
  if (!(variance > 0 && kept > 0)) return 0
  const difference = (covariance / a) * kept
  const inside = (chance: number) => clamp(chance, CHANCE_FLOOR * x, 1 - CHANCE_FLOOR * (1 - x))
  return log(inside(x + difference) / inside(x - difference * odds))
}
