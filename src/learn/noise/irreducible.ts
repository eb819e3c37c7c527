import {AdfaError} from '../../base/checks/index.ts'
import {clamp} from '../../base/numeric/index.ts'
import {NORMAL_95, type RateInterval} from './rate-interval.ts'

export interface IrreducibleRates {
  readonly kind: 'irreducible'
  /** t = sup P(A=1|x), with its 95% interval. */
  readonly truePositive: RateInterval
  /** e = inf P(A=1|x), with its 95% interval. */
  readonly falsePositive: RateInterval
  /** P(Y=1) = (P(A) - e) / (t - e), held within [0, 1]. */
  readonly prevalence: number
}

/**
 * Share of the documents with (for t) or without (for e) the anchor that may lie beyond the score taken as the end of
 * the range.
 */
const TAIL_SHARE = 0.1
/**
 * Calibration by isotonic regression overshoots at the ends of a plateau. With k documents beyond, of n in the plateau, its value
 * exceeds the truth v by less than 1.7 sqrt(v (1 - v) / k) in 97.5 of 100 simulated plateaus, whatever n (1.64 to 1.73 for
 * k/n from 0.001 to 0.67), and falls short by less than the error of the whole plateau, 1.96 sqrt(v (1 - v) / n).
 */
const OVERSHOOT = 1.7

/**
 * P(A|Y) from the range of g(x) = P(A=1|x) = e + (t - e) P(Y=1|x) (Section 3.3, mutually irreducible; Scott 2015, Menon
 * et al. 2015): t = sup g and e = inf g. The scores must be calibrated and cross-fitted. Cost: a sort of N scores.
 *
 * Assumes that A does not depend on x given Y, and that some x leave no doubt of Y = 1, others none of Y = 0.
 *
 * Differs from the papers, which take the largest and smallest score: those grow apart with the number of documents
 * when scores are noisy. Here a tenth of the anchored documents (counted as sum g) may score higher than t, a tenth of
 * the others lower than e. Bias: none if at least as many documents as the tail leave no doubt and their scores are
 * exact; t is too low (and e too high) if fewer do; t is too high where words depend on the anchor, or where scores are
 * noisy.
 *
 * Intervals are for scores that were calibrated on the anchors of these documents, and hold where no document is in
 * doubt; where many are, the plateaus that they think of are larger than the true ones.
 */
export function irreducibleRates(scores: ArrayLike<number>): IrreducibleRates {
  const sorted = Float64Array.from(scores).sort()
  const N = sorted.length
  // Sorting puts NaN last, so both ends tell for all.
  if (!(N > 1 && sorted[0] >= 0 && sorted[N - 1] <= 1))
    throw new AdfaError(
      'bad-rates',
      `${N} scores from ${sorted[0]} to ${sorted[N - 1]}; P(A=1|x) of at least 2 documents, in [0, 1], is needed; ` +
        'calibrate the scores'
    )
  const expected = sorted.reduce((sum, g) => sum + g, 0)
  const [above, below] = [expected, N - expected].map(share => Math.min(Math.floor(TAIL_SHARE * share), N - 1))
  const [t, e] = [sorted[N - 1 - above], sorted[below]]
  if (!(t > e))
    throw new AdfaError(
      'bad-rates',
      `the scores of ${N} documents span no range (${e} to ${t}): the words say nothing about the anchor; ` +
        'choose another method'
    )
  const prevalence = clamp((expected / N - e) / (t - e), 0, 1)
  const [atTop, atBottom] = [prevalence * N, (1 - prevalence) * N]
  return {
    kind: 'irreducible',
    truePositive: {value: t, low: shareLimit(t, above, -OVERSHOOT), high: shareLimit(t, atTop, NORMAL_95)},
    falsePositive: {value: e, low: shareLimit(e, atBottom, -NORMAL_95), high: shareLimit(e, below, OVERSHOOT)},
    prevalence
  }
}

/**
 * The share v that lies z of its own deviations, sqrt(v (1 - v) / n), above the one observed, or below it (Wilson). One document is
 * the least that it may rest on.
 */
function shareLimit(observed: number, documents: number, z: number): number {
  const n = Math.max(documents, 1)
  const margin = z * Math.sqrt((observed * (1 - observed)) / n + (z / (2 * n)) ** 2)
  const limit = (observed + (z * z) / (2 * n) + margin) / (1 + (z * z) / n)
  return z < 0 ? clamp(limit, 0, observed) : clamp(limit, observed, 1)
}
