/**
 * Rates of an anchor without a single label. No estimator is reliable then: on seven tagged corpora the 90% intervals of
 * `pair` and `irreducible` held the truth in 24% to 59% of the cases. So concepts are never refused on such estimates, and
 * people read an interval that rests on what anchors chosen by people were like, not on the estimate. The estimate remains
 * the value to predict with, pulled towards that prior.
 */
import {clamp, logit, sigmoid} from '../../base/numeric/index.ts'
import {impliedRates, type RateInterval, TRUE_POSITIVE_LIMIT, type UsableRates, usableRates} from './rates.ts'

/**
 * What words chosen by people are like, over 339 anchors of six tagged corpora (research/bench/label-free-rates.ts): right in
 * about 70% of the documents where they occur, with P(Y) about 0.2 sqrt(P(A)). The intervals hold the rates of the tags in
 * 96% and 91% of the cases, each corpus counted once.
 */
const USUAL_PRECISION = 0.7
const PRECISION_ENDS = [0.12, 0.995] as const
const PREVALENCE_SCALE = 0.2
const PREVALENCE_FACTOR = 4
/** Estimates of 0 and 1 are not believed. */
const MOST_PRECISE = 0.98
const NEARLY = 0.9

/**
 * What is known about an anchor without labels: values to predict with, and intervals that cover the truth. `estimated` are
 * the values of estimators, where any applies. The precision is halfway between its estimate and the usual one, in log-odds;
 * rates that `weakAnchor` would refuse move towards the better end of the intervals. Undefined for an anchor that fires in
 * no document, or in all.
 */
export function labelFreeRates(
  firing: number,
  estimated: Readonly<Partial<Record<'prevalence' | 'precision', number>>>
): UsableRates | undefined {
  if (!(firing > 0 && firing < 1)) return undefined
  const usual = logit(USUAL_PRECISION)
  const found = clamp(estimated.precision ?? USUAL_PRECISION, 1 - MOST_PRECISE, MOST_PRECISE)
  const precision = around(sigmoid((usual + logit(found)) / 2), PRECISION_ENDS)
  // The anchor cannot fire in more documents than have the concept.
  const middle = Math.max(PREVALENCE_SCALE * Math.sqrt(firing), (USUAL_PRECISION * firing) / TRUE_POSITIVE_LIMIT)
  const prevalence = around(estimated.prevalence ?? middle, [
    middle / PREVALENCE_FACTOR,
    Math.min(middle * PREVALENCE_FACTOR, 1)
  ])
  const usable = usableRates(firing, {prevalence, precision})
  if (usable !== undefined) return usable
  // An anchor in nearly all documents: the concept is common, and the anchor more common with it than without.
  const value = NEARLY * precision.high
  const best = {
    prevalence: around(value, [prevalence.low, prevalence.high]),
    precision: {...precision, value: precision.high}
  }
  return {...best, ...impliedRates(firing, value, precision.high)}
}

function around(value: number, [low, high]: readonly [number, number]): RateInterval {
  return {value, low: Math.min(low, value), high: Math.max(high, value)}
}
