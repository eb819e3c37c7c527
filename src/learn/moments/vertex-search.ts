/**
 * Minimises a linear function of the coordinates (p, q) over 0/1 assignments y, where p_i stands for y_i and q_ik for y_i y_k: a
 * quadratic function of bits. The coefficients have the layout of the coordinates.
 */

import type {Rng} from '../../base/numeric/index.ts'
import {independentCoordinates} from './problem.ts'

export interface Assignment {
  readonly y: Uint8Array
  readonly value: number
}

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
 * Finds the minimum over all 2^m assignments by recursion over the bits, the last first; of equals, the first visited wins.
 * Cost: O(2^m), since the bits left over at most calls are few; 2^22 assignments take about 0.1 s.
 */
export function enumerateMinimum(coefficients: Float64Array, m: number): Assignment {
  const W = symmetricWeights(coefficients, m)
  /** Row i holds what each bit before i adds to the value, given the bits from i. */
  const slopes = new Float64Array((m + 1) * m)
  slopes.set(coefficients.subarray(0, m), m * m)
  const y = new Uint8Array(m)
  const best = new Uint8Array(m)
  let bestValue = Number.POSITIVE_INFINITY
  visit(m, 0)
  return {y: best, value: assignmentValue(coefficients, best)}

  function visit(count: number, value: number): void {
    if (count === 0) {
      if (value >= bestValue) return
      bestValue = value
      best.set(y)
      return
    }
    const i = count - 1
    for (let on = 0; on < 2; on++) {
      y[i] = on
      for (let k = 0; k < i; k++) slopes[i * m + k] = slopes[count * m + k] + on * W[i * m + k]
      visit(i, value + on * slopes[count * m + i])
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
