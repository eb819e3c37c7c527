import {AdfaError, betaQuantile, clamp, gammaQuantile} from '../numeric/index.ts'
import type {RateInterval} from './rate-interval.ts'
import {type RateRefusal, rateRefusals} from './rate-refusals.ts'

/** What one or two hundred whole labelled documents, and the anchors of all documents, say about each concept. */
export interface LabelledSample {
  /** All documents, labelled or not. */
  readonly documentCount: number
  /** In how many of all documents each anchor fires. */
  readonly anchoredCounts: readonly number[]
  /** D: documents drawn at random, each labelled with all its concepts. */
  readonly labelledCount: number
  /** k: of those D, the ones that have the concept. */
  readonly positiveCounts: readonly number[]
  /** n: labelled documents where the anchor fires; those labelled beyond the D because of it count here too. */
  readonly labelledAnchoredCounts: readonly number[]
  /** j: of those n, the ones that have the concept. */
  readonly labelledTrueCounts: readonly number[]
}

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

export interface PooledRates {
  readonly concepts: readonly PooledRate[]
  /** Shared P(A) / p, to which each concept is drawn. */
  readonly pooledEffective: number
  /** Shared precision, to which each concept is drawn. */
  readonly pooledPrecision: number
}

/**
 * Weight of the pooled prevalence, in positives: a gamma of shape 3 varies by 0.63 in the log, concepts of one corpus
 * by 0.3-0.7.
 */
const PREVALENCE_WEIGHT = 3
/** Weight of the pooled precision, in anchored documents. */
const PRECISION_WEIGHT = 4
/** Precision before any anchored document is labelled: the median over eight corpora. */
const USUAL_PRECISION = 0.8
/** At 1, a document that has the concept and not the anchor would be impossible. */
export const TRUE_POSITIVE_LIMIT = 0.98
/** Prevalences keep the distance from 0 and 1 that `estimateNoise` keeps. */
const PREVALENCE_FLOOR = 1e-4

/**
 * Prevalence and precision of each anchor, and the noise rates they imply, from a few whole labelled documents.
 *
 * With a = P(A) of all documents, concepts are pooled in P(A) / p, on the whole tbar = D sum(a) / sum(k):
 *     p ~ Gamma(k + 3, rate D + 3 tbar / a)         a Poisson count k, and a gamma prior of shape 3 and mean a / tbar
 *     r ~ Beta(j + 4 rbar, n - j + 4 (1 - rbar))    with rbar the precision of all anchored documents together
 * Estimates are the means, intervals the quantiles. Cost: O(m).
 *
 * Assumes that the D documents are a random sample of all. Beyond the paper, whose setting 4 counts each concept by
 * itself: at 100 documents many concepts have one or two positives, and rates that differ by chance do more harm than
 * rates that are alike.
 */
export function pooledRates(sample: LabelledSample, level = 0.9): PooledRates {
  checkSample(sample, level)
  const {documentCount, anchoredCounts, labelledCount: D, positiveCounts} = sample
  // An anchor that never fires counts as half a document, so that its numbers stay finite; it is refused in any case.
  const firing = anchoredCounts.map(count => Math.max(count, 0.5) / documentCount)
  const tbar = (D * sum(firing)) / sum(positiveCounts)
  const rbar =
    (sum(sample.labelledTrueCounts) + PRECISION_WEIGHT * USUAL_PRECISION) /
    (sum(sample.labelledAnchoredCounts) + PRECISION_WEIGHT)
  const concepts = firing.map((a, i) => {
    const prevalence = prevalenceOf(positiveCounts[i] + PREVALENCE_WEIGHT, D + (PREVALENCE_WEIGHT * tbar) / a, level)
    const hits = sample.labelledTrueCounts[i] + PRECISION_WEIGHT * rbar
    const precision = precisionOf(hits, sample.labelledAnchoredCounts[i] + PRECISION_WEIGHT - hits, level)
    return rateOf(a, prevalence, precision, anchoredCounts[i])
  })
  return {concepts, pooledEffective: tbar, pooledPrecision: rbar}
}

function rateOf(a: number, prevalence: RateInterval, precision: RateInterval, anchoredCount: number): PooledRate {
  const p = clamp(prevalence.value, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
  const r = precision.value
  const t = (r * a) / p
  const truePositive = Math.min(t, TRUE_POSITIVE_LIMIT)
  const rate = {
    prevalence: {...prevalence, value: p},
    precision,
    effectiveTruePositive: {value: a / p, low: a / prevalence.high, high: a / prevalence.low},
    truePositive,
    falsePositive: ((1 - r) * a) / (1 - p),
    clipped: p !== prevalence.value || t !== truePositive
  }
  return {...rate, refusals: rateRefusals(rate, anchoredCount)}
}

function prevalenceOf(shape: number, rate: number, level: number): RateInterval {
  const [low, high] = [(1 - level) / 2, (1 + level) / 2].map(share => Math.min(gammaQuantile(shape, share) / rate, 1))
  return {value: shape / rate, low, high}
}

function precisionOf(hits: number, misses: number, level: number): RateInterval {
  const [low, high] = [(1 - level) / 2, (1 + level) / 2].map(share => betaQuantile(hits, misses, share))
  return {value: hits / (hits + misses), low, high}
}

function checkSample(sample: LabelledSample, level: number): void {
  const {documentCount, anchoredCounts, labelledCount, positiveCounts, labelledAnchoredCounts, labelledTrueCounts} =
    sample
  const refuse = (message: string) => new AdfaError('bad-rates', message)
  if (!(level > 0 && level < 1))
    throw new AdfaError('bad-option', `level ${level}; an interval needs one between 0 and 1`)
  const m = anchoredCounts.length
  for (const counts of [positiveCounts, labelledAnchoredCounts, labelledTrueCounts])
    if (counts.length !== m)
      throw refuse(`counts of ${counts.length} concepts beside those of ${m}; give one for each concept`)
  for (let i = 0; i < m; i++) {
    const within = (count: number, limit: number) => Number.isInteger(count) && count >= 0 && count <= limit
    if (
      !within(anchoredCounts[i], documentCount) ||
      !within(positiveCounts[i], labelledCount) ||
      !within(labelledAnchoredCounts[i], documentCount) ||
      !within(labelledTrueCounts[i], labelledAnchoredCounts[i])
    )
      throw refuse(
        `concept number ${i}: ${anchoredCounts[i]} of ${documentCount} documents anchored, ` +
          `${positiveCounts[i]} of ${labelledCount} labelled positive, ` +
          `${labelledTrueCounts[i]} of ${labelledAnchoredCounts[i]} anchored true; ` +
          'each must be a whole number from 0 to what it is counted in; count again'
      )
  }
  if (sum(positiveCounts) === 0)
    throw refuse(`none of ${labelledCount} labelled documents has any of ${m} concepts; label more documents`)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
