/**
 * P(X|Y) of every word, a noisy-or: `P(x_j = 0 | y) = (1 - leak[j]) * product over i of failure[i*n + j]^{y_i}`.
 * A failure of 1 means that concept i does not switch on word j.
 */
export interface Loadings {
  readonly latentCount: number
  readonly wordCount: number
  /** Row-major, concept i, word j at `i * wordCount + j`, in (0, 1]. */
  readonly failure: Float64Array
  /** In [0, 1). */
  readonly leak: Float64Array
}
