import {anchorPairCounts, anchorWordCounts, type Counts, wordTotals} from '../../read/counts/index.ts'

/** What the checks read from counts, made once: numbers of documents, layouts as in the counts room. */
export interface AnchorStatistics {
  readonly counts: Counts
  /** Concepts, words and documents. */
  readonly m: number
  readonly n: number
  readonly N: number
  /** Documents in which each anchor fires. */
  readonly fired: Float64Array
  /** In which the anchors of both i and k fire, cell `i*m + k`. */
  readonly pairs: Float64Array
  /** That contain word j, and those where the anchor of i fires too, cell `i*n + j`. */
  readonly words: Float64Array
  readonly anchoredWords: Float64Array
}

export function anchorStatistics(counts: Counts): AnchorStatistics {
  const m = counts.lexicon.anchors.length
  const pairs = anchorPairCounts(counts)
  return {
    counts,
    m,
    n: counts.lexicon.words.length,
    N: counts.documentCount,
    fired: Float64Array.from({length: m}, (_, i) => pairs[i * m + i]),
    pairs,
    words: wordTotals(counts),
    anchoredWords: anchorWordCounts(counts)
  }
}

/**
 * How much more often than by chance two things occur together, in standard errors under independence. The error that
 * the table itself shows would make every rare thing that happens to be missing look like a certainty.
 */
export function excessErrors(together: number, first: number, second: number, N: number): number {
  const expected = (first * second) / N
  const variance = expected * (1 - first / N) * (1 - second / N)
  return variance > 0 ? (together - expected) / Math.sqrt(variance) : 0
}

/** Limits of a share of which `hits` of `total` were seen, `errors` standard errors away (Wilson). */
export function shareLimits(hits: number, total: number, errors: number): {low: number; high: number} {
  if (total === 0) return {low: 0, high: 1}
  const share = hits / total
  const z2 = (errors * errors) / total
  const middle = share + z2 / 2
  const margin = Math.sqrt(z2 * (share * (1 - share) + z2 / 4))
  return {low: Math.max(0, (middle - margin) / (1 + z2)), high: Math.min(1, (middle + margin) / (1 + z2))}
}
