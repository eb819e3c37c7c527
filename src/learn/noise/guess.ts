/**
 * Rates of an anchor without a single label. No estimator is reliable then: on seven tagged corpora the 90% intervals of
 * `pair` and `irreducible` held the truth in 24% to 59% of the cases, and no other evidence beats a constant. So people read
 * that constant, with an interval that covers; the estimates are only points to predict with, and refuse no concept.
 */
import {clamp, log, logit, sigmoid} from '../../base/numeric/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import {
  exactly,
  impliedRates,
  nearestUsable,
  type RateInterval,
  type Rates,
  type Shares,
  TRUE_POSITIVE_LIMIT,
  widened
} from './rates.ts'

/**
 * What anchors chosen by people are like, over the tagged corpora of research/bench/label-free-rates.ts: right in about 70% of
 * the documents where they fire, with P(Y) about 0.2 sqrt(P(A)) and P(A=1|Y=1) at most 0.95. The margins are the narrowest
 * round ones whose intervals hold the rates of the tags in about nine of ten cases, each corpus counted once.
 */
const TYPICAL = {
  precision: 0.7,
  precisionMargin: 3.1,
  prevalenceScale: 0.2,
  prevalenceFactor: 3.5,
  mostTruePositive: 0.95
}

/**
 * Constants of the guess, chosen by predictions on five corpora (docs/noise.md): P(A) / P(Y) and P(Y|A) of a usual anchor,
 * the most concepts per document, and the slope of a weak sign, which counts little since errors that differ between concepts
 * hurt more than a common one. The error of log P(Y) was 0.27 to 0.63.
 */
const GUESS = {truePositive: 0.47, precision: 0.9, mostConcepts: 2, othersSlope: 0.6}

/** The prevalence and precision that people read: a constant for anchors of this firing rate, which is not measured. */
export function typicalShares(firing: number): Shares<RateInterval> {
  const {precision, precisionMargin, prevalenceScale, prevalenceFactor, mostTruePositive} = TYPICAL
  const precisionAt = (margin: number) => sigmoid(logit(precision) + margin)
  const middle = Math.max(prevalenceScale * Math.sqrt(firing), (precision * firing) / mostTruePositive)
  return {
    prevalence: {value: middle, low: middle / prevalenceFactor, high: Math.min(middle * prevalenceFactor, 1)},
    precision: {value: precision, low: precisionAt(-precisionMargin), high: precisionAt(precisionMargin)}
  }
}

/** The share of the best precision that is the prevalence of an anchor in nearly all documents. */
const NEARLY = 0.9

/**
 * The rates to predict with: they follow from the estimates, or from the typical shares where there is none. Rates that `weakAnchor`
 * refuses move towards a more precise anchor of a rarer concept; where that end is refused too, the estimates are dropped.
 * Requires 0 < P(A) < 1.
 */
export function labelFreeRates(firing: number, estimated: Partial<Shares<number>>): Rates {
  const typical = typicalShares(firing)
  const shares = {
    prevalence: widened(typical.prevalence, estimated.prevalence ?? typical.prevalence.value),
    precision: widened(typical.precision, estimated.precision ?? typical.precision.value)
  }
  const found = [shares, typical].map(one => nearestUsable(firing, one)).find(({refusal}) => refusal === undefined)
  const {high} = typical.precision
  const {truePositive, falsePositive} = found?.rates ?? impliedRates(firing, NEARLY * high, high)
  return {truePositive, falsePositive}
}

/**
 * A guess at P(Y) and P(Y|A) without labels, by P(A) and by how many times as many other anchors fire beside each anchor as
 * in all documents ({@link otherAnchors}). No assumption makes it consistent, and its constants were chosen on a few corpora.
 * P(A) / P(Y) is 0.47, or what makes two concepts per document where that would make more. With z the difference from the
 * mean over the anchors, weighted by P(A): logit P(Y|A) = logit 0.9 - 0.6 z(log others).
 */
export function guessRates(firing: readonly number[], others: readonly number[]): Shares<RateInterval>[] {
  const total = firing.reduce((sum, share) => sum + share, 0)
  const mean = firing.reduce((sum, share, i) => sum + share * log(others[i]), 0) / total
  const level = Math.max(GUESS.truePositive, total / GUESS.mostConcepts)
  return firing.map((share, i) => {
    const t = clamp(level, share, Math.max(TRUE_POSITIVE_LIMIT, share))
    const precision = sigmoid(logit(GUESS.precision) - GUESS.othersSlope * (log(others[i]) - mean))
    return {prevalence: exactly(share / t), precision: exactly(precision)}
  })
}

/**
 * Returns for each anchor how many other anchors fire in its documents, divided by the number expected by chance, with
 * one added to both.
 */
export function otherAnchors(counts: Counts): number[] {
  const together = anchorPairCounts(counts)
  const m = counts.lexicon.anchors.length
  const firing = Array.from({length: m}, (_, i) => together[i * m + i])
  const all = firing.reduce((sum, count) => sum + count, 0)
  return firing.map((count, i) => {
    let beside = -count
    for (let k = 0; k < m; k++) beside += together[i * m + k]
    return (Math.max(0, beside) + 1) / ((count * (all - count)) / counts.documentCount + 1)
  })
}
