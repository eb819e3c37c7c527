/**
 * A quadratic function of m variables that are 0 or 1: `sum_i u_i y_i + sum_{i<k} w_ik y_i y_k`.
 * Layout: `linear` holds u; `quadratic` holds w, the pairs i < k row-major, (0,1), (0,2), ... (m-2,m-1).
 */
export interface BinaryQuadratic {
  readonly size: number
  readonly linear: Float64Array
  readonly quadratic: Float64Array
}

/** The place of the pair i < k among the pairs of m variables. */
export function pairIndex(i: number, k: number, m: number): number {
  return i * m - (i * (i + 1)) / 2 + k - i - 1
}

export function quadraticValue(q: BinaryQuadratic, y: ArrayLike<number>): number {
  const {size: m, linear, quadratic} = q
  let value = 0
  let at = 0
  for (let i = 0; i < m; i++) {
    if (y[i] === 0) {
      at += m - i - 1
      continue
    }
    let row = linear[i]
    for (let k = i + 1; k < m; k++, at++) row += quadratic[at] * y[k]
    value += row
  }
  return value
}

/** The weights w as a full symmetric matrix, row-major, zeros on the diagonal: the form that inner loops read. */
export function symmetricWeights({size: m, quadratic}: BinaryQuadratic): Float64Array {
  const W = new Float64Array(m * m)
  let at = 0
  for (let i = 0; i < m; i++) for (let k = i + 1; k < m; k++, at++) W[i * m + k] = W[k * m + i] = quadratic[at]
  return W
}

/** The sum of the absolute values of all coefficients, against which rounding errors are measured. */
export function coefficientScale({linear, quadratic}: BinaryQuadratic): number {
  let scale = 0
  for (const value of linear) scale += Math.abs(value)
  for (const value of quadratic) scale += Math.abs(value)
  return scale
}
