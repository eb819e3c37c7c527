/**
 * Minimises a linear function of the coordinates (p, q) over 0/1 assignments y, where p_i stands for y_i and q_ik for y_i y_k: a
 * quadratic function of bits. The coefficients have the layout of the coordinates.
 */

import type {Rng} from '../../base/numeric/index.ts'
import {independentCoordinates} from './layout.ts'

export interface Assignment {
  readonly y: Uint8Array
  readonly value: number
}

/** Sums are recomputed whenever a variable with at least this number changes, so that rounding errors cannot accumulate. */
const REFRESH_FROM = 10
/** Changes of value below this share of the coefficients are rounding errors, not descent. */
const ROUNDING = 1e-13

/** The value at an assignment. */
export function assignmentValue(coefficients: Float64Array, y: ArrayLike<number>): number {
  const x = independentCoordinates(y)
  let value = 0
  for (let e = 0; e < x.length; e++) if (x[e] !== 0) value += coefficients[e]
  return value
}

/** The coefficients of the pairs as a full symmetric matrix, row-major, zeros on the diagonal: the form that inner loops read. */
function symmetricWeights(coefficients: Float64Array, m: number): Float64Array {
  const W = new Float64Array(m * m)
  for (let i = 0, column = m; i < m; i++)
    for (let k = i + 1; k < m; k++, column++) W[i * m + k] = W[k * m + i] = coefficients[column]
  return W
}

/**
 * Finds the minimum over at most 30 bits by visiting all 2^m assignments in Gray code order; the first of equals wins.
 * Cost: 2^22 assignments take 50 ms, 2^30 about five seconds.
 *
 * When bit i flips, all bits before it are 0 except i - 1, which is 1. So the change of value is
 * `H_i = u_i + w_{i,i-1} + sum_{k>i} w_ik y_k`, and H changes only when a later bit flips, which is rare: an assignment costs
 * O(1) on average, not O(m).
 */
export function enumerateMinimum(coefficients: Float64Array, m: number): Assignment {
  const W = symmetricWeights(coefficients, m)
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
      value = assignmentValue(coefficients, y)
      refresh()
    }
    if (value < bestValue) {
      bestValue = value
      best.set(y)
    }
  }
  return {y: best, value: assignmentValue(coefficients, best)}

  function refresh(): void {
    for (let i = 0; i < m; i++) {
      H[i] = coefficients[i] + (i > 0 ? W[i * m + i - 1] : 0)
      for (let k = i + 1; k < m; k++) H[i] += W[i * m + k] * y[k]
    }
  }
}

/**
 * Finds distinct local minima under flips of one bit, best first, by steepest descent from random assignments: a heuristic, whose
 * best value is an upper bound of the minimum and proves nothing. Cost: O(m) per flip.
 */
export function searchMinima(coefficients: Float64Array, m: number, starts: number, random: Rng): Assignment[] {
  const W = symmetricWeights(coefficients, m)
  const rounding = ROUNDING * coefficients.reduce((sum, value) => sum + Math.abs(value), 0)
  const found = new Map<string, Assignment>()
  /** The change of value if a bit flips. */
  const gain = new Float64Array(m)
  for (let start = 0; start < starts; start++) {
    // The share of ones varies between starts: good assignments have few ones for some functions, many for others.
    const share = random.next()
    const y = Uint8Array.from({length: m}, () => (random.next() < share ? 1 : 0))
    for (let i = 0; i < m; i++) gain[i] = coefficients[i]
    for (let i = 0; i < m; i++) if (y[i] === 1) for (let k = 0; k < m; k++) gain[k] += W[i * m + k]
    for (let i = 0; i < m; i++) if (y[i] === 1) gain[i] = -gain[i]
    for (let at = lowest(gain); gain[at] < -rounding; at = lowest(gain)) {
      y[at] ^= 1
      const sign = 2 * y[at] - 1
      for (let k = 0; k < m; k++) gain[k] += y[k] === 1 ? -sign * W[at * m + k] : sign * W[at * m + k]
      gain[at] = -gain[at]
    }
    const name = y.join('')
    if (!found.has(name)) found.set(name, {y, value: assignmentValue(coefficients, y)})
  }
  return [...found.values()].sort((a, b) => a.value - b.value)
}

/** The place of the least entry. */
function lowest(values: Float64Array): number {
  let at = 0
  for (let i = 1; i < values.length; i++) if (values[i] < values[at]) at = i
  return at
}
