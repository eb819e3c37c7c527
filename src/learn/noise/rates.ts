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

/** Packs the rates of all anchors into arrays. */
export function noiseRates(rows: readonly (Rates & {readonly prevalence: number})[]): NoiseRates {
  return {
    truePositive: Float64Array.from(rows, ({truePositive}) => truePositive),
    falsePositive: Float64Array.from(rows, ({falsePositive}) => falsePositive),
    prevalence: Float64Array.from(rows, ({prevalence}) => prevalence)
  }
}

export type RateInterval = Interval

/** The two numbers of an anchor that people can judge; with P(A) they determine its rates. */
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

/** The largest P(A=1|Y=1). At 1, a document with the concept and without the anchor would be impossible. */
export const TRUE_POSITIVE_LIMIT = 0.98
/** The least P(A=1|Y=0). At 0, a document with the anchor and without the concept would be impossible. */
const FALSE_POSITIVE_FLOOR = 1e-4
/** Prevalences stay this far from 0 and 1, where the shrinkage towards independence would be infinite. */
export const PREVALENCE_FLOOR = 1e-4

/** Returns an interval of width 0. */
export function pointInterval(value: number): RateInterval {
  return {value, low: value, high: value}
}

/** Replaces the value of an interval, and widens the interval if the new value lies outside. */
export function withValue({low, high}: RateInterval, value: number): RateInterval {
  return {value, low: Math.min(low, value), high: Math.max(high, value)}
}

/** Computes P(Y) = (P(A) - e) / (t - e), clipped away from 0 and 1, and P(Y|A) by Bayes' rule from P(A|Y). */
export function impliedShares(firing: number, {truePositive: t, falsePositive: e}: Rates): Shares<number> {
  const p = clamp((firing - e) / (t - e), PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
  return {prevalence: p, precision: (t * p) / (t * p + e * (1 - p))}
}

/** Computes P(A|Y) by Bayes' rule from P(A), P(Y) and P(Y|A), limited so that every document stays possible. */
export function impliedRates(firing: number, {prevalence, precision}: Shares<number>): Rates {
  return {
    truePositive: Math.min((precision * firing) / prevalence, TRUE_POSITIVE_LIMIT),
    falsePositive: Math.max(((1 - precision) * firing) / (1 - prevalence), FALSE_POSITIVE_FLOOR)
  }
}

/**
 * Returns the rates to fit moments and structure with on real text: t = P(A) / p and e = 0.0001, where P(A) = e + (t - e) p
 * of the given rates. Where P(A) / p exceeds 0.98, t is 0.98 and e explains the rest of P(A). p is unchanged.
 *
 * Differs from the paper, which corrects with the true (e, t). That is consistent when false positives are independent
 * noise; in text the word appears in documents about related concepts, and subtracting those over-corrects the pair
 * moments. An anchor that is rarer with its concept (t < e) keeps its rates: it has no false firings to explain.
 */
export function oneSidedRates({truePositive, falsePositive, prevalence}: NoiseRates): NoiseRates {
  const rows = Array.from(prevalence, (p, i) => {
    const [t, e] = [truePositive[i], falsePositive[i]]
    if (t < e) return {truePositive: t, falsePositive: e, prevalence: p}
    const firing = e + (t - e) * p
    const raised = Math.max(t, Math.min(firing / p, TRUE_POSITIVE_LIMIT))
    const rest = Math.max((firing - raised * p) / (1 - p), Math.min(e, FALSE_POSITIVE_FLOOR))
    return {truePositive: raised, falsePositive: rest, prevalence: p}
  })
  return noiseRates(rows)
}

/** A rule that the rates of a concept break. The last two rules only raise doubts; the first two refuse the concept. */
export interface RateFault {
  readonly rule: 'low-true-positive' | 'low-ratio' | 'low-precision' | 'wide-interval'
  /** A sentence for people: what was found, what is needed, and what to do. */
  readonly reason: string
}

/** With a lower P(A=1|Y=1), or a lower ratio of it to P(A=1|Y=0), correcting for an anchor's noise harms other concepts. */
const MIN_TRUE_POSITIVE = 0.05
const MIN_RATIO = 3
/** A precision below this is doubtful. Refusing the anchor would lose its concept and hardly help others (docs/noise.md). */
export const MIN_PRECISION = 0.45
/** A prevalence is doubtful if the ends of its interval differ by more than this factor. */
const WIDEST_FACTOR = 6

/**
 * Checks the rule for P(A|Y): an anchor fires in at least 5% of the documents that have the concept, and more than three
 * times as often there as in the others. Returns the broken part of the rule, if any. Labels can break it; rates without
 * labels are chosen so that they never do (`labelFreeRates`). Given rates need only differ, as in the paper.
 */
export function rateFault({truePositive: t, falsePositive: e}: Rates): RateFault | undefined {
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

/** The number of steps from the values of prevalence and precision towards a low prevalence and a high precision. */
const STEPS = 16
/** The last step reaches this fraction of the way, since two independent errors seldom are at both ends at once. */
const LONGEST_WAY = Math.SQRT1_2

/**
 * Returns the first rates that pass {@link rateFault} on the way from the values of these intervals to the ends where the anchor
 * is best, a low prevalence and a high precision. If none pass, `rates` follow from the values, and `refusal` says why they fail.
 */
export function nearestUsableRates(firing: number, shares: Shares<RateInterval>) {
  const tried = Array.from({length: STEPS + 1}, (_, step) => ratesAt(firing, shares, (LONGEST_WAY * step) / STEPS))
  const rates = tried.find(one => rateFault(one) === undefined) ?? tried[0]
  return {rates, refusal: rateFault(rates)}
}

/** Returns the rates after a fraction of the way from the values (0) to a low prevalence and a high precision (1). */
function ratesAt(firing: number, {prevalence, precision}: Shares<RateInterval>, fraction: number) {
  const r = precision.value + fraction * (precision.high - precision.value)
  // With a smaller prevalence, P(A=1|Y=1) would exceed its limit.
  const least = Math.max((r * firing) / TRUE_POSITIVE_LIMIT, PREVALENCE_FLOOR)
  const towardsLow = prevalence.value + fraction * (prevalence.low - prevalence.value)
  const p = clamp(towardsLow, least, 1 - PREVALENCE_FLOOR)
  return {
    prevalence: withValue(prevalence, p),
    precision: {...precision, value: r},
    ...impliedRates(firing, {prevalence: p, precision: r})
  }
}

/** Returns the reasons for people to doubt rates that pass {@link rateFault}. */
export function rateDoubts({precision, prevalence}: Shares<RateInterval>): RateFault[] {
  const factor = prevalence.high / prevalence.low
  const doubts: RateFault[] = []
  if (precision.value < MIN_PRECISION) {
    const {value, low, high} = precision
    const range = low === high ? '' : ` (${percent(low)} to ${percent(high)})`
    const isSure = low === high || high < MIN_PRECISION
    const remedy = isSure ? 'choose narrower words, or veto with "not"' : 'label more documents where its anchor fires'
    doubts.push({
      rule: 'low-precision',
      reason: `${percent(value)}${range} of the documents where its anchor fires have it, and ${percent(MIN_PRECISION)} or more is usual; ${remedy}`
    })
  }
  if (factor > WIDEST_FACTOR)
    doubts.push({
      rule: 'wide-interval',
      reason: `its prevalence is uncertain by a factor of ${factor.toFixed(1)}; label more documents`
    })
  return doubts
}

/** Returns the number of documents in which each anchor fires. */
export function anchoredCounts(counts: Counts): number[] {
  const m = counts.lexicon.anchors.length
  const pairs = anchorPairCounts(counts)
  return Array.from({length: m}, (_, i) => pairs[i * m + i])
}

/**
 * Draws the rates of all anchors, in the order of the lexicon, for bootstrap samples: prevalences and precisions from their
 * intervals, and the rates that these and the frequency of each anchor in `counts` imply. If a drawn concept would be rarer
 * than its anchor, t stays at its limit and determines the prevalence. Rates of the anchors file, whose intervals have width
 * 0, are kept. Prevalences are taken as log-normal, precisions as logit-normal, and both as independent: a prevalence depends
 * mostly on the labels of documents without the anchor, a precision only on those with it.
 */
export function drawNoise(counts: Counts, known: readonly EstimatedRates[], random: Rng): NoiseRates {
  const firing = anchoredCounts(counts).map(count => count / counts.documentCount)
  const drawn = counts.lexicon.anchors.map(({concept, rates}, i) => {
    const isGiven = rates?.kind === 'rates' && known[i].prevalence.low === known[i].prevalence.high
    const own = isGiven ? known[i] : impliedRates(firing[i], drawShares(known[i], random.stream(concept)))
    return {...own, ...impliedShares(firing[i], own)}
  })
  return noiseRates(drawn)
}

/** Draws the prevalence and the precision of an anchor from their intervals. */
export function drawShares({prevalence, precision}: EstimatedRates, random: Rng): Shares<number> {
  const p = fitNormal(prevalence, log)
  const r = fitNormal(precision, logit)
  // Both numbers are drawn even if an interval has width 0, so that the draw of the other share does not change.
  const [first, second] = drawNormals(random)
  return {
    prevalence: clamp(exp(p.mean + p.deviation * first), PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR),
    precision: r.deviation === 0 ? precision.value : sigmoid(r.mean + r.deviation * second)
  }
}

/** Returns the normal distribution of scale(x) that has this 90% interval of x; ends at 0 and 1 are moved inside. */
function fitNormal({low, high}: RateInterval, scale: (x: number) => number) {
  const [from, to] = [low, high].map(end => scale(clamp(end, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)))
  return {mean: (from + to) / 2, deviation: (to - from) / (2 * NORMAL_90)}
}

/** Draws two independent standard normal numbers (Marsaglia's polar method). */
function drawNormals(random: Rng): [number, number] {
  for (;;) {
    const x = 2 * random.next() - 1
    const y = 2 * random.next() - 1
    const s = x * x + y * y
    if (s === 0 || s >= 1) continue
    const scale = Math.sqrt((-2 * log(s)) / s)
    return [x * scale, y * scale]
  }
}
