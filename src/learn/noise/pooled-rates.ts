import {clamp, log} from '../../base/numeric/index.ts'
import type {Hierarchy, HierarchyParameter} from './fit-hierarchy.ts'

import {checkSample, type LabelledSample} from './labelled-sample.ts'
import {
  type EstimatedRates,
  PREVALENCE_FLOOR,
  type RateInterval,
  type RateRefusal,
  rateRefusals,
  TRUE_POSITIVE_LIMIT
} from './rates.ts'
import {pointQuantile, type StratumShares, stratumShares, unscoredBins} from './stratum-shares.ts'

/** The rates of one anchor by labelled documents. */
export interface PooledRate extends Omit<EstimatedRates, 'concept'> {
  /** P(A) / p: t of an anchor that never fires falsely; above 1 where it fires more often than the concept occurs. */
  readonly effectiveTruePositive: RateInterval
  /** Whether p or t was limited. */
  readonly clipped: boolean
  /** Why the labels refuse the concept; empty when it may be used. */
  readonly refusals: readonly RateRefusal[]
}

export interface PooledRates {
  readonly concepts: readonly PooledRate[]
  readonly certificate: PooledCertificate
}

/** The distribution of the concepts; all in log-odds. */
export interface PooledCertificate {
  /** Of P(Y=1|A=1): its mean. */
  readonly precision: Omit<Hierarchy, 'posteriors'>
  /** Of P(Y=1|A=0): its mean, and its slope in the log-odds of P(A). */
  readonly missed: Omit<Hierarchy, 'posteriors'>
}

/**
 * Prevalence and precision of each anchor, and the rates they imply, from a few labelled documents.
 *
 * With a = P(A), counted in all documents, p = r a + q (1 - a): labels give the precision r where the anchor fires and the
 * missed share q = P(Y=1|A=0) where it does not, so a chance surplus of anchored documents does no harm. Concepts are
 * pooled: logit r varies about a mean, logit q about c + b logit a, all learned from the labels of all concepts
 * ({@link stratumShares}). Estimates are medians, intervals are quantiles. Cost: about a millisecond per concept.
 *
 * Differs from the paper, whose setting 4 counts each concept by itself: at 100 documents many concepts have one or two
 * positives, and rates that differ by chance do more harm than rates that are alike.
 */
export function pooledRates(sample: LabelledSample, level = 0.9): PooledRates {
  const {precision, missed} = pooledShares(sample, level)
  return {
    concepts: sample.anchoredCounts.map((_, i) =>
      rateFromShares(sample, i, {precisions: precision.points[i], missed: missed.points[i]}, level)
    ),
    certificate: {precision: precision.hierarchy, missed: missed.hierarchy}
  }
}

/** The distributions of r and q of every concept. */
export function pooledShares(sample: LabelledSample, level: number): {precision: StratumShares; missed: StratumShares} {
  checkSample(sample, level)
  const firing = firingLogOdds(sample)
  return {
    precision: stratumShares(unscoredBins(sample, 1), [0], [commonParameter(USUAL_PRECISION, firing.length)]),
    missed: stratumShares(unscoredBins(sample, 0), [0], [missedParameter(firing)])
  }
}

/** The rates of concept i from equally probable values of r and q, which are independent: p for all pairs of them. */
export function rateFromShares(
  {documentCount, anchoredCounts}: LabelledSample,
  i: number,
  {precisions, missed}: Readonly<Record<'precisions' | 'missed', Float64Array>>,
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
  // At least half a document, or P(A) / p could be infinite.
  const low = Math.min(Math.max(found.low, 0.5 / documentCount), p)
  const high = Math.max(found.high, p)
  const t = (precision.value * share) / p
  const truePositive = Math.min(t, TRUE_POSITIVE_LIMIT)
  // An anchor that never fires counts as half a document, so that its numbers stay finite; it is refused anyway.
  const a = Math.max(anchoredCount, 0.5) / documentCount
  const rate = {
    prevalence: {value: p, low, high},
    precision,
    effectiveTruePositive: {value: a / p, low: a / high, high: a / low},
    truePositive,
    falsePositive: ((1 - precision.value) * share) / (1 - p),
    clipped: p !== found.value || t !== truePositive
  }
  return {...rate, refusals: rateRefusals(share, rate)}
}

function intervalOf(ascending: Float64Array, level: number): RateInterval {
  const [value, low, high] = [0.5, (1 - level) / 2, (1 + level) / 2].map(share => pointQuantile(ascending, share))
  return {value, low, high}
}

// Priors in log-odds: round numbers typical of the corpora used in development, worth a few labelled concepts.
/** 80%, the median precision over eight corpora; corpora and the concepts of a corpus vary by 1 each. */
const USUAL_PRECISION = {priorMean: [1.4], priorDeviation: [1], priorSpread: 1, spreadWeight: 4}

/** The missed share relative to P(A): a concept is missed about as often as found. */
const MISSED_LEVEL = {mean: 0.35, deviation: 3}
/** A concept found twice as often is missed about twice as often. */
const FIRING_SLOPE = {mean: 1, deviation: 0.5}
/** Left to the labels: whether concepts that words predict well are missed more often or less. */
const CLARITY_SLOPE = {mean: 0, deviation: 0.5}
/** Concepts of a corpus differ by 0.5 to 1; worth four concepts. */
const MISSED_SPREAD = {priorSpread: 0.7, spreadWeight: 4}

/** Log-odds of the concept per log-odds of the anchor. Labels carry little information about it: a strong prior. */
export const SCORE_SLOPE = {priorMean: [0.8], priorDeviation: [0.2], priorSpread: 0.3, spreadWeight: 20}

/** A parameter that varies about the same mean for all of m concepts. */
export function commonParameter(prior: Omit<HierarchyParameter, 'predictors'>, m: number): HierarchyParameter {
  return {...prior, predictors: Array.from({length: m}, () => [1])}
}

/** The missed share; `clarity` measures how well words predict the anchor. */
export function missedParameter(firing: readonly number[], clarity?: readonly number[]): HierarchyParameter {
  const mean = firing.reduce((sum, x) => sum + x, 0) / firing.length
  const slopes = clarity === undefined ? [FIRING_SLOPE] : [FIRING_SLOPE, CLARITY_SLOPE]
  const columns = clarity === undefined ? [centered(firing)] : [centered(firing), centered(clarity)]
  return {
    predictors: firing.map((_, i) => [1, ...columns.map(column => column[i])]),
    priorMean: [mean + MISSED_LEVEL.mean, ...slopes.map(slope => slope.mean)],
    priorDeviation: [MISSED_LEVEL.deviation, ...slopes.map(slope => slope.deviation)],
    ...MISSED_SPREAD
  }
}

/** The log-odds of P(A), half a document added on either side to keep them finite. */
export function firingLogOdds({documentCount, anchoredCounts}: LabelledSample): number[] {
  return anchoredCounts.map(count => log((count + 0.5) / (documentCount - count + 0.5)))
}

function centered(values: readonly number[]): number[] {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length
  return values.map(x => x - mean)
}
