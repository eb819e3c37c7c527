import {clamp} from '../../base/numeric/index.ts'
import type {BlanketMoments, WordMoments} from '../moments/index.ts'

/**
 * The noisy-or P(X|Y) of every word: `P(x_j = 0 | y) = (1 - leak[j]) * product over i of failure[i*n + j]^{y_i}`.
 * A failure of 1 means that concept i does not switch on word j.
 */
export interface Loadings {
  readonly conceptCount: number
  readonly wordCount: number
  /** The failure of concept i to switch on word j, in (0, 1], is at `i * wordCount + j`. */
  readonly failure: Float64Array
  /** The leak of every word, in [0, 1). */
  readonly leak: Float64Array
}

/** The least failure of a model. A lower one would let a single word decide a concept. */
export const FAILURE_FLOOR = 1e-3

/** Returns the failure in the range of models, [1e-3, 1], that is nearest to an estimate, or 1 for NaN. */
export function clipFailure(estimate: number): number {
  return Number.isNaN(estimate) ? 1 : clamp(estimate, FAILURE_FLOOR, 1)
}

/**
 * The direct estimator (Eq. 7): f_ij = P(x0|y_i = 1) / P(x0|y_i = 0), correct when the concepts are independent.
 * Failures are not clipped, and are NaN where a conditional probability is undefined; f_ij is at `i*n + j`.
 */
export function failureDirect({conceptCount, wordCount, singles}: WordMoments): Float64Array {
  const f = new Float64Array(conceptCount * wordCount)
  for (let at = 0; at < f.length; at++) {
    const cell = 4 * at
    const x0GivenY0 = singles[cell] / (singles[cell] + singles[cell + 1])
    const x0GivenY1 = singles[cell + 2] / (singles[cell + 2] + singles[cell + 3])
    f[at] = ratio(x0GivenY1, x0GivenY0)
  }
  return f
}

/**
 * The tree estimator (Eq. 8): the direct one divided by a correction factor c_ijk for each neighbour k of i, which removes the
 * effect of Y_i on X_j through the whole subtree behind Y_k. The layout is that of {@link failureDirect}.
 */
export function failureTree(moments: WordMoments): Float64Array {
  const {wordCount: n, edges} = moments
  const f = failureDirect(moments)
  edges.forEach(([i, k], edge) => {
    for (let j = 0; j < n; j++) {
      const cell = 8 * (edge * n + j)
      f[i * n + j] /= correctionFactor(moments.pairs, cell, 4, 2)
      f[k * n + j] /= correctionFactor(moments.pairs, cell, 2, 4)
    }
  })
  return f
}

/**
 * Returns c_ijk of Eq. 9: the sum over y_k of P(y_k|y_i = 1) P(x0|y_i = 0, y_k), divided by P(x0|y_i = 0). The table of
 * (Y_i, Y_k, X_j) begins at `start`; `i` and `k` are the strides of the two concepts, and the word's stride is 1.
 */
export function correctionFactor(table: Float64Array, start: number, i: number, k: number): number {
  const mass = (at: number) => table[start + at] + table[start + at + 1]
  const y0 = mass(0) + mass(k)
  const y1 = mass(i) + mass(i + k)
  const x0GivenY0 = (table[start] + table[start + k]) / y0
  const x0GivenOthers = (mass(i) / y1) * (table[start] / mass(0)) + (mass(i + k) / y1) * (table[start + k] / mass(k))
  return ratio(x0GivenOthers, x0GivenY0)
}

function ratio(numerator: number, denominator: number): number {
  return denominator > 0 ? numerator / denominator : Number.NaN
}

/**
 * A configuration of the blanket counts only if both values of the concept have at least the mass of this many documents.
 * Without shrinkage, cells that should be 0 keep small positive values, whose ratio is meaningless.
 */
const MIN_DOCUMENTS = 1

/**
 * The blanket estimator (Eq. 6). The paper conditions on any one configuration b of the blanket; here all of them are pooled as
 * Mantel and Haenszel pool ratios: the sum of w_b P(x0|y_i = 1, b) divided by the sum of w_b P(x0|y_i = 0, b), with
 * w_b = P(y_i = 1, b) P(y_i = 0, b) / P(b). It returns the failure of each word, not clipped, and NaN if no configuration has
 * enough documents.
 *
 * A ratio of sums needs no logarithm of noisy cells, and weights that all words share cannot favour low estimates of one word.
 */
export function failureBlanket({wordCount, sampleCount, tables, concepts}: BlanketMoments): Float64Array {
  const configurations = concepts.length / 2
  const weights = Float64Array.from({length: configurations}, (_, b) => {
    const [absent, present] = [concepts[b], concepts[configurations + b]]
    return absent + present > 0 ? (absent * present) / (absent + present) : 0
  })
  return Float64Array.from({length: wordCount}, (_, j) => {
    let numerator = 0
    let denominator = 0
    for (let b = 0; b < configurations; b++) {
      const y0 = 4 * configurations * j + 2 * b
      const y1 = y0 + 2 * configurations
      const [mass0, mass1] = [tables[y0] + tables[y0 + 1], tables[y1] + tables[y1 + 1]]
      if (!(Math.min(mass0, mass1) >= MIN_DOCUMENTS / sampleCount)) continue
      numerator += (weights[b] * tables[y1]) / mass1
      denominator += (weights[b] * tables[y0]) / mass0
    }
    return ratio(numerator, denominator)
  })
}

/** Lists the parents and children of concept i and the other parents of its children, in ascending order. */
export function markovBlanket(parents: readonly (readonly number[])[], i: number): number[] {
  const families = parents.flatMap((list, child) => (child === i || list.includes(i) ? [child, ...list] : []))
  return [...new Set(families)].filter(member => member !== i).sort((a, b) => a - b)
}
