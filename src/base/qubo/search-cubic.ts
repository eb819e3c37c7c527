import {type BinaryCubic, checkCubic, cubicScale, cubicValue, symmetricTriples} from './binary-cubic.ts'
import {symmetricWeights} from './binary-quadratic.ts'
import type {LocalMinima, SearchOptions} from './local-minima.ts'
import {type FlipFunction, walkFromAll} from './tabu-walk.ts'

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
