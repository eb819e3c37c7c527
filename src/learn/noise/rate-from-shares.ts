import {clamp} from '../../base/numeric/index.ts'
import {PREVALENCE_FLOOR, TRUE_POSITIVE_LIMIT} from './concept-rates.ts'
import type {LabelledSample} from './labelled-sample.ts'
import type {RateInterval} from './rate-interval.ts'
import {type RateRefusal, rateRefusals} from './rate-refusals.ts'
import {pointQuantile} from './stratum-shares.ts'

/** What labelled documents say of one anchor. */
export interface PooledRate {
  /** p = P(Y=1). */
  readonly prevalence: RateInterval
  /** r = P(Y=1|A=1). */
  readonly precision: RateInterval
  /** P(A) / p: t as if the anchor never fired falsely; above 1 where it fires more often than the concept occurs. */
  readonly effectiveTruePositive: RateInterval
  /** t = P(A=1|Y=1) = r P(A) / p. */
  readonly truePositive: number
  /** e = P(A=1|Y=0) = (1 - r) P(A) / (1 - p). */
  readonly falsePositive: number
  /** Whether p, or t, was out of range and is held at its limit. */
  readonly clipped: boolean
  /** Why the concept should not be used; empty when it may be. */
  readonly refusals: readonly RateRefusal[]
}

/**
 * The rates of concept i from equally probable values of P(Y=1|A=1) and of P(Y=1|A=0), which are independent: labels
 * of the one say nothing of the other. p = r a + q (1 - a) for all pairs of them.
 */
export function rateFromShares(
  {documentCount, anchoredCounts}: LabelledSample,
  i: number,
  precisions: Float64Array,
  missed: Float64Array,
  level: number
): PooledRate {
  const anchoredCount = anchoredCounts[i]
  const share = anchoredCount / documentCount
  const prevalences = new Float64Array(precisions.length * missed.length)
  precisions.forEach((r, at) => {
    missed.forEach((q, by) => {
      prevalences[at * missed.length + by] = r * share + q * (1 - share)
    })
  })
  const found = intervalOf(prevalences.sort(), level)
  const precision = intervalOf(precisions, level)
  const p = clamp(found.value, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
  // A concept that perhaps no document has is still given half a document, or P(A) / p would be infinite.
  const low = Math.min(Math.max(found.low, 0.5 / documentCount), p)
  const high = Math.max(found.high, p)
  const t = (precision.value * share) / p
  const truePositive = Math.min(t, TRUE_POSITIVE_LIMIT)
  // An anchor that never fires counts as half a document, so that its numbers stay finite; it is refused in any case.
  const a = Math.max(anchoredCount, 0.5) / documentCount
  const rate = {
    prevalence: {value: p, low, high},
    precision,
    effectiveTruePositive: {value: a / p, low: a / high, high: a / low},
    truePositive,
    falsePositive: ((1 - precision.value) * share) / (1 - p),
    clipped: p !== found.value || t !== truePositive
  }
  return {...rate, refusals: rateRefusals(rate, anchoredCount)}
}

function intervalOf(ascending: Float64Array, level: number): RateInterval {
  const [value, low, high] = [0.5, (1 - level) / 2, (1 + level) / 2].map(share => pointQuantile(ascending, share))
  return {value, low, high}
}
