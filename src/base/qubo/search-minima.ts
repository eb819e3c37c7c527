import {
  type BinaryQuadratic,
  checkQuadratic,
  coefficientScale,
  quadraticValue,
  symmetricWeights
} from './binary-quadratic.ts'
import type {LocalMinima, SearchOptions} from './local-minima.ts'
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
