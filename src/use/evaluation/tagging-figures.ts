import {bestThreshold} from '../../learn/words/index.ts'
import {type DecisionFigures, decisionFigures} from './decisions.ts'
import {averagePrecision, rocArea} from './ranking.ts'
import {calibrationError, type ReliabilityBin, reliabilityCurve} from './reliability.ts'

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
