import {AdfaError} from '../../base/checks/index.ts'
import {betaQuantile, clamp, exp, log, logGamma, sigmoid} from '../../base/numeric/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import {
  type EstimatedRates,
  exactly,
  PREVALENCE_FLOOR,
  type RateInterval,
  type RateRefusal,
  rateRefusals,
  TRUE_POSITIVE_LIMIT
} from './rates.ts'

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
  /** Why the labels refuse the concept; empty when it may be used. */
  readonly refusals: readonly RateRefusal[]
}

export interface PooledRates {
  readonly concepts: readonly PooledRate[]
}

/** The number of documents in which each anchor fires. */
export function anchoredCounts(counts: Counts): number[] {
  const m = counts.lexicon.anchors.length
  const pairs = anchorPairCounts(counts)
  return Array.from({length: m}, (_, i) => pairs[i * m + i])
}

/** A normal prior of a coefficient, in log-odds. */
interface Coefficient {
  readonly mean: number
  readonly deviation: number
}

/** What is known of a share of the concepts before labels are seen. */
interface SharePrior {
  readonly level: Coefficient
  readonly slope: Coefficient
  /** The standard deviation of the concepts about their regression. */
  readonly spread: number
}

// Priors are round numbers typical of the corpora used in development, and worth a few labelled concepts.
/** 80% is the median precision over eight corpora; corpora vary by 1, and so do the concepts of a corpus. */
const PRECISION: SharePrior = {level: {mean: 1.4, deviation: 1}, slope: {mean: 0, deviation: 0}, spread: 1}
/**
 * A concept is missed about as often as found, so the level is relative to the mean log-odds of P(A); one that is found
 * twice as often is missed about twice as often. Concepts of a corpus differ by 0.5 to 1.
 */
const MISSED: SharePrior = {level: {mean: 0.35, deviation: 3}, slope: {mean: 1, deviation: 0.5}, spread: 0.7}
/** The prior of the spread is worth so many concepts. */
const SPREAD_WEIGHT = 4
/** Spreads that are tried, as multiples of the prior one. */
const SPREAD_FACTORS = [2.5, 1.6, 1, 0.63, 0.4]

/**
 * Prevalence and precision of each anchor, and the rates they imply, from a few labelled documents.
 *
 * With a = P(A), counted in all documents, p = r a + q (1 - a): labels give the precision r where the anchor fires and the
 * missed share q = P(Y=1|A=0) where it does not, so a chance surplus of anchored documents does no harm. Concepts are
 * pooled: r and q of a concept are beta variables about a regression that all concepts share ({@link poolShares}).
 * Estimates are medians, intervals hold 90%. Cost: about a millisecond per concept.
 *
 * Differs from the paper, whose setting 4 counts each concept by itself: at 100 documents many concepts have one or two
 * positives, and rates that differ by chance do more harm than rates that are alike.
 */
export function pooledRates(sample: LabelledSample): PooledRates {
  checkSample(sample)
  const {documentCount, anchoredCounts: anchored, labelled} = sample
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
  const missed = poolShares(stratum(0), {...MISSED, level: {...MISSED.level, mean: MISSED.level.mean + mean}})
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
    truePositive: Math.min((precision.value * firing) / p, TRUE_POSITIVE_LIMIT),
    falsePositive: ((1 - precision.value) * firing) / (1 - p)
  }
  return {...rate, refusals: rateRefusals(firing, rate)}
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
 * probability given level, slope and spread is a ratio of beta functions. The three are integrated out by sums over
 * grids, so their uncertainty is in the result. Labelled documents count as labelled and the others by chance, so the
 * variance is 0 where all are labelled.
 */
function poolShares(strata: readonly Stratum[], prior: SharePrior): Share[] {
  const nodes = hyperparameters(strata, prior)
  return strata.map(stratum => {
    const {positives, labelled, documents} = stratum
    let [mean, square] = [0, 0]
    for (const {point, weight} of nodes) {
      const {hits, misses} = betaOf(stratum, point)
      const share = (positives + hits) / (labelled + hits + misses)
      mean += weight * share
      square += (weight * share * (positives + hits + 1)) / (labelled + hits + misses + 1)
    }
    const rest = documents - labelled
    const all = Math.max(documents, 1)
    // The number among the others is binomial: its variance is that of its mean and the mean of its variance.
    const variance = rest * rest * Math.max(0, square - mean * mean) + rest * (mean - square)
    return documents === 0
      ? {mean, variance: Math.max(0, square - mean * mean)}
      : {mean: (positives + rest * mean) / all, variance: variance / (all * all)}
  })
}

interface Hyperparameters {
  readonly level: number
  readonly slope: number
  readonly spread: number
}

/** The mean of a beta variable stays away from 0 and 1, where its parameters would be infinite. */
const MEAN_RANGE = [1e-6, 1 - 1e-6] as const

/** The parameters of the beta variable, which count like labels that have the concept, and that do not. */
function betaOf({predictor}: Stratum, {level, slope, spread}: Hyperparameters) {
  const mean = clamp(sigmoid(level + slope * predictor), ...MEAN_RANGE)
  const strength = 1 / (spread * spread)
  return {hits: strength / (1 - mean), misses: strength / mean}
}

/** Steps of a grid on either side of its centre, and their size in standard deviations. */
const GRID_STEPS = 3
const STEP_SIZE = 0.8
/** A grid is centred and scaled anew so often; the first spread starts from the prior, the others from the one before. */
const FIRST_ROUNDS = 6
const LATER_ROUNDS = 3

/** Level, slope and spread with their posterior probabilities, on a grid of levels and slopes for each spread. */
function hyperparameters(strata: readonly Stratum[], prior: SharePrior) {
  const found: {point: Hyperparameters; logWeight: number}[] = []
  let level = prior.level
  let slope = prior.slope
  SPREAD_FACTORS.forEach((factor, at) => {
    const spread = factor * prior.spread
    const rounds = at === 0 ? FIRST_ROUNDS : LATER_ROUNDS
    for (let round = 1; round <= rounds; round++) {
      const volume = log(level.deviation * Math.max(slope.deviation, 1e-9))
      const grid = gridOf(level).flatMap(one =>
        gridOf(slope).map(other => {
          const point = {level: one, slope: other, spread}
          return {point, logWeight: logPosterior(strata, prior, point) + volume}
        })
      )
      if (round === rounds) found.push(...grid)
      const weights = normalisedWeights(grid)
      level = spreadOf(
        grid.map(({point}, g) => ({value: point.level, weight: weights[g]})),
        level
      )
      slope = spreadOf(
        grid.map(({point}, g) => ({value: point.slope, weight: weights[g]})),
        slope
      )
    }
  })
  const weights = normalisedWeights(found)
  return found.map(({point}, at) => ({point, weight: weights[at]}))
}

function gridOf({mean, deviation}: Coefficient): number[] {
  if (deviation === 0) return [mean]
  return Array.from({length: 2 * GRID_STEPS + 1}, (_, at) => mean + (at - GRID_STEPS) * STEP_SIZE * deviation)
}

function normalisedWeights(points: readonly {readonly logWeight: number}[]): number[] {
  const largest = points.reduce((most, {logWeight}) => Math.max(most, logWeight), Number.NEGATIVE_INFINITY)
  const weights = points.map(({logWeight}) => exp(logWeight - largest))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map(weight => weight / total)
}

/** Mean and deviation on a grid; a deviation below half a step cannot be told, and the next grid is that much finer. */
function spreadOf(points: readonly {value: number; weight: number}[], {deviation}: Coefficient): Coefficient {
  const mean = points.reduce((sum, {value, weight}) => sum + weight * value, 0)
  const variance = points.reduce((sum, {value, weight}) => sum + weight * (value - mean) ** 2, 0)
  return {mean, deviation: Math.max(Math.sqrt(variance), (STEP_SIZE * deviation) / 2)}
}

/** The log-probability of the labels and of the hyperparameters, up to a constant; the spread's is inverse chi-square. */
function logPosterior(strata: readonly Stratum[], prior: SharePrior, point: Hyperparameters): number {
  const distance = (value: number, {mean, deviation}: Coefficient) =>
    deviation === 0 ? 0 : ((value - mean) / deviation) ** 2 / 2
  const byPrior = distance(point.level, prior.level) + distance(point.slope, prior.slope)
  const bySpread = SPREAD_WEIGHT * (log(point.spread) + prior.spread ** 2 / (2 * point.spread ** 2))
  return strata.reduce((sum, stratum) => {
    const {positives, labelled} = stratum
    if (labelled === 0) return sum
    const {hits, misses} = betaOf(stratum, point)
    return sum + logBeta(positives + hits, labelled - positives + misses) - logBeta(hits, misses)
  }, -byPrior - bySpread)
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

/** Refuses impossible counts, and labels without any positive. */
function checkSample({documentCount, anchoredCounts, labelled}: LabelledSample): void {
  const m = anchoredCounts.length
  if (labelled.length !== 4 * m)
    throw refuse(`${labelled.length} counts of labelled documents for ${m} anchors; give four per anchor`)
  const isCount = (count: number, limit: number) => Number.isInteger(count) && count >= 0 && count <= limit
  let positives = 0
  for (let i = 0; i < m; i++) {
    const cells = [0, 1, 2, 3].map(cell => labelled[4 * i + cell])
    const [absent, falsely, missed, hit] = cells
    const anchored = anchoredCounts[i]
    if (
      !isCount(anchored, documentCount) ||
      !cells.every(cell => isCount(cell, documentCount)) ||
      falsely + hit > anchored ||
      absent + missed > documentCount - anchored
    )
      throw refuse(
        `concept number ${i}: its anchor fires in ${anchored} of ${documentCount} documents; ${falsely + hit} are ` +
          `labelled where it fires, ${absent + missed} where it does not (${cells.join(', ')}); each must be a whole ` +
          'number, and no more than there are documents; count again'
      )
    positives += missed + hit
  }
  if (positives === 0) throw refuse(`no labelled document has any of the ${m} concepts; label more documents`)
}

function refuse(message: string): AdfaError {
  return new AdfaError('bad-rates', message)
}
