import {AdfaError} from '../checks/index.ts'
import {
  type BinaryCubic,
  type BinaryQuadratic,
  checkFunction,
  cubicValue,
  quadraticValue,
  symmetricTriples,
  symmetricWeights
} from './binary-function.ts'

/** 2^30 points take about five seconds. */
export const ENUMERATION_LIMIT = 30

/** Sums are recomputed whenever a variable from this one on changes, so that rounding errors cannot accumulate. */
const REFRESH_FROM = 10

export interface BinaryMinimum {
  readonly y: Uint8Array
  readonly value: number
}

/**
 * The minimum of a quadratic function, by visiting all 2^m points in Gray code order; the first of equals wins.
 *
 * When variable i flips, all variables before it are 0 except i - 1, which is 1. So the change of value is
 * `H_i = u_i + w_{i,i-1} + sum_{k>i} w_ik y_k`, and H changes only when a later variable flips, which is rare: a point costs
 * O(1) on average, not O(m).
 */
export function enumerateMinimum(q: BinaryQuadratic): BinaryMinimum {
  checkEnumerable(q)
  const m = q.size
  const W = symmetricWeights(q)
  const H = new Float64Array(m)
  return enumerateAll({
    size: m,
    value: y => quadraticValue(q, y),
    changes: H,
    refresh(y) {
      for (let i = 0; i < m; i++) {
        H[i] = q.linear[i] + (i > 0 ? W[i * m + i - 1] : 0)
        for (let k = i + 1; k < m; k++) H[i] += W[i * m + k] * y[k]
      }
    },
    flipped(k, sign) {
      for (let i = 0; i < k; i++) H[i] += sign * W[k * m + i]
    }
  })
}

/**
 * The minimum of a cubic function, likewise. The change of value when i flips is
 * `H_i = u_i + w_{i,i-1} + sum_{k>i} y_k (w_ik + t_{i,i-1,k}) + sum_{i<k<l} t_ikl y_k y_l`; it changes only when a later
 * variable flips, in O(m), so that a point costs O(m) on average.
 */
export function enumerateCubic(f: BinaryCubic): BinaryMinimum {
  checkEnumerable(f)
  const m = f.size
  const W = symmetricWeights(f)
  const T = symmetricTriples(f)
  const H = new Float64Array(m)
  const later = new Uint8Array(m)
  /** w_ik + t_{i,i-1,k} + sum_{l>i} t_ikl y_l */
  const slope = (i: number, k: number, y: Uint8Array) => {
    const row = (i * m + k) * m
    let sum = W[i * m + k] + (i > 0 ? T[row + i - 1] : 0)
    for (let l = i + 1; l < m; l++) if (y[l] === 1) sum += T[row + l]
    return sum
  }
  return enumerateAll({
    size: m,
    value: y => cubicValue(f, y),
    changes: H,
    refresh(y) {
      for (let i = 0; i < m; i++) {
        H[i] = f.linear[i] + (i > 0 ? W[i * m + i - 1] : 0)
        later.fill(0)
        for (let k = m - 1; k > i; k--) {
          if (y[k] === 1) H[i] += slope(i, k, later)
          later[k] = y[k]
        }
      }
    },
    flipped(k, sign, y) {
      for (let i = 0; i < k; i++) H[i] += sign * slope(i, k, y)
    }
  })
}

/** A function of binary variables, 0 where all of them are 0, that tracks its changes along a Gray code. */
interface GrayFunction {
  readonly size: number
  value(y: Uint8Array): number
  /** By how much the value rises when a variable becomes 1, at the time when a Gray code flips it. */
  readonly changes: Float64Array
  /** Recompute the changes for the point y. */
  refresh(y: Uint8Array): void
  /** Update them after variable k has changed by `sign`. */
  flipped(k: number, sign: number, y: Uint8Array): void
}

function enumerateAll(f: GrayFunction): BinaryMinimum {
  const {changes} = f
  const y = new Uint8Array(f.size)
  const best = new Uint8Array(f.size)
  f.refresh(y)
  let value = 0
  let bestValue = 0
  const count = 2 ** f.size
  for (let step = 1; step < count; step++) {
    const k = 31 - Math.clz32(step & -step)
    const sign = 1 - 2 * y[k]
    y[k] ^= 1
    if (k < REFRESH_FROM) {
      value += sign * changes[k]
      f.flipped(k, sign, y)
    } else {
      value = f.value(y)
      f.refresh(y)
    }
    if (value < bestValue) {
      bestValue = value
      best.set(y)
    }
  }
  return {y: best, value: f.value(best)}
}

function checkEnumerable(f: BinaryQuadratic | BinaryCubic): void {
  checkFunction(f)
  if (f.size > ENUMERATION_LIMIT)
    throw new AdfaError(
      'bad-option',
      `${f.size} binary variables; at most ${ENUMERATION_LIMIT} can be enumerated; use branch and bound or a search`
    )
}
