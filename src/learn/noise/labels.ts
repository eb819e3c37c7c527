/** Estimates rates from labelled documents: each concept by itself (Section 3.3, setting 4), or pooled over concepts. */
import {betaQuantile, clamp, goldenSection, log, logGamma, sigmoid} from '../../base/numeric/index.ts'
import {type Counts, labelledDocuments} from '../../read/counts/index.ts'
import {
  type EstimatedRates,
  impliedRates,
  nearestUsableRates,
  PREVALENCE_FLOOR,
  pointInterval,
  type RateFault,
  type RateInterval,
  type Rates,
  rateFault,
  type Shares
} from './rates.ts'

/** With fewer labelled documents, rates without labels predict better. */
export const FEWEST_LABELLED = 30

/** Tells whether at least 30 documents are labelled, or all documents of a smaller corpus. */
export function hasEnoughLabels(counts: Counts): boolean {
  return labelledDocuments(counts) >= Math.max(1, Math.min(FEWEST_LABELLED, counts.documentCount))
}

/**
 * Returns the empirical rates of one concept, as in the paper's experiments, or the reason why there are none. Each count is
 * raised by a half, so that no rate is 0 or 1: a rate of 0 would make the divergence infinite at the first document that
 * contradicts it.
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
  const weak = rateFault(rates)
  if (weak !== undefined) return weak.reason
  return {
    prevalence: jeffreysInterval(missed + hit, absent + falsely),
    precision: jeffreysInterval(hit, falsely),
    rates
  }
}

/** Returns the fraction count / (count + others) with its 90% interval, by the prior of Jeffreys. */
function jeffreysInterval(count: number, others: number): RateInterval {
  const [low, high] = [0.05, 0.95].map(quantile => betaQuantile(count + 0.5, others + 0.5, quantile))
  return {value: (count + 0.5) / (count + others + 1), low, high}
}

/**
 * Labelled documents, and the anchors of all documents. The documents labelled for a concept must be a random sample of the
 * documents where its anchor fires, and of the documents where it does not; the two sampling fractions may differ. So documents
 * drawn at random may be joined by documents that were drawn because an anchor fires and labelled for that concept alone.
 */
export interface LabelledSample {
  /** The number of all documents, labelled or not. */
  readonly documentCount: number
  /** The number of all documents in which each anchor fires. */
  readonly anchoredCounts: readonly number[]
  /** The number of labelled documents with label y and anchor a of concept i, at `4*i + 2*y + a` (as in `Counts`). */
  readonly labelled: ArrayLike<number>
}

/** The rates of one anchor by labelled documents. */
export interface PooledRates extends Omit<EstimatedRates, 'concept'> {
  /** Why the labels refuse the concept; unset if it may be used. */
  readonly refusal?: RateFault
}

/** What is known of a probability of the concepts before labels are seen, in log-odds. */
interface LogOddsPrior {
  /** The mean and standard deviation of the level that all concepts of a corpus share, which is normal. */
  readonly mean: number
  readonly deviation: number
  /** The slope of the log-odds on the log-odds of P(A). */
  readonly slope: number
  /** The standard deviation of single concepts about the level. */
  readonly spread: number
}

// Slopes and spreads were compared on eight corpora, on documents outside every test split, with 60 and 200 labels and 20 draws.
/** The median precision is 80%, and the level differs between corpora with a standard deviation of 1. */
const PRECISION: LogOddsPrior = {mean: 1.4, deviation: 1, slope: 0, spread: 1.4}
/**
 * A concept is missed about as often as found, so the level is relative to the mean log-odds of P(A). A more frequent concept
 * is missed somewhat more often, hence the slope.
 */
const MISSED: LogOddsPrior = {mean: 0.35, deviation: 3, slope: 0.25, spread: 0.85}
/** The level is searched within so many prior deviations, to this tolerance. */
const REACH = 3
const TOLERANCE = 1e-2
/** The mean of a beta variable stays away from 0 and 1, where its parameters would be infinite. */
const MEAN_RANGE = [1e-6, 1 - 1e-6] as const

/**
 * Estimates prevalence and precision of each anchor, and the rates they imply, from a few labelled documents.
 *
 * With a = P(A), counted in all documents, p = r a + q (1 - a): labels give the precision r where the anchor fires and
 * q = P(Y=1|A=0) where it does not, so a chance surplus of anchored documents does no harm. Concepts are pooled: r and q of a
 * concept are beta variables about a level that all concepts share ({@link poolStrata}). Estimates are medians, intervals
 * hold 90%.
 *
 * Differs from the paper, whose setting 4 counts each concept by itself: at 100 documents many concepts have one or two
 * positives, and rates that differ by chance do more harm than rates that are alike.
 */
export function pooledRates({documentCount, anchoredCounts: anchored, labelled}: LabelledSample): PooledRates[] {
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
  const precisions = poolStrata(stratum(1), PRECISION)
  const missed = poolStrata(stratum(0), {...MISSED, mean: MISSED.mean + mean})
  return anchored.map((count, i) => combineStrata(documentCount, count / documentCount, precisions[i], missed[i]))
}

/** Combines P(Y=1|A=1) and P(Y=1|A=0) of a concept into its prevalence and rates. */
function combineStrata(documentCount: number, firing: number, fired: BetaMoments, silent: BetaMoments): PooledRates {
  const all = {
    mean: fired.mean * firing + silent.mean * (1 - firing),
    variance: fired.variance * firing ** 2 + silent.variance * (1 - firing) ** 2
  }
  const {value, low, high} = betaInterval(all, documentCount)
  const p = clamp(value, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
  // The low end is at least half a document, so that the ratio of both ends stays finite.
  const prevalence = {value: p, low: Math.min(Math.max(low, 0.5 / documentCount), p), high: Math.max(high, p)}
  const precision = betaInterval(fired, firing * documentCount)
  const {refusal} = nearestUsableRates(firing, {prevalence, precision})
  const rates = impliedRates(firing, {prevalence: p, precision: precision.value})
  return {prevalence, precision, ...rates, ...(refusal && {refusal})}
}

/** The documents of one concept where its anchor fires, or where it does not. */
interface Stratum {
  readonly positives: number
  readonly labelled: number
  readonly documents: number
  /** The log-odds of P(A), less their mean over the concepts. */
  readonly predictor: number
}

/** The posterior mean and variance of the fraction of documents that have a concept. */
interface BetaMoments {
  readonly mean: number
  readonly variance: number
}

/**
 * Estimates the fraction of the documents of each stratum that have the concept. A priori it is a beta variable of mean
 * m = sigmoid(level + slope x) with parameters s / (1 - m) and s / m, whose log-odds vary by about 1 / s = spread^2. Labels
 * are binomial, so their probability given the level is a ratio of beta functions, which is maximised (empirical Bayes). Only
 * the labels of the other documents are uncertain, so the variance is 0 if all are labelled.
 */
function poolStrata(strata: readonly Stratum[], prior: LogOddsPrior): BetaMoments[] {
  const {mean: middle, deviation} = prior
  const logPosterior = (level: number) =>
    strata.reduce(
      (sum, stratum) => {
        const {alpha, beta} = betaParameters(stratum, level, prior)
        const {positives, labelled} = stratum
        return sum + logBeta(positives + alpha, labelled - positives + beta) - logBeta(alpha, beta)
      },
      -(((level - middle) / deviation) ** 2) / 2
    )
  const range = [middle - REACH * deviation, middle + REACH * deviation] as const
  const {at: level} = goldenSection(at => ({at, value: logPosterior(at)}), range, TOLERANCE).best
  return strata.map(stratum => {
    const {positives, labelled, documents} = stratum
    const {alpha, beta} = betaParameters(stratum, level, prior)
    const all = labelled + alpha + beta
    const mean = (positives + alpha) / all
    const variance = (mean * (1 - mean)) / (all + 1)
    if (documents === 0) return {mean, variance}
    // The number of positives among the unlabelled documents is beta-binomial.
    const rest = documents - labelled
    const countVariance = rest * rest * variance + rest * (mean * (1 - mean) - variance)
    return {mean: (positives + rest * mean) / documents, variance: countVariance / (documents * documents)}
  })
}

/** Returns the parameters of the prior, which count like labelled documents with the concept (alpha) and without (beta). */
function betaParameters({predictor}: Stratum, level: number, {slope, spread}: LogOddsPrior) {
  const mean = clamp(sigmoid(level + slope * predictor), ...MEAN_RANGE)
  const strength = 1 / (spread * spread)
  return {alpha: strength / (1 - mean), beta: strength / mean}
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

/**
 * Returns median and 90% interval of the beta variable of this mean and variance. Each end is half a document further out,
 * since a fraction of finitely many documents takes only so many values.
 */
function betaInterval({mean, variance}: BetaMoments, documents: number): RateInterval {
  const weight = (mean * (1 - mean)) / variance - 1
  if (!(weight > 0 && weight < Number.POSITIVE_INFINITY)) return pointInterval(mean)
  const [low, value, high] = [0.05, 0.5, 0.95].map(level => betaQuantile(mean * weight, (1 - mean) * weight, level))
  const half = 0.5 / Math.max(documents, 1)
  return {value, low: Math.max(0, low - half), high: Math.min(1, high + half)}
}
