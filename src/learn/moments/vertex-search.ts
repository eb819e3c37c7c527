/**
 * Minimises a linear function of the coordinates (p, q) over 0/1 assignments y, at which p_i = y_i and q_ik = y_i y_k. It is a
 * quadratic function of y, and its coefficients have the layout of the coordinates.
 */
import type {Rng} from '../../base/numeric/index.ts'
import {independentCoordinates} from './problem.ts'

/** A 0/1 assignment and the value of the function there. */
export interface Assignment {
  readonly y: Uint8Array
  readonly value: number
}

/** Changes of value below this fraction of the sum of absolute coefficients are rounding errors. */
const ROUNDING = 1e-13

/** Returns the value of the function at an assignment. */
export function assignmentValue(coefficients: Float64Array, y: ArrayLike<number>): number {
  const x = independentCoordinates(y)
  let value = 0
  for (let e = 0; e < x.length; e++) if (x[e] !== 0) value += coefficients[e]
  return value
}

/** Returns the coefficients of the pairs as a symmetric matrix, row-major, with zeros on the diagonal. */
function symmetricWeights(coefficients: Float64Array, m: number): Float64Array {
  const W = new Float64Array(m * m)
  for (let i = 0, column = m; i < m; i++)
    for (let k = i + 1; k < m; k++, column++) W[i * m + k] = W[k * m + i] = coefficients[column]
  return W
}

/**
 * Finds the minimum over all 2^m assignments by recursion over the bits, the last first.
 * Cost: O(2^m), as most calls have few bits left; 2^22 assignments take about 0.1 s.
 */
export function enumerateMinimum(coefficients: Float64Array, m: number): Assignment {
  const W = symmetricWeights(coefficients, m)
  /** The change of the value when bit k < i is set, given all bits from i on, is at `i*m + k`. */
  const slopes = new Float64Array((m + 1) * m)
  slopes.set(coefficients.subarray(0, m), m * m)
  const y = new Uint8Array(m)
  const best = new Uint8Array(m)
  let bestValue = Number.POSITIVE_INFINITY
  visit(m, 0)
  return {y: best, value: assignmentValue(coefficients, best)}

  /** Tries all values of the first `count` bits; `value` is the value if all of them are 0. */
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
 * Finds distinct local minima under flips of one bit, best first, by steepest descent from random assignments. It is a heuristic:
 * its best value is only an upper bound of the minimum. Cost: O(m) per flip.
 */
export function searchMinima(coefficients: Float64Array, m: number, starts: number, random: Rng): Assignment[] {
  const W = symmetricWeights(coefficients, m)
  const rounding = ROUNDING * coefficients.reduce((sum, value) => sum + Math.abs(value), 0)
  const found = new Map<string, Assignment>()
  /** The change of value if a bit flips. */
  const change = new Float64Array(m)
  for (let start = 0; start < starts; start++) {
    // The share of ones varies between starts, since minima of some functions have few ones and others many.
    const share = random.next()
    const y = Uint8Array.from({length: m}, () => (random.next() < share ? 1 : 0))
    for (let i = 0; i < m; i++) change[i] = coefficients[i]
    for (let i = 0; i < m; i++) if (y[i] === 1) for (let k = 0; k < m; k++) change[k] += W[i * m + k]
    for (let i = 0; i < m; i++) if (y[i] === 1) change[i] = -change[i]
    for (let at = lowestIndex(change); change[at] < -rounding; at = lowestIndex(change)) {
      y[at] ^= 1
      const sign = 2 * y[at] - 1
      for (let k = 0; k < m; k++) change[k] += y[k] === 1 ? -sign * W[at * m + k] : sign * W[at * m + k]
      change[at] = -change[at]
    }
    const name = y.join('')
    if (!found.has(name)) found.set(name, {y, value: assignmentValue(coefficients, y)})
  }
  return [...found.values()].sort((a, b) => a.value - b.value)
}

function lowestIndex(values: Float64Array): number {
  let at = 0
  for (let i = 1; i < values.length; i++) if (values[i] < values[at]) at = i
  return at
}
