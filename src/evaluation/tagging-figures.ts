import {averagePrecision, rocArea} from './ranking.ts'

/** How well the probabilities of all concepts, for documents without any known tag, agree with the truth. */
export interface TaggingFigures {
  /** F1 of all decisions together, a concept being predicted at a probability of 0.5 or more. */
  readonly microF1: number
  /** Mean F1 over the concepts that occur. */
  readonly macroF1: number
  /** Mean area under the ROC curve over the concepts that occur and that are also absent somewhere. */
  readonly macroAuc: number
  /** Mean average precision over the concepts that occur. */
  readonly averagePrecision: number
  /** Mean squared error of the probabilities. */
  readonly brier: number
  /** Mean distance of probability and frequency over fifteen equally wide bins, weighted by their size. */
  readonly calibrationError: number
}

const THRESHOLD = 0.5
const BIN_COUNT = 15

/** `scores[i]` and `truths[i]` hold concept i's probabilities and truths (0 or 1), document by document. */
export function taggingFigures(
  scores: readonly ArrayLike<number>[],
  truths: readonly ArrayLike<number>[]
): TaggingFigures {
  const decisions = scores.map((probabilities, i) => countDecisions(probabilities, truths[i]))
  const occurring = decisions.filter(({hits, misses}) => hits + misses > 0)
  const total = decisions.reduce((sum, {hits, misses, alarms}) => ({
    hits: sum.hits + hits,
    misses: sum.misses + misses,
    alarms: sum.alarms + alarms
  }))
  return {
    microF1: f1(total),
    macroF1: mean(occurring.map(f1)),
    macroAuc: mean(defined(scores.map((probabilities, i) => rocArea(probabilities, truths[i])))),
    averagePrecision: mean(defined(scores.map((probabilities, i) => averagePrecision(probabilities, truths[i])))),
    ...calibration(scores, truths)
  }
}

interface Decisions {
  readonly hits: number
  readonly misses: number
  readonly alarms: number
}

function countDecisions(probabilities: ArrayLike<number>, truth: ArrayLike<number>): Decisions {
  let hits = 0
  let misses = 0
  let alarms = 0
  for (let at = 0; at < truth.length; at++) {
    const isPredicted = probabilities[at] >= THRESHOLD
    if (truth[at] && isPredicted) hits++
    else if (truth[at]) misses++
    else if (isPredicted) alarms++
  }
  return {hits, misses, alarms}
}

function f1({hits, misses, alarms}: Decisions): number {
  return hits === 0 ? 0 : (2 * hits) / (2 * hits + misses + alarms)
}

function calibration(
  scores: readonly ArrayLike<number>[],
  truths: readonly ArrayLike<number>[]
): Pick<TaggingFigures, 'brier' | 'calibrationError'> {
  const predicted = new Float64Array(BIN_COUNT)
  const found = new Float64Array(BIN_COUNT)
  let squares = 0
  let count = 0
  scores.forEach((probabilities, i) => {
    for (let at = 0; at < probabilities.length; at++) {
      const p = probabilities[at]
      const bin = Math.min(BIN_COUNT - 1, Math.floor(p * BIN_COUNT))
      predicted[bin] += p
      found[bin] += truths[i][at]
      const error = p - truths[i][at]
      squares += error * error
      count++
    }
  })
  const distance = predicted.reduce((sum, p, bin) => sum + Math.abs(p - found[bin]), 0)
  return {brier: squares / count, calibrationError: distance / count}
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function defined(values: readonly (number | undefined)[]): number[] {
  return values.filter(value => value !== undefined)
}
