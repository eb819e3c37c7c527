/** Rates from labelled documents: each concept by itself (Section 3.3, setting 4), or pooled over concepts. */
import {AdfaError} from '../../base/checks/index.ts'
import {betaQuantile, clamp, goldenSection, log, logGamma, sigmoid} from '../../base/numeric/index.ts'
import {type Counts, labelledDocuments} from '../../read/counts/index.ts'
import {
  type EstimatedRates,
  exactly,
  impliedRates,
  nearestUsable,
  PREVALENCE_FLOOR,
  type RateFault,
  type RateInterval,
  type Rates,
  type Shares,
  weakAnchor
} from './rates.ts'

/** With one or a few labelled documents, rates without labels predict better. */
export const FEWEST_LABELLED = 30

export function hasEnoughLabels(counts: Counts): boolean {
  return labelledDocuments(counts) >= Math.max(1, Math.min(FEWEST_LABELLED, counts.documentCount))
}

/**
 * The empirical rates of one concept, as in the paper's experiments, or why there are none. Each count is raised by a half,
 * so that no rate is 0 or 1: a rate of 0 would make the divergence infinite at the first document that contradicts it.
 */
export function labelRates(
  {labelled, labelShare, tables}: Counts,
  concept: number
): (Shares<RateInterval> & {readonly rates: Rates}) | string {
  const cells = labelled.subarray(4 * concept, 4 * concept + 4)
  const [absent, falsely, missed, hit] = cells
  if (tables !== undefined && labelShare !== 0 && cells.every(cell => cell === 0))
    return 'its labelled documents were withheld for being too few; label more documents, or give its rates'
  if (labelShare === 0) return 'no labels were counted; count documents that have tags or labels with `labelShare` 1'
  if (missed + hit === 0)
    return 'no labelled document has it; label more documents, raise `labelShare` or give its rates'
  if (absent + falsely === 0) return 'every labelled document has it; label documents without it'
  const rates = {
    truePositive: (hit + 0.5) / (missed + hit + 1),
    falsePositive: (falsely + 0.5) / (absent + falsely + 1)
  }
  const weak = weakAnchor(rates)
  if (weak !== undefined) return weak.reason
  return {
    prevalence: jeffreysInterval(missed + hit, absent + falsely),
    precision: jeffreysInterval(hit, falsely),
    rates
  }
}

/** The share of `count` beside `others` with its 90% interval (Jeffreys). */
function jeffreysInterval(count: number, others: number): RateInterval {
  const [low, high] = [0.05, 0.95].map(quantile => betaQuantile(count + 0.5, others + 0.5, quantile))
  return {value: (count + 0.5) / (count + others + 1), low, high}
}

/**
 * Labelled documents, and the anchors of all documents, by concept. The labelled documents of a concept must be a random
 * sample of those where its anchor fires, and of those where it does not; the two shares may differ. So documents drawn at
 * random may be joined by documents drawn where an anchor fires and labelled for that concept alone.
 */
export interface LabelledSample {
  /** The number of all documents, labelled or not. */
  readonly documentCount: number
  /** The number of all documents in which each anchor fires. */
  readonly anchoredCounts: readonly number[]
  /** Labelled documents per concept, cell `4*i + 2*y + a` (as in `Counts`). */
  readonly labelled: ArrayLike<number>
}

/** The rates of one anchor by labelled documents. */
export interface PooledRate extends Omit<EstimatedRates, 'concept'> {
  /** Why the labels refuse the concept; unset when it may be used. */
  readonly refusal?: RateFault
}

export interface PooledRates {
  readonly concepts: readonly PooledRate[]
}

/** What is known of a share of the concepts before labels are seen, in log-odds. */
interface SharePrior {
  /** The level that all concepts of a corpus share, a normal variable. */
  readonly mean: number
  readonly deviation: number
  /** The change with the log-odds of P(A). */
  readonly slope: number
  /** The standard deviation of the concepts about their mean. */
  readonly spread: number
}

// Priors are round numbers typical of eight corpora, where intervals hold the rates of the tags in about nine of ten cases.
/** 80% is the median precision; corpora vary by 1. */
const PRECISION: SharePrior = {mean: 1.4, deviation: 1, slope: 0, spread: 1.2}
/**
 * A concept is missed about as often as found, so the level is relative to the mean log-odds of P(A); one that is found four
 * times as often is missed about twice as often.
 */
const MISSED: SharePrior = {mean: 0.35, deviation: 3, slope: 0.5, spread: 0.85}
/** The level is searched within so many prior deviations, to this width. */
const REACH = 3
const SEARCH_WIDTH = 1e-2
/** The mean of a beta variable stays away from 0 and 1, where its parameters would be infinite. */
const MEAN_RANGE = [1e-6, 1 - 1e-6] as const

/**
 * Prevalence and precision of each anchor, and the rates they imply, from a few labelled documents.
 *
 * With a = P(A), counted in all documents, p = r a + q (1 - a): labels give the precision r where the anchor fires and the
 * missed share q = P(Y=1|A=0) where it does not, so a chance surplus of anchored documents does no harm. Concepts are
 * pooled: r and q of a concept are beta variables about a level that all concepts share ({@link poolShares}).
 * Estimates are medians, intervals hold 90%.
 *
 * Differs from the paper, whose setting 4 counts each concept by itself: at 100 documents many concepts have one or two
 * positives, and rates that differ by chance do more harm than rates that are alike.
 */
export function pooledRates({documentCount, anchoredCounts: anchored, labelled}: LabelledSample): PooledRates {
  if (!anchored.some((_, i) => labelled[4 * i + 2] + labelled[4 * i + 3] > 0))
    throw new AdfaError(
      'bad-rates',
      `no labelled document has any of the ${anchored.length} concepts; label more documents`
    )
  // Half a document is added on either side to keep the log-odds of P(A) finite.
  const firing = anchored.map(count => log((count + 0.5) / (documentCount - count + 0.5)))
  const mean = firing.reduce((sum, x) => sum + x, 0) / firing.length
  const stratum = (fires: 0 | 1) =>
    anchored.map((count, i) => ({
      positives: labelled[4 * i + 2 + fires],
      labelled: labelled[4 * i + fires] + labelled[4 * i + 2 + fires],
      documents: fires === 1 ? count : documentCount - count,
      predictor: firing[i] - mean
    }))
  const precisions = poolShares(stratum(1), PRECISION)
  const missed = poolShares(stratum(0), {...MISSED, mean: MISSED.mean + mean})
  const concepts = anchored.map((count, i) => rateOf(documentCount, count / documentCount, precisions[i], missed[i]))
  return {concepts}
}

function rateOf(documentCount: number, firing: number, precisionShare: Share, missedShare: Share): PooledRate {
  const prevalenceShare = {
    mean: precisionShare.mean * firing + missedShare.mean * (1 - firing),
    variance: precisionShare.variance * firing ** 2 + missedShare.variance * (1 - firing) ** 2
  }
  const found = intervalOf(prevalenceShare, documentCount)
  const precision = intervalOf(precisionShare, firing * documentCount)
  const p = clamp(found.value, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
  const rate = {
    // The low end is at least half a document, so that the ratio of both ends stays finite.
    prevalence: {value: p, low: Math.min(Math.max(found.low, 0.5 / documentCount), p), high: Math.max(found.high, p)},
    precision,
    ...impliedRates(firing, p, precision.value)
  }
  const {refusal} = nearestUsable(firing, rate)
  return {...rate, ...(refusal && {refusal})}
}

/** Documents of one concept where its anchor fires, or where it does not. */
interface Stratum {
  readonly positives: number
  readonly labelled: number
  readonly documents: number
  /** The log-odds of P(A), less their mean over the concepts. */
  readonly predictor: number
}

/** The share of documents that have a concept, with its uncertainty. */
interface Share {
  readonly mean: number
  readonly variance: number
}

/**
 * The share of the documents of each stratum that have the concept: a beta variable of mean m = sigmoid(level + slope x)
 * with parameters s / (1 - m) and s / m, whose log-odds vary by about 1 / s = spread^2. Labels are binomial, so their
 * probability given the level is a ratio of beta functions, which is maximised (empirical Bayes). Labelled documents count as
 * labelled and the others by chance, so the variance is 0 where all are labelled.
 */
function poolShares(strata: readonly Stratum[], prior: SharePrior): Share[] {
  const {mean: middle, deviation} = prior
  const logPosterior = (level: number) =>
    strata.reduce(
      (sum, stratum) => {
        const {hits, misses} = betaOf(stratum, level, prior)
        const {positives, labelled} = stratum
        return sum + logBeta(positives + hits, labelled - positives + misses) - logBeta(hits, misses)
      },
      -(((level - middle) / deviation) ** 2) / 2
    )
  const range = [middle - REACH * deviation, middle + REACH * deviation] as const
  const {at: level} = goldenSection(at => ({at, value: logPosterior(at)}), range, SEARCH_WIDTH).best
  return strata.map(stratum => {
    const {positives, labelled, documents} = stratum
    const {hits, misses} = betaOf(stratum, level, prior)
    const all = labelled + hits + misses
    const mean = (positives + hits) / all
    const variance = (mean * (1 - mean)) / (all + 1)
    if (documents === 0) return {mean, variance}
    // The number among the others is beta-binomial.
    const rest = documents - labelled
    const spread = rest * rest * variance + rest * (mean * (1 - mean) - variance)
    return {mean: (positives + rest * mean) / documents, variance: spread / (documents * documents)}
  })
}

/** The parameters of the beta variable, which count like labels that have the concept, and that do not. */
function betaOf({predictor}: Stratum, level: number, {slope, spread}: SharePrior) {
  const mean = clamp(sigmoid(level + slope * predictor), ...MEAN_RANGE)
  const strength = 1 / (spread * spread)
  return {hits: strength / (1 - mean), misses: strength / mean}
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

/**
 * Median and 90% interval of the beta variable of this mean and variance, each end half a document further out, since a share
 * of so many documents is a whole number over theirs.
 */
function intervalOf({mean, variance}: Share, documents: number): RateInterval {
  const weight = (mean * (1 - mean)) / variance - 1
  if (!(weight > 0 && weight < Number.POSITIVE_INFINITY)) return exactly(mean)
  const [low, value, high] = [0.05, 0.5, 0.95].map(share => betaQuantile(mean * weight, (1 - mean) * weight, share))
  const half = 0.5 / Math.max(documents, 1)
  return {value, low: Math.max(0, low - half), high: Math.min(1, high + half)}
}
