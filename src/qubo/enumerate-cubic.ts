import {type BinaryCubic, checkCubic, cubicValue, symmetricTriples} from './binary-cubic.ts'
import {symmetricWeights} from './binary-quadratic.ts'
import {type BinaryMinimum, checkEnumerable, REFRESH_FROM} from './enumerate-minimum.ts'

/**
 * The smallest value of a cubic function, by visiting all 2^m points in Gray code order; the first of equals wins.
 *
 * As in `enumerateMinimum`, i flips when those before it are all 0 but i - 1. The change of value is
 * `H_i = u_i + w_{i,i-1} + sum_{k>i} y_k (w_ik + t_{i,i-1,k}) + sum_{i<k<l} t_ikl y_k y_l`; it changes only when a later
 * variable flips, in O(m), so that a point costs O(m) on average.
 */
export function enumerateCubic(f: BinaryCubic): BinaryMinimum {
  checkCubic(f)
  const m = f.size
  checkEnumerable(m)
  const H = changes(f)
  const y = new Uint8Array(m)
  const best = new Uint8Array(m)
  let value = 0
  let bestValue = 0
  const count = 2 ** m
  for (let step = 1; step < count; step++) {
    const k = 31 - Math.clz32(step & -step)
    const sign = 1 - 2 * y[k]
    y[k] ^= 1
    if (k < REFRESH_FROM) {
      value += sign * H.of[k]
      H.flipped(k, sign, y)
    } else {
      value = cubicValue(f, y)
      H.refresh(y)
    }
    if (value < bestValue) {
      bestValue = value
      best.set(y)
    }
  }
  return {y: best, value: cubicValue(f, best)}
}

interface Changes {
  /** H_i. */
  readonly of: Float64Array
  refresh(y: Uint8Array): void
  flipped(k: number, sign: number, y: Uint8Array): void
}

function changes(f: BinaryCubic): Changes {
  const m = f.size
  const W = symmetricWeights(f)
  const T = symmetricTriples(f)
  const H = new Float64Array(m)
  /** w_ik + t_{i,i-1,k} + sum_{l>i} t_ikl y_l */
  const slope = (i: number, k: number, y: Uint8Array) => {
    const row = (i * m + k) * m
    let sum = W[i * m + k] + (i > 0 ? T[row + i - 1] : 0)
    for (let l = i + 1; l < m; l++) if (y[l] === 1) sum += T[row + l]
    return sum
  }
  const refresh = (y: Uint8Array) => {
    const later = new Uint8Array(m)
    for (let i = 0; i < m; i++) {
      H[i] = f.linear[i] + (i > 0 ? W[i * m + i - 1] : 0)
      later.fill(0)
      for (let k = m - 1; k > i; k--) {
        if (y[k] === 1) H[i] += slope(i, k, later)
        later[k] = y[k]
      }
    }
  }
  refresh(new Uint8Array(m))
  return {
    of: H,
    refresh,
    flipped(k, sign, y) {
      for (let i = 0; i < k; i++) H[i] += sign * slope(i, k, y)
    }
  }
}
