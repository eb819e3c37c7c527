import {
  type BinaryQuadratic,
  checkCoefficients,
  checkQuadratic,
  coefficientScale,
  quadraticValue
} from './binary-quadratic.ts'

/**
 * A cubic function of m variables that are 0 or 1: a quadratic one plus `sum_{i<k<l} t_ikl y_i y_k y_l`.
 * Layout: `cubic` holds t, the triples i < k < l row-major, (0,1,2), (0,1,3), ... (m-3,m-2,m-1).
 */
export interface BinaryCubic extends BinaryQuadratic {
  readonly cubic: Float64Array
}

/** The place of the triple i < k < l among the triples of m variables. */
export function tripleIndex(i: number, k: number, l: number, m: number): number {
  return triplesOf(m) - triplesOf(m - i) + pairsOf(m - i - 1) - pairsOf(m - k) + l - k - 1
}

export function cubicValue(f: BinaryCubic, y: ArrayLike<number>): number {
  const {size: m, cubic} = f
  let value = quadraticValue(f, y)
  for (let i = 0; i < m; i++) {
    if (y[i] === 0) continue
    for (let k = i + 1; k < m; k++) {
      if (y[k] === 0) continue
      const row = tripleIndex(i, k, k + 1, m)
      for (let l = k + 1; l < m; l++) if (y[l] !== 0) value += cubic[row + l - k - 1]
    }
  }
  return value
}

/** The weights t as a full symmetric array, t_ikl at (i m + k) m + l, zero where two indices are equal. */
export function symmetricTriples({size: m, cubic}: BinaryCubic): Float64Array {
  const T = new Float64Array(m * m * m)
  let at = 0
  for (let i = 0; i < m; i++) {
    for (let k = i + 1; k < m; k++) {
      for (let l = k + 1; l < m; l++, at++) {
        T[(i * m + k) * m + l] = T[(i * m + l) * m + k] = cubic[at]
        T[(k * m + i) * m + l] = T[(k * m + l) * m + i] = cubic[at]
        T[(l * m + i) * m + k] = T[(l * m + k) * m + i] = cubic[at]
      }
    }
  }
  return T
}

export function cubicScale(f: BinaryCubic): number {
  let scale = coefficientScale(f)
  for (let at = 0; at < f.cubic.length; at++) scale += Math.abs(f.cubic[at])
  return scale
}

export function checkCubic(f: BinaryCubic): void {
  checkQuadratic(f)
  checkCoefficients('cubic', f.cubic, triplesOf(f.size))
}

function pairsOf(m: number): number {
  return (m * (m - 1)) / 2
}

function triplesOf(m: number): number {
  return (m * (m - 1) * (m - 2)) / 6
}
