import {exp, log} from './elementary.ts'

/** Returns 1 / (1 + exp(-x)). */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + exp(-x))
  const e = exp(x)
  return e / (1 + e)
}

/** Returns log(p / (1 - p)), the inverse of {@link sigmoid}, after clamping p to [edge, 1 - edge]. */
export function logit(p: number, edge = 0): number {
  const clamped = clamp(p, edge, 1 - edge)
  return log(clamped / (1 - clamped))
}

export function clamp(x: number, low: number, high: number): number {
  return Math.min(Math.max(x, low), high)
}

/** Returns the mutual information, in nats, of two binary variables; cell `2*yi + yk` of the table is P(yi, yk). */
export function mutualInformation(table: ArrayLike<number>): number {
  const i0 = table[0] + table[1]
  const i1 = table[2] + table[3]
  const k0 = table[0] + table[2]
  const k1 = table[1] + table[3]
  const product = [i0 * k0, i0 * k1, i1 * k0, i1 * k1]
  return Math.max(0, klDivergence(table, product))
}

/** Returns KL(p, q) in nats; it is infinite if some cell has p > 0 and q = 0. */
function klDivergence(p: ArrayLike<number>, q: ArrayLike<number>): number {
  let sum = 0
  for (let cell = 0; cell < p.length; cell++) if (p[cell] > 0) sum += p[cell] * log(p[cell] / q[cell])
  return sum
}

export function normalised(values: Float64Array): Float64Array {
  const sum = values.reduce((total, value) => total + value, 0)
  return values.map(value => value / sum)
}
