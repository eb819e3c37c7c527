import {eliminationOrder, junctionTree} from '../../base/network/index.ts'
import {clamp, exp, log} from '../../base/numeric/index.ts'
import type {InferenceTables} from './inference-tables.ts'

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

/** Odds in and out of the network beyond this, or below its inverse, count as certain: products of them stay in range. */
const CERTAIN = 1e60

/** Cells of a junction tree, at most: about 35 microseconds a sweep, a few times what the words of a document take. */
const CELL_LIMIT = 4096

/**
 * P(Y) as one factor, exact for concepts with several parents: what it tells concept i, `message[i]`, is the odds of i
 * given what all concepts hear elsewhere, divided by what i hears elsewhere.
 *
 * Undefined for a forest, where {@link createNetworkMessages} is exact and faster, and for a network whose junction tree
 * would have more than 4,096 cells: 50 concepts with one or two random parents have 2,000 to 5,000.
 * Against loopy belief propagation (tests): exact without words, half the error where ties are strong, no difference
 * where words decide. At 50 concepts about half as many documents a second.
 * Odds above 1e15 lose their digits in 1 - p; they are certain to every word, so that no other concept can tell.
 */
export function createJunctionMessages({network, conceptCount: m}: InferenceTables): NetworkMessages | undefined {
  if (network.parents.every(list => list.length <= 1)) return undefined
  const tree = eliminationOrder(network).size <= CELL_LIMIT ? junctionTree(network) : undefined
  if (tree === undefined) return undefined
  const message = new Float64Array(m)
  const weights = new Float64Array(2 * m)
  const marginals = new Float64Array(m)

  return {
    kind: 'junction-tree',
    reset() {
      message.fill(1)
    },
    sweep(odds, known, damping) {
      for (let i = 0; i < m; i++) {
        weights[2 * i] = known[i] === 1 ? 0 : 1
        weights[2 * i + 1] = known[i] === -1 ? clamp(odds[i] / message[i], 1 / CERTAIN, CERTAIN) : known[i]
      }
      tree.propagate(weights, marginals)
      let cut = false
      for (let i = 0; i < m; i++) {
        if (known[i] !== -1) continue
        const old = message[i]
        const p = marginals[i]
        const next = clamp(p / (1 - p) / weights[2 * i + 1], 1 / CERTAIN, CERTAIN)
        // Twice: on a tree both what goes up and what comes down is damped. Once lets half of what swings swing on.
        message[i] = damping === 0 ? next : damped(old, next, damping * (2 - damping))
        if (multiply(odds, i, message[i] / old)) cut = true
      }
      return cut
    },
    collect(product) {
      for (let i = 0; i < m; i++) product[i] *= message[i]
    }
  }
}

/** Odds stay within these bounds, where they are certain either way: no product overflows and none becomes 0. */
export const ODDS_TOP = 1e280
export const ODDS_BOTTOM = 1e-280

/** Multiply odds and keep them in their bounds; true if they were cut off. */
export function multiply(odds: Float64Array, i: number, ratio: number): boolean {
  const next = odds[i] * ratio
  const inside = next > ODDS_BOTTOM && next < ODDS_TOP
  odds[i] = inside ? next : clamp(next, ODDS_BOTTOM, ODDS_TOP)
  return !inside
}

/**
 * A message between the old and the new one: `damping` is the share of the old logarithm that is kept. A small step is
 * taken along the straight line, which is the same to first order and needs no logarithm; the fixed points stay as they are.
 */
export function damped(old: number, next: number, damping: number): number {
  const ratio = next / old
  if (ratio > 0.5 && ratio < 2) return old + (1 - damping) * (next - old)
  return old * exp((1 - damping) * log(ratio))
}
