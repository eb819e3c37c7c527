import {
  type BinaryCubic,
  type BinaryQuadratic,
  checkFunction,
  coefficientScale,
  cubicValue,
  quadraticValue,
  symmetricTriples,
  symmetricWeights
} from './binary-function.ts'
import {type FlipFunction, type LocalMinima, type SearchOptions, walkFromAll} from './tabu-walk.ts'

/**
 * Local minima of a quadratic function under flips of one variable: a heuristic. Its best value is an upper bound of the
 * minimum and proves nothing. Cost: O(m) per step, about 50 us per start for m = 50.
 */
export function searchMinima(q: BinaryQuadratic, options: SearchOptions): LocalMinima {
  checkFunction(q)
  return walkFromAll(quadraticFlips(q), options)
}

/** Local minima of a cubic function, likewise. Cost: O(m^2) per step, and m^3 numbers of memory. */
export function searchCubic(f: BinaryCubic, options: SearchOptions): LocalMinima {
  checkFunction(f)
  return walkFromAll(cubicFlips(f), options)
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
    scale: coefficientScale(f),
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
