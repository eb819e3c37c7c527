import {type BinaryCubic, checkCubic, cubicValue, symmetricTriples} from './binary-cubic.ts'
import {symmetricWeights} from './binary-quadratic.ts'
import {type BinaryMinimum, checkEnumerable, enumerateAll} from './gray-code.ts'

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
