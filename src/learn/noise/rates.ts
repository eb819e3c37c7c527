import {clamp, exp, type Interval, log, logit, NORMAL_90, type Rng, sigmoid} from '../../base/numeric/index.ts'
import {percent} from '../../base/text/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'

/** P(A=1|Y) of an anchor. */
export interface Rates<T = number> {
  /** t = P(A=1|Y=1). */
  readonly truePositive: T
  /** e = P(A=1|Y=0). */
  readonly falsePositive: T
}

/** The rates of all anchors, by concept. */
export interface NoiseRates extends Rates<Float64Array> {
  /** p = P(Y=1) implied by the anchor's frequency, clipped into [1e-4, 1 - 1e-4]. */
  readonly prevalence: Float64Array
}

/** Packs rates into arrays, with the prevalence that each anchor's frequency implies: (P(A) - e) / (t - e). */
export function packedRates(firing: readonly number[], rates: readonly Rates[]): NoiseRates {
  const implied = rates.map(({truePositive: t, falsePositive: e}, i) => (firing[i] - e) / (t - e))
  return {
    truePositive: Float64Array.from(rates, ({truePositive}) => truePositive),
    falsePositive: Float64Array.from(rates, ({falsePositive}) => falsePositive),
    prevalence: Float64Array.from(implied, p => clamp(p, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR))
  }
}

/** A rate with its interval. */
export type RateInterval = Interval

/** What people can judge of an anchor, in place of its rates. */
export interface Shares<T> {
  /** p = P(Y=1). */
  readonly prevalence: T
  /** r = P(Y=1|A=1). */
  readonly precision: T
}

/** The rates of one anchor by any estimator. */
export interface EstimatedRates extends Rates, Shares<RateInterval> {
  readonly concept: string
}

/** At 1, a document with the concept and without the anchor would be impossible. */
export const TRUE_POSITIVE_LIMIT = 0.98
/** At 0, a document with the anchor and without the concept would be impossible. */
const FALSE_POSITIVE_FLOOR = 1e-4
/** Prevalences stay away from 0 and 1, where the shrinkage towards independence would be infinite. */
export const PREVALENCE_FLOOR = 1e-4

/** An interval of width 0. */
export function exactly(value: number): RateInterval {
  return {value, low: value, high: value}
}

/** The interval with this value, widened to hold it. */
export function widened({low, high}: RateInterval, value: number): RateInterval {
  return {value, low: Math.min(low, value), high: Math.max(high, value)}
}

/** P(A|Y) by Bayes' rule from P(A), P(Y) and P(Y|A), limited so that every document stays possible. */
export function impliedRates(firing: number, prevalence: number, precision: number): Rates {
  return {
    truePositive: Math.min((precision * firing) / prevalence, TRUE_POSITIVE_LIMIT),
    falsePositive: Math.max(((1 - precision) * firing) / (1 - prevalence), FALSE_POSITIVE_FLOOR)
  }
}

/**
 * The rates to fit moments and structure with on real text: t = P(A) / p and e = 0.0001, where P(A) = e + (t - e) p of the
 * given rates. Where P(A) / p exceeds 0.98, t is 0.98 and e the remainder. The prevalence is unchanged.
 *
 * Differs from the paper, which corrects with the true (e, t). That is consistent when false positives are independent
 * noise; in text the word appears in documents about related concepts, and subtracting those over-corrects the pair
 * moments. An anchor that is rarer with its concept (t < e) keeps its rates: it has no false firings to explain.
 */
export function oneSidedRates({truePositive, falsePositive, prevalence}: NoiseRates): NoiseRates {
  const raised = Array.from(prevalence, (p, i): Rates => {
    const [t, e] = [truePositive[i], falsePositive[i]]
    if (t < e) return {truePositive: t, falsePositive: e}
    const firing = e + (t - e) * p
    const all = Math.max(t, Math.min(firing / p, TRUE_POSITIVE_LIMIT))
    return {truePositive: all, falsePositive: Math.max((firing - all * p) / (1 - p), Math.min(e, FALSE_POSITIVE_FLOOR))}
  })
  return {
    truePositive: Float64Array.from(raised, rates => rates.truePositive),
    falsePositive: Float64Array.from(raised, rates => rates.falsePositive),
    prevalence
  }
}

/** A rule that the rates of a concept break: what was found, what is needed, and what to do. The last two are doubts only. */
export interface RateFault {
  readonly rule: 'low-true-positive' | 'low-ratio' | 'low-precision' | 'wide-interval'
  readonly reason: string
}

/** Anchors beyond these limits are too weak to correct without harm to other concepts. */
const MIN_TRUE_POSITIVE = 0.05
const MIN_RATIO = 3
/** An anchor of less is doubtful; refusing it would lose its concept and hardly help the others (docs/noise.md). */
export const MIN_PRECISION = 0.45
/** A prevalence less certain than this is doubtful. */
const WIDEST_FACTOR = 6

/**
 * The rule for P(A|Y): an anchor fires in at least 5% of the documents that have the concept, and more than three times as
 * often there as in the others. Returns how it is broken. Labels must show that it is; without labels it never is
 * (`labelFreeRates`). Given rates need only differ, as in the paper.
 */
export function weakAnchor({truePositive: t, falsePositive: e}: Rates): RateFault | undefined {
  if (!(t >= MIN_TRUE_POSITIVE))
    return {
      rule: 'low-true-positive',
      reason: `its anchor fires in ${percent(t)} of the documents that have it, and ${percent(MIN_TRUE_POSITIVE)} is needed; add words to the anchor`
    }
  if (!(t > MIN_RATIO * e))
    return {
      rule: 'low-ratio',
      reason: `its anchor fires in ${percent(t)} of the documents that have it and ${percent(e)} of those that do not, and it must be more than ${MIN_RATIO} times as common with its concept; choose narrower words, or remove the concept`
    }
  return undefined
}

/** The steps from the values of the rates towards the best end of their intervals. */
const STEPS = 16
/** The largest share of the way to that end, since two independent errors seldom reach both ends at once. */
const LONGEST_WAY = Math.SQRT1_2

/**
 * Returns the rates nearest to the values of these intervals that pass {@link weakAnchor}, on the way to the end where the
 * anchor is best: a more precise anchor of a rarer concept. Where even that end breaks the rule, the anchor cannot work:
 * `refusal` says why, and the rates follow from the values.
 */
export function nearestUsable(firing: number, shares: Shares<RateInterval>) {
  for (let step = 0; step <= STEPS; step++) {
    const rates = ratesAt(firing, shares, (LONGEST_WAY * step) / STEPS)
    if (weakAnchor(rates) === undefined) return {rates, refusal: undefined}
  }
  const rates = ratesAt(firing, shares, 0)
  return {rates, refusal: weakAnchor(rates)}
}

/** The rates at a point between the values (0) and the best end (1) of the intervals. */
function ratesAt(firing: number, {prevalence, precision}: Shares<RateInterval>, way: number) {
  const between = (from: number, to: number) => (way === 0 ? from : from + way * (to - from))
  const r = between(precision.value, precision.high)
  // Below this the anchor would fire in more documents than have the concept.
  const least = Math.max((r * firing) / TRUE_POSITIVE_LIMIT, PREVALENCE_FLOOR)
  const p = clamp(between(prevalence.value, prevalence.low), least, 1 - PREVALENCE_FLOOR)
  return {
    prevalence: widened(prevalence, p),
    precision: {...precision, value: r},
    ...impliedRates(firing, p, r)
  }
}

/** Why people should doubt rates that pass {@link weakAnchor}. */
export function rateDoubts({precision, prevalence}: Shares<RateInterval>): RateFault[] {
  const factor = prevalence.high / prevalence.low
  const doubts: RateFault[] = []
  if (precision.value < MIN_PRECISION)
    doubts.push({
      rule: 'low-precision',
      reason: `${percent(precision.value)} of the documents where its anchor fires have it, and ${percent(MIN_PRECISION)} or more is usual; choose narrower words, or veto with "not"`
    })
  if (factor > WIDEST_FACTOR)
    doubts.push({
      rule: 'wide-interval',
      reason: `its prevalence is uncertain by a factor of ${factor.toFixed(1)}; label more documents`
    })
  return doubts
}

/** The number of documents in which each anchor fires. */
export function anchoredCounts(counts: Counts): number[] {
  const m = counts.lexicon.anchors.length
  const pairs = anchorPairCounts(counts)
  return Array.from({length: m}, (_, i) => pairs[i * m + i])
}

/**
 * One draw of the rates of all anchors, in the order of the lexicon, for bootstrap samples: prevalence and precision from
 * their intervals, and the rates that these and the anchors' frequency in `counts` imply. Where a drawn concept would be
 * rarer than its anchor, the rate stays at its limit and determines the prevalence. Given rates with intervals of width 0
 * are kept. As distributions, prevalences are taken as log-normal, precisions as logit-normal, and both as independent: labels
 * inform the first mostly in documents without the anchor, the second only in those with it.
 */
export function drawNoise(counts: Counts, known: readonly EstimatedRates[], random: Rng): NoiseRates {
  const firing = anchoredCounts(counts).map(count => count / counts.documentCount)
  const drawn = counts.lexicon.anchors.map(({concept, rates}, i) => {
    const {prevalence, precision} = drawRates(known[i], random.stream(concept))
    return rates?.kind === 'rates' && isExact(known[i]) ? known[i] : impliedRates(firing[i], prevalence, precision)
  })
  return packedRates(firing, drawn)
}

function isExact({prevalence, precision}: EstimatedRates): boolean {
  return prevalence.low === prevalence.high && precision.low === precision.high
}

/** One draw of the prevalence and the precision of an anchor. */
export function drawRates({prevalence, precision}: EstimatedRates, random: Rng): Shares<number> {
  const p = bell(prevalence, log)
  const r = bell(precision, logit)
  // Always two normals, so that the draws of a concept do not depend on its intervals.
  const [first, second] = normalPair(random)
  return {
    prevalence: clamp(exp(p.middle + p.deviation * first), PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR),
    precision: r.deviation === 0 ? precision.value : sigmoid(r.middle + r.deviation * second)
  }
}

/** The normal distribution with this interval on a scale; ends at 0 and 1 are moved inside. */
function bell({low, high}: RateInterval, scale: (x: number) => number) {
  const [from, to] = [low, high].map(end => scale(clamp(end, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)))
  return {middle: (from + to) / 2, deviation: (to - from) / (2 * NORMAL_90)}
}

/** Two independent standard normal numbers (Marsaglia's polar method). */
function normalPair(random: Rng): [number, number] {
  for (;;) {
    const x = 2 * random.next() - 1
    const y = 2 * random.next() - 1
    const s = x * x + y * y
    if (s === 0 || s >= 1) continue
    const scale = Math.sqrt((-2 * log(s)) / s)
    return [x * scale, y * scale]
  }
}
