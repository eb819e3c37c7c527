import {type BinaryQuadratic, checkQuadratic, quadraticValue, symmetricWeights} from './binary-quadratic.ts'
import {type BinaryMinimum, checkEnumerable, enumerateAll} from './gray-code.ts'

/**
 * The smallest value of a quadratic function, by visiting all 2^m points in Gray code order; the first of equals wins.
 *
 * When variable i flips, those before it are all 0 but i - 1, which is 1. So the change of value is
 * `H_i = u_i + w_{i,i-1} + sum_{k>i} w_ik y_k`, and H changes only when a later variable flips, which is rare: a point costs
 * O(1) on average, not O(m).
 */
export function enumerateMinimum(q: BinaryQuadratic): BinaryMinimum {
  checkQuadratic(q)
  const m = q.size
  checkEnumerable(m)
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
