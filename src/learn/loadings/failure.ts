import type {WordMoments} from '../moments/index.ts'

/**
 * The direct estimator (Eq. 7): f_ij = P(x0|y_i = 1) / P(x0|y_i = 0), right when the concepts are independent.
 * Unclipped, `i*n + j`; NaN where a conditional probability does not exist.
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
 * The tree estimator (Eq. 8): the direct one divided by a correction c_ijk for each neighbour k of i, which takes out
 * what Y_i says about X_j through the whole subtree behind Y_k. Unclipped, `i*n + j`.
 */
export function failureTree(moments: WordMoments): Float64Array {
  const {wordCount: n, edges} = moments
  const f = failureDirect(moments)
  edges.forEach(([i, k], edge) => {
    for (let j = 0; j < n; j++) {
      const cell = 8 * (edge * n + j)
      f[i * n + j] /= correction(moments.pairs, cell, 4, 2)
      f[k * n + j] /= correction(moments.pairs, cell, 2, 4)
    }
  })
  return f
}

/**
 * c_ijk of Eq. 9: sum over y_k of P(y_k|y_i = 1) P(x0|y_i = 0, y_k), over P(x0|y_i = 0), wholly from the table of
 * (Y_i, Y_k, X_j) that begins at `start`; `i` and `k` are the strides of the two concepts, the word's is 1.
 */
export function correction(table: Float64Array, start: number, i: number, k: number): number {
  const mass = (at: number) => table[start + at] + table[start + at + 1]
  const y0 = mass(0) + mass(k)
  const y1 = mass(i) + mass(i + k)
  const x0GivenY0 = (table[start] + table[start + k]) / y0
  const through = (mass(i) / y1) * (table[start] / mass(0)) + (mass(i + k) / y1) * (table[start + k] / mass(k))
  return ratio(through, x0GivenY0)
}

function ratio(above: number, below: number): number {
  return below > 0 ? above / below : Number.NaN
}
