/** Estimates rates from labelled documents: each concept by itself (Section 3.3, setting 4), or pooled over concepts. */
import {betaQuantile, clamp, exp, log, logGamma, normalised, sigmoid} from '../../base/numeric/index.ts'
import type {Counts} from '../../read/counts/index.ts'
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
  type Shares,
  withValue
} from './rates.ts'

/** With fewer documents labelled for a concept, rates chosen without labels predict better than rates by labels. */
export const FEWEST_LABELLED = 30

/**
 * Returns the empirical rates of one concept, as in the paper's experiments, or the reason why there are none. Adding
 * a half to each count keeps the rates off 0 and 1: a rate of 0 would make the divergence infinite at the first document that
 * contradicts it.
 */
export function labelRates(
  {labelled, labelShare, tables}: Counts,
  concept: number
): (Shares<RateInterval> & {readonly rates: Rates}) | string {
  const cells = labelled.subarray(4 * concept, 4 * concept + 4)
  // The cells count documents with neither label nor anchor, with the anchor only, with the label only, and with both.
  const [neither, falseAlarms, missed, hits] = cells
  if (tables !== undefined) return 'released tables have no labels; give its rates'
  if (labelShare === 0) return 'no labels were counted; count documents that have tags or labels with `labelShare` 1'
  if (missed + hits === 0)
    return 'no labelled document has it; label more documents, raise `labelShare` or give its rates'
  if (neither + falseAlarms === 0) return 'every labelled document has it; label documents without it'
  const rates = {
    truePositive: (hits + 0.5) / (missed + hits + 1),
    falsePositive: (falseAlarms + 0.5) / (neither + falseAlarms + 1)
  }
  const weak = rateFault(rates)
  if (weak !== undefined) return weak.reason
  return {
    prevalence: jeffreysInterval(missed + hits, neither + falseAlarms),
    precision: jeffreysInterval(hits, falseAlarms),
    rates
  }
}

/** Returns the fraction count / (count + others) with its 90% interval, by the Jeffreys prior. */
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

/** The prior of the log-odds of P(Y=1|A=1), or of P(Y=1|A=0), of the concepts of a corpus. */
interface LogOddsPrior {
  /** The mean and standard deviation of a level that all concepts of the corpus share; it is normally distributed. */
  readonly mean: number
  readonly deviation: number
  /**
   * The standard deviation of these log-odds of single concepts about the level: the first for points, the second for intervals. Points
   * predict best when concepts are taken to be much alike; intervals must also hold the truth of a concept that is unlike the others.
   */
  readonly spreads: readonly [points: number, intervals: number]
}

// The spreads were compared on eight corpora, on documents outside every test split, with draws of 30, 60 and 200 labels and all
// anchors, weak ones too: intervals by the spreads of the points hold the truth in as few as 76%.
/** P(Y=1|A=1): its median is 80%, and the levels of corpora have a standard deviation of 1. */
const PRECISION_PRIOR: LogOddsPrior = {mean: 1.4, deviation: 1, spreads: [1.4, 1.8]}
/**
 * P(Y=1|A=0): anchors miss about as many documents with the concept as they find, so it is about P(A), and the mean below is
 * relative to the mean log-odds of P(A) over the concepts.
 */
const MISSED_PRIOR: LogOddsPrior = {mean: 0.35, deviation: 1.5, spreads: [1, 1.4]}
/** The levels that are summed over, evenly spaced within this many standard deviations of their prior mean. */
const LEVELS = 61
const REACH = 3
/** The prior mean of a beta variable stays in this range, off 0 and 1, where its parameters would be infinite. */
const MEAN_RANGE = [1e-6, 1 - 1e-6] as const

/**
 * Estimates the prevalence of each concept, the precision of its anchor and the rates that they imply, from a few labelled documents.
 *
 * With a = P(A), counted in all documents, P(Y=1) = r a + q (1 - a). Labels of documents where the anchor fires give the
 * precision r, the others q = P(Y=1|A=0), so it does no harm if by chance too many labelled documents have the anchor. Concepts
 * are pooled: r and q of a concept are beta variables about a level that all concepts share ({@link poolStrata}). Estimates are
 * medians, and intervals hold 90% of the posterior.
 *
 * Differs from the paper, whose setting 4 counts each concept by itself: at 100 documents many concepts have one or two
 * positives, and rates that differ by chance do more harm than rates that are alike.
 */
export function pooledRates({documentCount, anchoredCounts: anchored, labelled}: LabelledSample): PooledRates[] {
  // Adding half a document with and half a document without the anchor keeps the log-odds of P(A) finite.
  const logOdds = anchored.map(count => log((count + 0.5) / (documentCount - count + 0.5)))
  const meanLogOdds = logOdds.reduce((sum, x) => sum + x, 0) / logOdds.length
  const stratum = (fires: 0 | 1) =>
    anchored.map((count, i) => ({
      positives: labelled[4 * i + 2 + fires],
      labelled: labelled[4 * i + fires] + labelled[4 * i + 2 + fires],
      documents: fires === 1 ? count : documentCount - count
    }))
  const missedPrior = {...MISSED_PRIOR, mean: MISSED_PRIOR.mean + meanLogOdds}
  const [points, intervals] = ([0, 1] as const).map(use => {
    const precisions = poolStrata(stratum(1), PRECISION_PRIOR, use)
    const missed = poolStrata(stratum(0), missedPrior, use)
    return anchored.map((count, i) => combineStrata(documentCount, count / documentCount, precisions[i], missed[i]))
  })
  return anchored.map((count, i) => {
    const firing = count / documentCount
    const p = clamp(points[i].prevalence.value, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
    // The low end is at least half a document, so that the ratio of the high end to it stays finite.
    const low = Math.max(intervals[i].prevalence.low, 0.5 / documentCount)
    const prevalence = withValue({...intervals[i].prevalence, low}, p)
    const precision = withValue(intervals[i].precision, points[i].precision.value)
    const {refusal} = nearestUsableRates(firing, {prevalence, precision})
    const rates = impliedRates(firing, {prevalence: p, precision: precision.value})
    return {prevalence, precision, ...rates, ...(refusal && {refusal})}
  })
}

/** Combines the precision P(Y=1|A=1) and missed = P(Y=1|A=0) of a concept, with firing = P(A), into its prevalence. */
function combineStrata(
  documentCount: number,
  firing: number,
  precise: BetaMoments,
  missed: BetaMoments
): Shares<RateInterval> {
  const all = {
    mean: precise.mean * firing + missed.mean * (1 - firing),
    variance: precise.variance * firing ** 2 + missed.variance * (1 - firing) ** 2
  }
  return {prevalence: betaInterval(all, documentCount), precision: betaInterval(precise, firing * documentCount)}
}

/** The documents where the anchor of a concept fires, or those where it does not; `positives` have the label of the concept. */
interface Stratum {
  readonly positives: number
  readonly labelled: number
  readonly documents: number
}

/** The posterior mean and variance of the fraction of documents that have a concept. */
interface BetaMoments {
  readonly mean: number
  readonly variance: number
}

/**
 * Estimates the fraction of the documents of each stratum that have the concept. Given a level it is a beta variable of mean
 * m = sigmoid(level) with parameters s / (1 - m) and s / m, whose log-odds have a variance of about
 * 1 / s = spread^2. Labels are binomial, so their probability given the level is a ratio of beta functions, which times the
 * prior of the level weighs the levels that are summed over: with few concepts or labels the level itself is uncertain.
 * The variance is that of the unlabelled documents, and 0 if there are none.
 */
function poolStrata(
  strata: readonly Stratum[],
  {mean: middle, deviation, spreads}: LogOddsPrior,
  use: 0 | 1
): BetaMoments[] {
  const levels = Array.from({length: LEVELS}, (_, at) => {
    const distance = REACH * ((2 * at) / (LEVELS - 1) - 1)
    const {alpha, beta} = betaParameters(middle + deviation * distance, spreads[use])
    const logPosterior = strata.reduce(
      (sum, {positives, labelled}) =>
        sum + logBeta(positives + alpha, labelled - positives + beta) - logBeta(alpha, beta),
      -(distance ** 2) / 2
    )
    return {alpha, beta, logPosterior}
  })
  const most = Math.max(...levels.map(({logPosterior}) => logPosterior))
  const weights = normalised(Float64Array.from(levels, ({logPosterior}) => exp(logPosterior - most)))
  return strata.map(({positives, labelled, documents}) => {
    let [mean, square] = [0, 0]
    for (const [at, {alpha, beta}] of levels.entries()) {
      const parameterSum = labelled + alpha + beta
      const own = (positives + alpha) / parameterSum
      mean += weights[at] * own
      square += weights[at] * (own * own + (own * (1 - own)) / (parameterSum + 1))
    }
    const variance = square - mean * mean
    if (documents === 0) return {mean, variance}
    // The number of positives among the unlabelled documents is beta-binomial.
    const unlabelled = documents - labelled
    const countVariance = unlabelled * unlabelled * variance + unlabelled * (mean * (1 - mean) - variance)
    return {mean: (positives + unlabelled * mean) / documents, variance: countVariance / (documents * documents)}
  })
}

/** Returns the parameters of the prior, which count like labelled documents with the concept (alpha) and without (beta). */
function betaParameters(level: number, spread: number) {
  const mean = clamp(sigmoid(level), ...MEAN_RANGE)
  const strength = 1 / (spread * spread)
  return {alpha: strength / (1 - mean), beta: strength / mean}
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

/**
 * Returns median and 90% interval of the beta variable of this mean and variance, or the mean alone if there is none. Each end
 * is moved out by half a document, since a fraction of finitely many documents cannot take all values.
 */
function betaInterval({mean, variance}: BetaMoments, documents: number): RateInterval {
  const parameterSum = (mean * (1 - mean)) / variance - 1
  if (!(parameterSum > 0 && parameterSum < Number.POSITIVE_INFINITY)) return pointInterval(mean)
  const [alpha, beta] = [mean * parameterSum, (1 - mean) * parameterSum]
  const [low, value, high] = [0.05, 0.5, 0.95].map(quantile => betaQuantile(alpha, beta, quantile))
  const half = 0.5 / Math.max(documents, 1)
  return {value, low: Math.max(0, low - half), high: Math.min(1, high + half)}
}
