import {AdfaError, clamp} from '../numeric/index.ts'
import type {RateInterval} from './rate-interval.ts'

export interface IrreducibleRates {
  readonly kind: 'irreducible'
  /** t = sup P(A=1|x); the interval covers which documents were drawn, not the error of their scores. */
  readonly truePositive: RateInterval
  /** e = inf P(A=1|x); its interval likewise. */
  readonly falsePositive: RateInterval
  /** P(Y=1) = (P(A) - e) / (t - e), held within [0, 1]. */
  readonly prevalence: number
}

/**
 * Share of the documents with (for t) or without (for e) the anchor that may lie beyond the score taken as the end of
 * the range.
 */
const TAIL_SHARE = 0.1
/** The interval is the scores two standard deviations of a Poisson rank away: about 95%. */
const RANK_DEVIATIONS = 2

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
  const fromTop = rankRange(TAIL_SHARE * expected, N).map(rank => sorted[N - 1 - rank])
  const fromBottom = rankRange(TAIL_SHARE * (N - expected), N).map(rank => sorted[rank])
  const truePositive = {high: fromTop[0], value: fromTop[1], low: fromTop[2]}
  const falsePositive = {low: fromBottom[0], value: fromBottom[1], high: fromBottom[2]}
  const [t, e] = [truePositive.value, falsePositive.value]
  if (!(t > e))
    throw new AdfaError(
      'bad-rates',
      `the scores of ${N} documents span no range (${e} to ${t}): the words say nothing about the anchor; ` +
        'choose another method'
    )
  return {kind: 'irreducible', truePositive, falsePositive, prevalence: clamp((expected / N - e) / (t - e), 0, 1)}
}

/** The rank that leaves `beyond` scores outside, with its limits on the outer and the inner side. */
function rankRange(beyond: number, N: number): number[] {
  const spread = RANK_DEVIATIONS * Math.sqrt(beyond)
  return [beyond - spread, beyond, beyond + spread].map(rank => clamp(Math.floor(rank), 0, N - 1))
}
