import {log} from '../../base/numeric/index.ts'
import type {InferenceTables} from './inference-tables.ts'
import {damped, multiply, ODDS_BOTTOM, ODDS_TOP} from './odds.ts'

/**
 * What P(Y) tells the concepts. A message is a ratio, its value at 1 over its value at 0. `odds[i]` is the product of
 * everything concept i hears, so what a factor hears from i is `odds[i]` divided by that factor's own message, and a new
 * message enters as new / old.
 */
export interface NetworkMessages {
  /** How P(Y) is treated: the first two are exact, given what concepts hear elsewhere. */
  readonly kind: 'forest' | 'junction-tree' | 'loopy'
  /** Forget a document: every message says nothing. */
  reset(): void
  /**
   * Known concepts keep their odds; damping is the share of the old log-message that is kept. Returns whether some odds
   * were cut off at a bound, and are to be gathered anew from the messages.
   */
  sweep(odds: Float64Array, known: Int8Array, damping: number): boolean
  /** Multiply all that concept i hears from the network into `product[i]`, or add its logarithm to `overflow[i]`. */
  collect(product: Float64Array, overflow: Float64Array): void
}

/**
 * Belief propagation on P(Y): a sweep goes once up and once down over the factors P(Y_i | parents of i), with messages
 * `down[i]` from the factor of i to i itself and `up[e]` to its parent, edges e numbered through all concepts.
 *
 * On a tree or forest one sweep is exact, whatever the other evidence; with several parents it is a round of loopy belief
 * propagation. Cost: O(m) with one parent each, O(k^2 2^k) for a concept with k parents.
 */
export function createNetworkMessages({network, order, conceptCount: m}: InferenceTables): NetworkMessages {
  const {parents, cpt} = network
  const firstEdge = new Int32Array(m + 1)
  for (let i = 0; i < m; i++) firstEdge[i + 1] = firstEdge[i] + parents[i].length
  const edgeParent = Int32Array.from(parents.flat())
  const down = new Float64Array(m)
  const up = new Float64Array(edgeParent.length)
  const chance = new Float64Array(parents.reduce((most, list) => Math.max(most, list.length), 0))

  return {
    kind: chance.length <= 1 ? 'forest' : 'loopy',
    reset() {
      down.fill(1)
      up.fill(1)
    },
    sweep(odds, known, damping) {
      let cut = false
      for (let place = m - 1; place >= 0; place--) {
        const i = order[place]
        for (let e = firstEdge[i]; e < firstEdge[i + 1]; e++) {
          const parent = edgeParent[e]
          const ratio = replace(up, e, upMessage(i, e - firstEdge[i], odds), damping)
          if (known[parent] === -1 && multiply(odds, parent, ratio)) cut = true
        }
      }
      for (let place = 0; place < m; place++) {
        const i = order[place]
        const ratio = replace(down, i, downMessage(i, odds), damping)
        if (known[i] === -1 && multiply(odds, i, ratio)) cut = true
      }
      return cut
    },
    collect(product, overflow) {
      for (let i = 0; i < m; i++) product[i] *= down[i]
      for (let e = 0; e < up.length; e++) {
        const i = edgeParent[e]
        const next = product[i] * up[e]
        if (next > ODDS_BOTTOM && next < ODDS_TOP) product[i] = next
        else {
          overflow[i] += log(product[i]) + log(up[e])
          product[i] = 1
        }
      }
    }
  }

  function upMessage(i: number, at: number, odds: Float64Array): number {
    if (firstEdge[i + 1] - firstEdge[i] > 1) return factorMessage(i, at, odds)
    const p0 = cpt[i][0]
    const p1 = cpt[i][1]
    const own = odds[i] / down[i]
    return (1 - p1 + p1 * own) / (1 - p0 + p0 * own)
  }

  function downMessage(i: number, odds: Float64Array): number {
    const first = firstEdge[i]
    const k = firstEdge[i + 1] - first
    const p0 = cpt[i][0]
    if (k === 0) return p0 / (1 - p0)
    if (k > 1) return factorMessage(i, -1, odds)
    const p1 = cpt[i][1]
    const o = odds[edgeParent[first]] / up[first]
    return (p0 + p1 * o) / (1 - p0 + (1 - p1) * o)
  }

  /** What the factor of i tells its parent at place `to` (-1: tells i itself), summed over the states of the others. */
  function factorMessage(i: number, to: number, odds: Float64Array): number {
    const first = firstEdge[i]
    const k = firstEdge[i + 1] - first
    for (let at = 0; at < k; at++) {
      const o = odds[edgeParent[first + at]]
      chance[at] = o / (o + up[first + at])
    }
    const own = odds[i] / down[i]
    const table = cpt[i]
    let zero = 0
    let one = 0
    for (let s = 0; s < table.length; s++) {
      let share = 1
      for (let at = 0; at < k; at++) if (at !== to) share *= (s >> (k - 1 - at)) & 1 ? chance[at] : 1 - chance[at]
      if (to === -1) {
        zero += share * (1 - table[s])
        one += share * table[s]
      } else if ((s >> (k - 1 - to)) & 1) one += share * (1 - table[s] + table[s] * own)
      else zero += share * (1 - table[s] + table[s] * own)
    }
    return one / zero
  }
}

/** Store a message; returns new / old. */
function replace(messages: Float64Array, at: number, message: number, damping: number): number {
  const old = messages[at]
  messages[at] = damping === 0 ? message : damped(old, message, damping)
  return messages[at] / old
}
