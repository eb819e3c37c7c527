/**
 * Chooses the rates of an anchor without a single label. No estimator is reliable then: on seven tagged corpora the 90%
 * intervals of `pair` and `irreducible` held the truth in 24% to 59% of the cases, and no other evidence predicts rates better
 * than constants do. So the rates are used to predict, refuse no concept, and are not shown to people.
 */
import {clamp, log, logit, sigmoid} from '../../base/numeric/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import {
  impliedRates,
  nearestUsableRates,
  PREVALENCE_FLOOR,
  pointInterval,
  type RateInterval,
  type Rates,
  type Shares,
  TRUE_POSITIVE_LIMIT
} from './rates.ts'

/**
 * The margins, in log-odds of the precision and as a factor of the prevalence, within which the true shares lay in about nine
 * of ten cases on eight corpora, each counted once.
 */
const MARGIN = {precision: 3.1, prevalence: 3.5}

/**
 * The constants of the guess, chosen to predict best on five corpora (docs/noise.md): P(A) / P(Y) and P(Y|A) of a typical
 * anchor, the largest mean number of concepts in a document, and how much logit P(Y|A) falls as the logarithm of the ratio of
 * other anchors rises by 1. This slope is small, since errors that differ between concepts harm predictions more than an error
 * that all concepts share. The root mean square error of log P(Y) was 0.27 to 0.63.
 */
const GUESS = {ratio: 0.47, precision: 0.9, maxConcepts: 2, othersSlope: 0.6}

/** Returns the ranges in which shares that nobody measured may lie; the width 0 of their own intervals says nothing. */
export function possibleShares({prevalence: p, precision: r}: Shares<number>): Shares<RateInterval> {
  const precisionAt = (margin: number) => sigmoid(logit(r, PREVALENCE_FLOOR) + margin)
  return {
    prevalence: {value: p, low: p / MARGIN.prevalence, high: Math.min(p * MARGIN.prevalence, 1)},
    precision: {value: r, low: precisionAt(-MARGIN.precision), high: precisionAt(MARGIN.precision)}
  }
}

/** P(Y) / P(Y|A), assumed if no rates pass `rateFault`; this happens for an anchor that fires in nearly all documents. */
const FALLBACK_RATIO = 0.9

/**
 * Returns the rates P(A=1|Y) of an anchor that has no labels. `firing` is P(A=1), strictly between 0 and 1; `estimated` are the
 * estimates of P(Y=1) and P(Y=1|A=1). These are the usable rates nearest to the estimates, which pass `rateFault`, or those of
 * a barely informative anchor, whose prevalence is just below its precision.
 */
export function labelFreeRates(firing: number, estimated: Shares<number>): Rates {
  const shares = possibleShares(estimated)
  const {rates, refusal} = nearestUsableRates(firing, shares)
  const {high} = shares.precision
  const usable = refusal ? impliedRates(firing, {prevalence: FALLBACK_RATIO * high, precision: high}) : rates
  return {truePositive: usable.truePositive, falsePositive: usable.falsePositive}
}

/**
 * Guesses P(Y) and P(Y|A) without labels from P(A) and from the number of other anchors that fire beside each anchor
 * ({@link otherAnchorRatios}). No assumption makes the guess consistent. P(A) / P(Y) is 0.47, or more if documents would have
 * more than two concepts on average. With z the difference of log `others` from its mean over the anchors, weighted by P(A):
 * logit P(Y|A) = logit 0.9 - 0.6 z.
 */
export function guessShares(firing: readonly number[], others: readonly number[]): Shares<RateInterval>[] {
  const total = firing.reduce((sum, share) => sum + share, 0)
  const mean = firing.reduce((sum, share, i) => sum + share * log(others[i]), 0) / total
  const commonRatio = Math.max(GUESS.ratio, total / GUESS.maxConcepts)
  return firing.map((share, i) => {
    // P(A) / P(Y) is at least P(A), since P(Y) is at most 1.
    const ratio = clamp(commonRatio, share, Math.max(TRUE_POSITIVE_LIMIT, share))
    const precision = sigmoid(logit(GUESS.precision) - GUESS.othersSlope * (log(others[i]) - mean))
    return {prevalence: pointInterval(share / ratio), precision: pointInterval(precision)}
  })
}

/** Returns for each anchor the firings of other anchors in its documents / those expected by chance, after adding 1 to both. */
export function otherAnchorRatios(counts: Counts): number[] {
  const together = anchorPairCounts(counts)
  const m = counts.lexicon.anchors.length
  const anchored = Array.from({length: m}, (_, i) => together[i * m + i])
  const all = anchored.reduce((sum, count) => sum + count, 0)
  return anchored.map((count, i) => {
    let others = -count
    for (let k = 0; k < m; k++) others += together[i * m + k]
    // Counts from released tables may be negative.
    return (Math.max(0, others) + 1) / ((count * (all - count)) / counts.documentCount + 1)
  })
}
