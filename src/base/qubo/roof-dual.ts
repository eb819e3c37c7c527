import {type BinaryQuadratic, checkQuadratic, coefficientScale} from './binary-quadratic.ts'
import {type FlowNetwork, minimumCut} from './max-flow.ts'

/** Residual capacities below this share of the sum of all coefficients are rounding errors. */
const ROUNDING = 1e-14

export interface RoofDual {
  /** The minimum over the local polytope, from the dual side: no 0/1 point has a smaller value. */
  readonly bound: number
  /**
   * A half-integral point of the local polytope that attains it: 0, 1/2 or 1 for each variable, with the best pairs that
   * the polytope allows. Where it is 0 or 1, every 0/1 minimiser agrees (strong persistency).
   */
  readonly half: Float64Array
}

/**
 * Roof duality: the minimum of a quadratic function over the local polytope,
 * `{(p, q): max(0, p_i + p_k - 1) <= q_ik <= min(p_i, p_k)}`, by one maximum flow (Hammer, Hansen, Simeone 1984; Boros and
 * Hammer 2002). Every term is written as a sum over y and, independently, over complements, halved, so that it becomes a
 * cut: `w y_i y_k` with w > 0 costs when y_i is on the source side and the complement of y_k is not; `w < 0` is
 * `-|w|/2 (y_i + y_k)` and a cost when the two differ.
 * Cost: a maximum flow on 2m + 2 nodes, about 0.2 ms for m = 50 and dense.
 */
export function roofDual(q: BinaryQuadratic): RoofDual {
  checkQuadratic(q)
  const {network, constant} = flowNetwork(q)
  const {flow, sinkSide} = minimumCut(network, ROUNDING * coefficientScale(q))
  const m = q.size
  const half = new Float64Array(m)
  for (let i = 0; i < m; i++) half[i] = (1 + sinkSide[m + i] - sinkSide[i]) / 2
  return {bound: constant + flow, half}
}

function flowNetwork({size: m, linear, quadratic}: BinaryQuadratic): {network: FlowNetwork; constant: number} {
  const capacity = new Float64Array(2 * m * m)
  const crosses = new Uint8Array(m * m)
  const u = Float64Array.from(linear)
  let at = 0
  for (let i = 0; i < m; i++) {
    for (let k = i + 1; k < m; k++, at++) {
      const w = quadratic[at]
      if (w > 0) {
        crosses[i * m + k] = 1
        crosses[k * m + i] = 1
        capacity[i * m + k] = w / 2
        capacity[k * m + i] = w / 2
      } else {
        u[i] += w / 2
        u[k] += w / 2
        capacity[i * m + k] = -w / 4
        capacity[k * m + i] = -w / 4
        capacity[(m + i) * m + k] = -w / 4
        capacity[(m + k) * m + i] = -w / 4
      }
    }
  }
  const fromSource = new Float64Array(2 * m)
  const toSink = new Float64Array(2 * m)
  let constant = 0
  for (let i = 0; i < m; i++) {
    if (u[i] < 0) constant += u[i]
    fromSource[u[i] > 0 ? m + i : i] = Math.abs(u[i]) / 2
    toSink[u[i] > 0 ? i : m + i] = Math.abs(u[i]) / 2
  }
  return {network: {size: m, capacity, crosses, fromSource, toSink}, constant}
}
