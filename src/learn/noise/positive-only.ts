import {AdfaError} from '../../base/checks/index.ts'

export interface PositiveOnlyRate {
  readonly kind: 'positive-only'
  /** c = P(A=1|Y=1). */
  readonly truePositive: number
  /** Of `truePositive`, for scores that were calibrated on the anchors of these documents. */
  readonly standardError: number
  /** P(Y=1) = P(A) / c, at most 1. */
  readonly prevalence: number
  readonly anchoredCount: number
}

/**
 * P(A=1|Y=1) of an anchor that never fires falsely (Section 3.3, positive-only): the mean of g(x) = P(A=1|x) over the
 * documents where it fires (Elkan and Noto 2008, estimator e1). The scores must be calibrated, and each made by a
 * classifier that has not seen its document. Cost: O(N).
 *
 * Assumes P(A=1|Y=0) = 0, that A does not depend on x given Y, and that x tells Y for certain wherever the anchor
 * fires: then g = c there. Where x leaves doubt, the mean is c E[P(Y=1|x) | A=1]: too low, on short titles by as much
 * as two nats.
 *
 * Its variance has two parts: s^2 / n, of scores with spread s over the n anchored documents, and c^2 (1 - c) / n, of the share
 * c of about n / c documents that calibration had to find from these very anchors.
 */
export function positiveOnlyRate(scores: ArrayLike<number>, fired: ArrayLike<number | boolean>): PositiveOnlyRate {
  const N = scores.length
  if (fired.length !== N)
    throw new AdfaError('bad-rates', `${N} scores and ${fired.length} documents; give one score for each document`)
  let n = 0
  let mean = 0
  let spread = 0
  for (let d = 0; d < N; d++) {
    const g = scores[d]
    if (!(g >= 0 && g <= 1))
      throw new AdfaError('bad-rates', `score ${g} of document ${d}; P(A=1|x) lies in [0, 1]; calibrate the scores`)
    if (!fired[d]) continue
    // Welford's update: one pass, and no difference of large sums.
    const before = g - mean
    mean += before / ++n
    spread += before * (g - mean)
  }
  if (n < 2 || mean === 0)
    throw new AdfaError(
      'bad-rates',
      `the anchor fires in ${n} of ${N} documents, where its mean score is ${mean}; ` +
        'at least 2 documents and a score above 0 are needed; choose another anchor'
    )
  return {
    kind: 'positive-only',
    truePositive: mean,
    standardError: Math.sqrt((spread / (n - 1) + mean * mean * (1 - mean)) / n),
    prevalence: Math.min(n / N / mean, 1),
    anchoredCount: n
  }
}
