import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'

/** How often anchors fire, alone and together, and what that says of their concepts. */
export interface AnchorPairs {
  /** Documents in which both fire, at `i*m + k`. */
  readonly together: Float64Array
  /** P(A_i = 1). */
  readonly shares: Float64Array
  /**
   * Cov(Y_i, Y_k) = gain_i gain_k Cov(A_i, A_k): one over the slope of P(A) in P(Y) once false anchors count as signs of related
   * concepts, min(1, p d / P(A)) / d with d = t - e. 0 for an anchor that never fires.
   */
  readonly gains: Float64Array
}

export function anchorPairs(counts: Counts, {truePositive, falsePositive, prevalence}: NoiseRates): AnchorPairs {
  const m = counts.lexicon.anchors.length
  const together = anchorPairCounts(counts)
  const shares = Float64Array.from({length: m}, (_, i) => together[i * m + i] / counts.documentCount)
  const gains = shares.map((share, i) => {
    const d = truePositive[i] - falsePositive[i]
    return share > 0 ? Math.min(1, (prevalence[i] * d) / share) / d : 0
  })
  return {together, shares, gains}
}
