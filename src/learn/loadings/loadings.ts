import {clamp} from '../../base/numeric/index.ts'

/**
 * P(X|Y) of every word, a noisy-or: `P(x_j = 0 | y) = (1 - leak[j]) * product over i of failure[i*n + j]^{y_i}`.
 * A failure of 1 means that concept i does not switch on word j.
 */
export interface Loadings {
  readonly conceptCount: number
  readonly wordCount: number
  /** Row-major, concept i, word j at `i * wordCount + j`, in (0, 1]. */
  readonly failure: Float64Array
  /** In [0, 1). */
  readonly leak: Float64Array
}

/** A lower failure would let a single word decide a concept. */
export const FAILURE_FLOOR = 1e-3

/** The nearest failure that a model may have; 1 for an undefined estimate. */
export function clipFailure(estimate: number): number {
  return Number.isNaN(estimate) ? 1 : clamp(estimate, FAILURE_FLOOR, 1)
}

/** Clips in place, and counts the clips. */
export function clipFailures(failure: Float64Array) {
  let failuresAboveOne = 0
  let failuresBelowFloor = 0
  let failuresUndefined = 0
  for (let at = 0; at < failure.length; at++) {
    if (Number.isNaN(failure[at])) failuresUndefined++
    else if (failure[at] > 1) failuresAboveOne++
    else if (failure[at] < FAILURE_FLOOR) failuresBelowFloor++
    failure[at] = clipFailure(failure[at])
  }
  return {failuresAboveOne, failuresBelowFloor, failuresUndefined}
}
