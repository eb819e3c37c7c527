import {bestThreshold} from '../../learn/words/index.ts'
import {averagePrecision, rocArea} from './ranking.ts'

/**
 * How well the probabilities of all concepts, for documents without any known tag, agree with the truth. F1 is that of
 * reporting a concept from a probability of 0.5 on.
 */
export interface TaggingFigures extends DecisionFigures {
  /** F1 from the probability on that promises the highest, as far as one can tell without any tag. */
  readonly atThreshold: ThresholdFigures
  /** Mean area under the ROC curve over the concepts that occur and that are also absent somewhere. */
  readonly macroAuc: number
  /** Mean average precision over the concepts that occur. */
  readonly averagePrecision: number
  /** Mean squared error of the probabilities. */
  readonly brier: number
  /** Mean distance of probability and frequency over fifteen equally wide bins, weighted by their size. */
  readonly calibrationError: number
  /** The bins themselves. */
  readonly reliability: readonly ReliabilityBin[]
  /** The share of probabilities of exactly 0 or 1, which no evidence could change any more. */
  readonly saturated: number
}

export interface ThresholdFigures extends DecisionFigures {
  readonly threshold: number
  /**
   * What the threshold was chosen by: the predictor's training documents, or its probabilities for these very documents,
   * which any user could do as well. No tag is looked at in either.
   */
  readonly chosenOn: 'training documents' | 'these documents'
}

const EVEN = 0.5

/**
 * `scores[i]` and `truths[i]` hold concept i's probabilities and truths (0 or 1), document by document; `threshold` is
 * that of a predictor with one of its own.
 */
export function taggingFigures(
  scores: readonly ArrayLike<number>[],
  truths: readonly ArrayLike<number>[],
  threshold?: number
): TaggingFigures {
  const reliability = reliabilityCurve(scores, truths)
  return {
    ...decisionFigures(scores, truths, EVEN),
    atThreshold: thresholdFigures(scores, truths, threshold),
    macroAuc: mean(defined(scores.map((probabilities, i) => rocArea(probabilities, truths[i])))),
    averagePrecision: mean(defined(scores.map((probabilities, i) => averagePrecision(probabilities, truths[i])))),
    brier: meanOver(scores, (p, i, at) => (p - truths[i][at]) * (p - truths[i][at])),
    calibrationError: calibrationError(reliability),
    reliability,
    saturated: meanOver(scores, p => (p === 0 || p === 1 ? 1 : 0))
  }
}

function thresholdFigures(
  scores: readonly ArrayLike<number>[],
  truths: readonly ArrayLike<number>[],
  own: number | undefined
): ThresholdFigures {
  const threshold = own ?? expectedBest(scores)
  const chosenOn = own === undefined ? 'these documents' : 'training documents'
  return {threshold, chosenOn, ...decisionFigures(scores, truths, threshold)}
}

/** Where the F1 that the probabilities expect of themselves is highest. */
function expectedBest(scores: readonly ArrayLike<number>[]): number {
  const probabilities = scores.map(own => Float64Array.from(own))
  return bestThreshold(
    probabilities,
    probabilities.map(own => new Float64Array(own.length).fill(1))
  ).threshold
}

/** Over all documents of all concepts. */
function meanOver(
  scores: readonly ArrayLike<number>[],
  of: (probability: number, i: number, at: number) => number
): number {
  let sum = 0
  let count = 0
  scores.forEach((probabilities, i) => {
    for (let at = 0; at < probabilities.length; at++) sum += of(probabilities[at], i, at)
    count += probabilities.length
  })
  return sum / count
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function defined(values: readonly (number | undefined)[]): number[] {
  return values.filter(value => value !== undefined)
}

/** How well yes and no agree with the truth. */
interface DecisionFigures {
  /** F1 of all decisions together. */
  readonly microF1: number
  /** Mean F1 over the concepts that occur. */
  readonly macroF1: number
}

/** A concept is reported from a probability of `threshold` on; layout as in `taggingFigures`. */
export function decisionFigures(
  scores: readonly ArrayLike<number>[],
  truths: readonly ArrayLike<number>[],
  threshold: number
): DecisionFigures {
  const decisions = scores.map((probabilities, i) => countDecisions(probabilities, truths[i], threshold))
  const total = decisions.reduce((sum, {hits, misses, alarms}) => ({
    hits: sum.hits + hits,
    misses: sum.misses + misses,
    alarms: sum.alarms + alarms
  }))
  const occurring = decisions.filter(({hits, misses}) => hits + misses > 0)
  return {microF1: f1(total), macroF1: occurring.reduce((sum, own) => sum + f1(own), 0) / occurring.length}
}

interface Decisions {
  readonly hits: number
  readonly misses: number
  readonly alarms: number
}

function countDecisions(probabilities: ArrayLike<number>, truth: ArrayLike<number>, threshold: number): Decisions {
  let hits = 0
  let misses = 0
  let alarms = 0
  for (let at = 0; at < truth.length; at++) {
    const isReported = probabilities[at] >= threshold
    if (truth[at] && isReported) hits++
    else if (truth[at]) misses++
    else if (isReported) alarms++
  }
  return {hits, misses, alarms}
}

function f1({hits, misses, alarms}: Decisions): number {
  return hits === 0 ? 0 : (2 * hits) / (2 * hits + misses + alarms)
}

/** The predictions whose probabilities fall into one bin: what was said of them, and what came true. */
export interface ReliabilityBin {
  readonly meanProbability: number
  /** The share of them in which the concept is present. */
  readonly shareFound: number
  /** Predictions, one a document and concept. */
  readonly count: number
}

const BIN_COUNT = 15

/**
 * The reliability curve: fifteen equally wide bins, lowest first, empty ones left out. Where probabilities can be taken
 * at their word, both shares of a bin agree. Layout as in `taggingFigures`.
 */
export function reliabilityCurve(
  scores: readonly ArrayLike<number>[],
  truths: readonly ArrayLike<number>[]
): ReliabilityBin[] {
  const said = new Float64Array(BIN_COUNT)
  const found = new Float64Array(BIN_COUNT)
  const counts = new Float64Array(BIN_COUNT)
  scores.forEach((probabilities, i) => {
    for (let at = 0; at < probabilities.length; at++) {
      const bin = Math.min(BIN_COUNT - 1, Math.floor(probabilities[at] * BIN_COUNT))
      said[bin] += probabilities[at]
      found[bin] += truths[i][at]
      counts[bin]++
    }
  })
  return Array.from(counts, (count, bin) => ({
    meanProbability: said[bin] / count,
    shareFound: found[bin] / count,
    count
  })).filter(({count}) => count > 0)
}

/** The mean distance of both shares over the bins, weighted by their size. */
export function calibrationError(curve: readonly ReliabilityBin[]): number {
  let distance = 0
  let total = 0
  for (const {meanProbability, shareFound, count} of curve) {
    distance += count * Math.abs(meanProbability - shareFound)
    total += count
  }
  return distance / total
}
