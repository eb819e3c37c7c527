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

/** A learned failure below this would let one word alone decide a concept. */
export const FAILURE_FLOOR = 1e-3

/** The nearest failure that can stand in a model; 1 for an estimate that does not exist. */
export function clipFailure(estimate: number): number {
  return Number.isNaN(estimate) ? 1 : clamp(estimate, FAILURE_FLOOR, 1)
}
