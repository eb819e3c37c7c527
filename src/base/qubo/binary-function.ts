import {AdfaError} from '../checks/index.ts'
import {pairsOf, tripleIndex, triplesOf} from './pair-index.ts'

/**
 * A quadratic function of m variables that are 0 or 1: `sum_i u_i y_i + sum_{i<k} w_ik y_i y_k`.
 * Layout: `linear` holds u; `quadratic` holds w, the pairs i < k row-major, (0,1), (0,2), ... (m-2,m-1).
 */
export interface BinaryQuadratic {
  readonly size: number
  readonly linear: Float64Array
  readonly quadratic: Float64Array
}

/**
 * A cubic function: a quadratic one plus `sum_{i<k<l} t_ikl y_i y_k y_l`.
 * Layout: `cubic` holds t, the triples i < k < l row-major, (0,1,2), (0,1,3), ... (m-3,m-2,m-1).
 */
export interface BinaryCubic extends BinaryQuadratic {
  readonly cubic: Float64Array
}

export function quadraticValue(q: BinaryQuadratic, y: ArrayLike<number>): number {
  const {size: m, linear, quadratic} = q
  let value = 0
  let at = 0
  for (let i = 0; i < m; i++) {
    if (y[i] === 0) {
      at += m - i - 1
      continue
    }
    let row = linear[i]
    for (let k = i + 1; k < m; k++, at++) row += quadratic[at] * y[k]
    value += row
  }
  return value
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

/** The weights w as a full symmetric matrix, row-major, zeros on the diagonal: the form that inner loops read. */
export function symmetricWeights({size: m, quadratic}: BinaryQuadratic): Float64Array {
  const W = new Float64Array(m * m)
  let at = 0
  for (let i = 0; i < m; i++) for (let k = i + 1; k < m; k++, at++) W[i * m + k] = W[k * m + i] = quadratic[at]
  return W
}

/** The weights t as a full symmetric array, t_ikl at (i m + k) m + l, zero where two indices are equal. */
export function symmetricTriples({size: m, cubic}: BinaryCubic): Float64Array {
  const T = new Float64Array(m * m * m)
  let at = 0
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++)
      for (let l = k + 1; l < m; l++, at++) {
        T[(i * m + k) * m + l] = T[(i * m + l) * m + k] = cubic[at]
        T[(k * m + i) * m + l] = T[(k * m + l) * m + i] = cubic[at]
        T[(l * m + i) * m + k] = T[(l * m + k) * m + i] = cubic[at]
      }
  return T
}

/** The sum of the absolute values of all coefficients, against which rounding errors are measured. */
export function coefficientScale(f: BinaryQuadratic | BinaryCubic): number {
  let scale = 0
  for (const values of coefficientsOf(f)) for (let n = 0; n < values.length; n++) scale += Math.abs(values[n])
  return scale
}

/** Refuse a function whose arrays do not fit its size or hold numbers that are not finite. */
export function checkFunction(f: BinaryQuadratic | BinaryCubic): void {
  const {size} = f
  if (!Number.isInteger(size) || size < 0) throw refusal(`size is ${size}; it must be a whole number, at least 0`)
  const names = ['linear', 'quadratic', 'cubic']
  const lengths = [size, pairsOf(size), triplesOf(size)]
  coefficientsOf(f).forEach((values, at) => {
    if (values.length !== lengths[at])
      throw refusal(`${names[at]} has ${values.length} numbers; ${lengths[at]} are needed`)
    const bad = values.findIndex(value => !Number.isFinite(value))
    if (bad >= 0) throw refusal(`${names[at]}[${bad}] is ${values[bad]}; coefficients must be finite`)
  })
}

function coefficientsOf(f: BinaryQuadratic | BinaryCubic): Float64Array[] {
  return 'cubic' in f ? [f.linear, f.quadratic, f.cubic] : [f.linear, f.quadratic]
}

function refusal(fault: string): AdfaError {
  return new AdfaError('bad-option', `function of binary variables: ${fault}`)
}
