import {maximumSpanningTree, type SpanningTree} from '../../base/network/index.ts'
import {mutualInformation, type Rng} from '../../base/numeric/index.ts'
import {pairIndex} from '../../base/qubo/index.ts'

/** The spanning tree of greatest mutual information between the pairs of these moments (coordinates p, q). */
export function informativeTree(x: Float64Array, m: number): SpanningTree {
  return maximumSpanningTree(m, (i, k) => {
    const q = pairOf(x, i, k, m)
    return mutualInformation([1 - x[i] - x[k] + q, x[k] - q, x[i] - q, q])
  })
}

/** The moments of the tree distribution that has the singles of x and its pairs along the edges: a point of the marginal polytope. */
export function treeCoordinates(x: Float64Array, {order, parent}: SpanningTree): Float64Array {
  const m = order.length
  const out = x.slice()
  for (let n = 1; n < m; n++) {
    const k = order[n]
    const {givenOff, givenOn} = conditional(x, parent[k], k, m)
    for (let o = 0; o < n; o++) {
      const i = order[o]
      const withParent = i === parent[k] ? x[i] : pairOf(out, i, parent[k], m)
      out[pairColumn(i, k, m)] = withParent * givenOn + (x[i] - withParent) * givenOff
    }
  }
  return out
}

/** Draws one assignment from that distribution. */
export function sampleTree(x: Float64Array, {order, parent}: SpanningTree, random: Rng): Uint8Array {
  const y = new Uint8Array(order.length)
  for (const k of order) {
    const i = parent[k]
    let on = x[k]
    if (i >= 0) {
      const {givenOff, givenOn} = conditional(x, i, k, order.length)
      on = y[i] === 1 ? givenOn : givenOff
    }
    y[k] = random.next() < on ? 1 : 0
  }
  return y
}

/** P(Y_k = 1 | Y_i). */
function conditional(x: Float64Array, i: number, k: number, m: number): {givenOff: number; givenOn: number} {
  const q = pairOf(x, i, k, m)
  return {givenOff: (x[k] - q) / (1 - x[i]), givenOn: q / x[i]}
}

function pairOf(x: Float64Array, i: number, k: number, m: number): number {
  return x[pairColumn(i, k, m)]
}

function pairColumn(i: number, k: number, m: number): number {
  return m + (i < k ? pairIndex(i, k, m) : pairIndex(k, i, m))
}
