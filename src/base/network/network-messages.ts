import {clamp, exp, log} from '../numeric/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {topologicalOrder} from './graph.ts'
import {junctionTree} from './junction-tree.ts'

/**
 * The messages of belief propagation from P(Y) to the concepts. A message is stored as the ratio of its value at 1 to its value at 0.
 * `odds[i]` is the product of all messages to concept i. So the message from i to a factor is `odds[i]` divided by the message from
 * that factor, and a changed message multiplies the odds by new / old.
 */
export interface NetworkMessages {
  /** Whether one sweep makes the odds exact, given the odds of the evidence from outside P(Y). */
  readonly isExact: boolean
  /** Sets every message to 1 for a new document. */
  reset(): void
  /**
   * Updates all messages and the odds of unlabelled concepts; `damping` is the share of the old log-message that is kept. Returns
   * whether some odds were clamped, so that they must be computed from the messages again.
   */
  sweep(odds: Float64Array, labels: Int8Array, damping: number): boolean
  /** Multiplies the messages to each concept i into `product[i]`; a product out of range moves to `overflow[i]` as a logarithm. */
  collect(product: Float64Array, overflow: Float64Array): void
}

/** Creates exact messages for a forest or a small junction tree, and loopy ones for any other network. */
export function createMessages(network: BayesNetwork): NetworkMessages {
  return createJunctionMessages(network) ?? createFactorMessages(network)
}

/**
 * Creates messages of belief propagation on P(Y): a sweep goes once up and once down over the factors P(Y_i | parents of i). The
 * factor of i sends `down[i]` to i itself and `up[e]` along each edge e to a parent.
 *
 * On a forest one sweep is exact, whatever the evidence; if a concept has several parents, it is a round of loopy belief propagation.
 * Cost: O(m) with one parent each, O(k^2 2^k) for a concept with k parents.
 */
function createFactorMessages(network: BayesNetwork): NetworkMessages {
  const order = topologicalOrder(network.parents) ?? []
  const messages = factorArrays(network)
  const {firstEdge, edgeParent, down, up, parentProbability} = messages
  return {
    isExact: parentProbability.length <= 1,
    reset() {
      down.fill(1)
      up.fill(1)
    },
    sweep(odds, labels, damping) {
      let isClamped = false
      for (let at = order.length - 1; at >= 0; at--) {
        const i = order[at]
        for (let e = firstEdge[i]; e < firstEdge[i + 1]; e++) {
          const parent = edgeParent[e]
          const ratio = replaceMessage(up, e, upMessage(messages, i, e - firstEdge[i], odds), damping)
          if (labels[parent] === -1 && multiplyOdds(odds, parent, ratio)) isClamped = true
        }
      }
      for (let at = 0; at < order.length; at++) {
        const i = order[at]
        const ratio = replaceMessage(down, i, downMessage(messages, i, odds), damping)
        if (labels[i] === -1 && multiplyOdds(odds, i, ratio)) isClamped = true
      }
      return isClamped
    },
    collect(product, overflow) {
      for (let i = 0; i < product.length; i++) product[i] *= down[i]
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
}

type FactorArrays = ReturnType<typeof factorArrays>

/** Allocates the messages of all factors; the edges to the parents of i are numbered from firstEdge[i] to firstEdge[i + 1] - 1. */
function factorArrays({parents, cpt}: BayesNetwork) {
  const firstEdge = new Int32Array(parents.length + 1)
  for (let i = 0; i < parents.length; i++) firstEdge[i + 1] = firstEdge[i] + parents[i].length
  return {
    cpt,
    firstEdge,
    edgeParent: Int32Array.from(parents.flat()),
    down: new Float64Array(parents.length),
    up: new Float64Array(firstEdge[parents.length]),
    /** P(Y = 1) of each parent of one concept, without the message from its factor; as long as the longest list of parents. */
    parentProbability: new Float64Array(parents.reduce((most, list) => Math.max(most, list.length), 0))
  }
}

/**
 * Returns the message of the factor of i to its parent with index `at` in the list. A single parent, as in a forest, has a formula of
 * its own: with the general one, a sweep over a forest takes a fifth longer.
 */
function upMessage(messages: FactorArrays, i: number, at: number, odds: Float64Array): number {
  const {cpt, firstEdge, down} = messages
  if (firstEdge[i + 1] - firstEdge[i] > 1) return factorMessage(messages, i, at, odds)
  const p0 = cpt[i][0]
  const p1 = cpt[i][1]
  const own = odds[i] / down[i]
  return (1 - p1 + p1 * own) / (1 - p0 + p0 * own)
}

/** Returns the message of the factor of i to i itself. */
function downMessage(messages: FactorArrays, i: number, odds: Float64Array): number {
  const {cpt, firstEdge, edgeParent, up} = messages
  const first = firstEdge[i]
  const k = firstEdge[i + 1] - first
  const p0 = cpt[i][0]
  if (k === 0) return p0 / (1 - p0)
  if (k > 1) return factorMessage(messages, i, -1, odds)
  const p1 = cpt[i][1]
  const o = odds[edgeParent[first]] / up[first]
  return (p0 + p1 * o) / (1 - p0 + (1 - p1) * o)
}

/** Sums over all configurations to get the message of the factor of i to its parent with index `to`, or to i itself if `to` is -1. */
function factorMessage(messages: FactorArrays, i: number, to: number, odds: Float64Array): number {
  const {cpt, firstEdge, edgeParent, down, up, parentProbability} = messages
  const first = firstEdge[i]
  const k = firstEdge[i + 1] - first
  for (let at = 0; at < k; at++) {
    const o = odds[edgeParent[first + at]]
    parentProbability[at] = o / (o + up[first + at])
  }
  const own = odds[i] / down[i]
  const table = cpt[i]
  let zero = 0
  let one = 0
  for (let s = 0; s < table.length; s++) {
    let weight = 1
    for (let at = 0; at < k; at++) {
      const p = parentProbability[at]
      if (at !== to) weight *= (s >> (k - 1 - at)) & 1 ? p : 1 - p
    }
    if (to === -1) {
      zero += weight * (1 - table[s])
      one += weight * table[s]
    } else if ((s >> (k - 1 - to)) & 1) one += weight * (1 - table[s] + table[s] * own)
    else zero += weight * (1 - table[s] + table[s] * own)
  }
  return one / zero
}

/** Odds to and from a junction tree are clamped to [1 / CERTAIN_ODDS, CERTAIN_ODDS], so that their products stay in range. */
const CERTAIN_ODDS = 1e60

/** The cell limit of junction trees for messages. A sweep takes 35 microseconds, a few times as long as the words of a document. */
const MESSAGE_CELL_LIMIT = 4096

/**
 * Creates the messages from P(Y) to the concepts, with P(Y) as a single factor (a junction tree), so they are exact even if concepts
 * have several parents. `message[i]` is the posterior odds of concept i divided by the odds of the document's own evidence on i.
 *
 * Returns undefined for a forest, where {@link createFactorMessages} is exact and faster, and for a junction tree of more than 4,096
 * cells: 50 concepts with one or two random parents have 2,000 to 5,000. Compared with loopy belief propagation, it is exact without
 * words, has half the error where couplings are strong, and no advantage where words decide. At 50 concepts it reads about half as many
 * documents per second. Odds above 1e15 are inaccurate, because 1 - p is rounded, but the word factors treat them as certain anyway.
 */
function createJunctionMessages(network: BayesNetwork): NetworkMessages | undefined {
  const m = network.parents.length
  if (network.parents.every(list => list.length <= 1)) return undefined
  const tree = junctionTree(network, {cellLimit: MESSAGE_CELL_LIMIT})
  if (tree === undefined) return undefined
  const message = new Float64Array(m)
  const weights = new Float64Array(2 * m)
  const marginals = new Float64Array(m)

  return {
    isExact: true,
    reset() {
      message.fill(1)
    },
    sweep(odds, labels, damping) {
      for (let i = 0; i < m; i++) {
        weights[2 * i] = labels[i] === 1 ? 0 : 1
        weights[2 * i + 1] = labels[i] === -1 ? clamp(odds[i] / message[i], 1 / CERTAIN_ODDS, CERTAIN_ODDS) : labels[i]
      }
      tree.propagate(weights, marginals)
      let isClamped = false
      for (let i = 0; i < m; i++) {
        if (labels[i] !== -1) continue
        const p = marginals[i]
        const next = clamp(p / (1 - p) / weights[2 * i + 1], 1 / CERTAIN_ODDS, CERTAIN_ODDS)
        // Damping is applied twice, as sweeps over a tree damp messages up and down; once would leave half of an oscillation.
        if (multiplyOdds(odds, i, replaceMessage(message, i, next, damping * (2 - damping)))) isClamped = true
      }
      return isClamped
    },
    collect(product) {
      for (let i = 0; i < m; i++) product[i] *= message[i]
    }
  }
}

/** Replaces a stored message by a new one, damped; returns new / old. */
function replaceMessage(messages: Float64Array, at: number, message: number, damping: number): number {
  const old = messages[at]
  messages[at] = damping === 0 ? message : dampedMessage(old, message, damping)
  return messages[at] / old
}

/** Odds are clamped to these bounds, where a concept is practically certain, so that no product overflows or becomes 0. */
export const ODDS_TOP = 1e280
export const ODDS_BOTTOM = 1e-280

/** Multiplies `odds[i]` by `ratio` and clamps the result to these bounds. Returns whether it was clamped. */
export function multiplyOdds(odds: Float64Array, i: number, ratio: number): boolean {
  const next = odds[i] * ratio
  const isInside = next > ODDS_BOTTOM && next < ODDS_TOP
  odds[i] = isInside ? next : clamp(next, ODDS_BOTTOM, ODDS_TOP)
  return !isInside
}

/**
 * Returns a message between the old and the new one, where `damping` is the share of the old logarithm that is kept. A small change is
 * damped linearly, which agrees to first order, has the same fixed points and needs no logarithm.
 */
export function dampedMessage(old: number, next: number, damping: number): number {
  const ratio = next / old
  if (ratio > 0.5 && ratio < 2) return old + (1 - damping) * (next - old)
  return old * exp((1 - damping) * log(ratio))
}
