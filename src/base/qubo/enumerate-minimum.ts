import {type BinaryQuadratic, quadraticValue, symmetricWeights} from './binary-quadratic.ts'

/** Sums are recomputed whenever a variable with at least this number changes, so that rounding errors cannot accumulate. */
const REFRESH_FROM = 10

export interface BinaryMinimum {
  readonly y: Uint8Array
  readonly value: number
}

/**
 * Finds the minimum of a quadratic function of at most 30 variables by visiting all 2^m points in Gray code order; the first of
 * equals wins. Cost: 2^30 points take about five seconds.
 *
 * When variable i flips, all variables before it are 0 except i - 1, which is 1. So the change of value is
 * `H_i = u_i + w_{i,i-1} + sum_{k>i} w_ik y_k`, and H changes only when a later variable flips, which is rare: a point costs
 * O(1) on average, not O(m).
 */
export function enumerateMinimum(q: BinaryQuadratic): BinaryMinimum {
  const m = q.size
  const W = symmetricWeights(q)
  const H = new Float64Array(m)
  const y = new Uint8Array(m)
  const best = new Uint8Array(m)
  refresh()
  let value = 0
  let bestValue = 0
  for (let step = 1; step < 2 ** m; step++) {
    const k = 31 - Math.clz32(step & -step)
    const sign = 1 - 2 * y[k]
    y[k] ^= 1
    if (k < REFRESH_FROM) {
      value += sign * H[k]
      for (let i = 0; i < k; i++) H[i] += sign * W[k * m + i]
    } else {
      value = quadraticValue(q, y)
      refresh()
    }
    if (value < bestValue) {
      bestValue = value
      best.set(y)
    }
  }
  return {y: best, value: quadraticValue(q, best)}

  function refresh(): void {
    for (let i = 0; i < m; i++) {
      H[i] = q.linear[i] + (i > 0 ? W[i * m + i - 1] : 0)
      for (let k = i + 1; k < m; k++) H[i] += W[i * m + k] * y[k]
    }
  }
}
