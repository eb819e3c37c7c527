/**
 * Rates of an anchor without a single label. No estimator is reliable then: on seven tagged corpora the 90% intervals of
 * `pair` and `irreducible` held the truth in 24% to 59% of the cases, and no other evidence beats a constant. So people read
 * that constant, with an interval that covers; the estimates are only points to predict with, and refuse no concept.
 */
import {logit, sigmoid} from '../../base/numeric/index.ts'
import {impliedRates, type RateInterval, type Rates, usableRates} from './rates.ts'

/**
 * What anchors chosen by people are like, over the tagged corpora of research/bench/label-free-rates.ts: right in about 70% of
 * the documents where they fire, with P(Y) about 0.2 sqrt(P(A)). The margins are the narrowest round ones whose intervals
 * hold the rates of the tags in about nine of ten cases, each corpus counted once.
 */
const USUAL_PRECISION = 0.7
const PRECISION_MARGIN = 3.1
const PREVALENCE_SCALE = 0.2
const PREVALENCE_FACTOR = 3.5
/** The largest P(A=1|Y=1) that a usual anchor has. */
const MOST_USUAL = 0.95

type Shares<T> = Readonly<Record<'prevalence' | 'precision', T>>

/** The prevalence and precision that people read: not measured, a constant for anchors of this firing rate. */
export function usualShares(firing: number): Shares<RateInterval> {
  const middle = Math.max(PREVALENCE_SCALE * Math.sqrt(firing), (USUAL_PRECISION * firing) / MOST_USUAL)
  return {
    prevalence: {value: middle, low: middle / PREVALENCE_FACTOR, high: Math.min(middle * PREVALENCE_FACTOR, 1)},
    precision: usualPrecision(USUAL_PRECISION)
  }
}

/** A precision that was not measured, with the interval of usual anchors. */
export function usualPrecision(value: number): RateInterval {
  const at = (margin: number) => sigmoid(logit(value) + margin)
  return {value, low: at(-PRECISION_MARGIN), high: at(PRECISION_MARGIN)}
}

/** Of the best end of the precision, for the prevalence of an anchor in nearly all documents. */
const NEARLY = 0.9

/**
 * The rates to predict with: those of the estimates, and of the usual shares where there is none. Rates that `weakAnchor`
 * refuses move towards a more precise anchor of a rarer concept; where that end is refused too, the estimates are dropped.
 * Requires 0 < P(A) < 1.
 */
export function labelFreeRates(firing: number, estimated: Partial<Shares<number>>): Rates {
  const usual = usualShares(firing)
  const precision = around(estimated.precision ?? USUAL_PRECISION, usual.precision)
  const prevalence = around(estimated.prevalence ?? usual.prevalence.value, usual.prevalence)
  const {truePositive, falsePositive} =
    usableRates(firing, {prevalence, precision}) ?? usableRates(firing, usual) ?? bestRates(firing, usual.precision)
  return {truePositive, falsePositive}
}

/** An anchor in nearly all documents: the concept is common, and the anchor more common with it than without. */
function bestRates(firing: number, {high}: RateInterval): Rates {
  return impliedRates(firing, NEARLY * high, high)
}

function around(value: number, {low, high}: RateInterval): RateInterval {
  return {value, low: Math.min(low, value), high: Math.max(high, value)}
}
