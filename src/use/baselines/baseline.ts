import {AdfaError} from '../../base/checks/index.ts'
import {clamp, log} from '../../base/numeric/index.ts'
import type {Predictor} from '../prediction/index.ts'
import type {NoisyOrCertificate} from './fit-noisy-or.ts'
import type {TrainingCertificate} from './train-classifiers.ts'

/** Something simpler to compare a model with, and what its answers rest on. */
export interface Baseline extends Predictor {
  readonly certificate: BaselineCertificate
}

export interface BaselineCertificate {
  readonly classifiers?: TrainingCertificate
  readonly noisyOr?: NoisyOrCertificate
}

/** A prevalence of 0 or 1 would make documents impossible. */
export const PREVALENCE_FLOOR = 1e-6

/** log P(y) of independent concepts. */
export function logIndependent(prevalence: ArrayLike<number>, y: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < prevalence.length; i++) {
    const p = clamp(prevalence[i], PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
    sum += log(y[i] ? p : 1 - p)
  }
  return sum
}

/** Scores in which the tags already given are no candidates; `scores` is changed. */
export function withoutGiven(scores: Float64Array, given: readonly number[]): Float64Array {
  for (const i of given) {
    if (!(Number.isInteger(i) && i >= 0 && i < scores.length))
      throw new AdfaError('mismatch', `given tag ${i} is none of the ${scores.length} concepts`)
    scores[i] = Number.NEGATIVE_INFINITY
  }
  return scores
}
