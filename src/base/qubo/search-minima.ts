import {AdfaError} from '../checks/index.ts'
import type {Rng} from '../numeric/index.ts'
import {
  type BinaryCubic,
  type BinaryQuadratic,
  checkCubic,
  checkQuadratic,
  coefficientScale,
  cubicScale,
  cubicValue,
  quadraticValue,
  symmetricTriples,
  symmetricWeights
} from './binary-function.ts'
import {type FlipFunction, walkFromAll} from './tabu-walk.ts'

/**
 * Local minima of a quadratic function under flips of one variable: a heuristic. Its best value is an upper bound of the
 * minimum and proves nothing. Cost: O(m) a step, about 50 us a start for m = 50.
 */
export function searchMinima(q: BinaryQuadratic, options: SearchOptions): LocalMinima {
  checkQuadratic(q)
  return walkFromAll(quadraticFlips(q), options)
}

function quadraticFlips(q: BinaryQuadratic): FlipFunction {
  const m = q.size
  const W = symmetricWeights(q)
  return {
    size: m,
    scale: coefficientScale(q),
    value: y => quadraticValue(q, y),
    fillGains(y, gain) {
      gain.set(q.linear)
      for (let i = 0; i < m; i++) {
        if (y[i] === 1) for (let k = 0, at = i * m; k < m; k++, at++) gain[k] += W[at]
      }
      for (let i = 0; i < m; i++) if (y[i] === 1) gain[i] = -gain[i]
    },
    updateGains(i, y, gain) {
      const sign = 2 * y[i] - 1
      for (let k = 0, at = i * m; k < m; k++, at++) gain[k] += y[k] === 1 ? -sign * W[at] : sign * W[at]
    }
  }
}

/**
 * Local minima of a cubic function under flips of one variable: a heuristic, as `searchMinima` is.
 * Cost: O(m^2) a step, and m^3 numbers of memory.
 */
export function searchCubic(f: BinaryCubic, options: SearchOptions): LocalMinima {
  checkCubic(f)
  return walkFromAll(cubicFlips(f), options)
}

function cubicFlips(f: BinaryCubic): FlipFunction {
  const m = f.size
  const W = symmetricWeights(f)
  const T = symmetricTriples(f)
  const ones = new Int32Array(m)
  const listOnes = (y: Uint8Array) => {
    let count = 0
    for (let i = 0; i < m; i++) if (y[i] === 1) ones[count++] = i
    return count
  }
  /** sum_l t_ikl y_l over the listed ones. */
  const triples = (i: number, k: number, count: number) => {
    const row = (i * m + k) * m
    let sum = 0
    for (let n = 0; n < count; n++) sum += T[row + ones[n]]
    return sum
  }
  return {
    size: m,
    scale: cubicScale(f),
    value: y => cubicValue(f, y),
    fillGains(y, gain) {
      const count = listOnes(y)
      for (let i = 0; i < m; i++) {
        let field = f.linear[i]
        for (let n = 0; n < count; n++) {
          const k = ones[n]
          field += W[i * m + k] + triples(i, k, count) / 2
        }
        gain[i] = y[i] === 1 ? -field : field
      }
    },
    updateGains(i, y, gain) {
      const sign = 2 * y[i] - 1
      const count = listOnes(y)
      for (let k = 0; k < m; k++) {
        const change = sign * (W[i * m + k] + triples(i, k, count))
        gain[k] += y[k] === 1 ? -change : change
      }
    }
  }
}

export interface SearchOptions {
  /** How many random points to start from. */
  readonly starts: number
  readonly rng: Rng
  /** How many distinct local minima to give back at most. */
  readonly keep: number
  /** Points to start from before the random ones, row after row. */
  readonly points?: Uint8Array
  /** Tabu steps from each start, twice the number of variables when left out; 0 is plain steepest descent. */
  readonly steps?: number
}

/** Distinct local minima, best first. */
export interface LocalMinima {
  readonly count: number
  readonly values: Float64Array
  /** `count` rows of 0s and 1s. */
  readonly rows: Uint8Array
}

export function checkSearchOptions({starts, keep, points, steps}: SearchOptions, size: number): void {
  checkWhole('starts', starts, 0)
  checkWhole('keep', keep, 1)
  if (steps !== undefined) checkWhole('steps', steps, 0)
  if (points !== undefined) checkRows('points', points, size)
}

export function checkWhole(name: string, value: number, least: number): void {
  if (!(Number.isInteger(value) && value >= least))
    throw new AdfaError('bad-option', `${name}: ${value}; it is a whole number, ${least} or more`)
}

export function checkRows(name: string, rows: Uint8Array, size: number): void {
  if (size === 0 ? rows.length > 0 : rows.length % size !== 0)
    throw new AdfaError('bad-option', `${name}: ${rows.length} numbers; they must be whole rows of ${size}`)
  const odd = rows.findIndex(value => value > 1)
  if (odd >= 0) throw new AdfaError('bad-option', `${name}[${odd}] is ${rows[odd]}; a binary variable is 0 or 1`)
}
