import {AdfaError} from '../checks/index.ts'
import {type BayesNetwork, topologicalOrder} from './bayes-network.ts'

/** An order in which concepts are summed out of P(Y), and the tables that this takes. */
export interface EliminationOrder {
  readonly order: readonly number[]
  /**
   * `separators[b]`: what the table of `order[b]` holds besides that concept, in this order. Those of a family, and
   * those asked for `together`, stand in one table: that of the first of them.
   */
  readonly separators: readonly (readonly number[])[]
  /** Concepts in the largest table, minus 1; on a tree 1. */
  readonly width: number
  /** Cells that one pass through all tables visits. */
  readonly size: number
}

/**
 * Min-fill: next goes the concept whose neighbours need the fewest new edges to be all connected; of equals the one with
 * fewer neighbours, then the lower number. Nothing is random, and no order is proven best: the best width is NP-hard.
 * Concepts are neighbours when they share a family (the moral graph) or when both are in `together`.
 * Cost: O(m^2), and O(d) for each edge and new edge, d the neighbours of one concept.
 */
export function eliminationOrder({parents}: BayesNetwork, together: readonly number[] = []): EliminationOrder {
  if (topologicalOrder(parents) === undefined)
    throw new AdfaError('bad-model', 'the network has a cycle; P(Y) needs a graph without one')
  const m = parents.length
  const graph = {neighbours: parents.map(() => new Set<number>()), fill: new Float64Array(m)}
  for (const group of [...parents.map((list, child) => [child, ...list]), together]) connect(graph, group)
  const left = new Set(parents.keys())
  const order: number[] = []
  const rank = new Int32Array(m)
  while (left.size > 0) {
    const next = cheapest(graph, left)
    connect(graph, [...graph.neighbours[next]])
    detach(graph, next)
    left.delete(next)
    rank[next] = order.push(next) - 1
  }
  // Neighbours that a concept has when it goes stay with it: they all go later.
  const separators = order.map(i => [...graph.neighbours[i]].sort((a, b) => rank[a] - rank[b]))
  const width = separators.reduce((top, separator) => Math.max(top, separator.length), 0)
  return {order, separators, width, size: passSize(separators, rank)}
}

interface FillGraph {
  readonly neighbours: readonly Set<number>[]
  /** How many pairs of each concept's neighbours are not neighbours. */
  readonly fill: Float64Array
}

/** Make all of `group` neighbours of each other. */
function connect({neighbours, fill}: FillGraph, group: readonly number[]): void {
  for (const i of group)
    for (const k of group) {
      if (i === k || neighbours[i].has(k)) continue
      for (const c of neighbours[i]) {
        if (neighbours[k].has(c)) fill[c]--
        else fill[i]++
      }
      for (const c of neighbours[k]) if (!neighbours[i].has(c)) fill[k]++
      neighbours[i].add(k)
      neighbours[k].add(i)
    }
}

/** Let the neighbours of i forget it. */
function detach({neighbours, fill}: FillGraph, i: number): void {
  for (const k of neighbours[i]) {
    neighbours[k].delete(i)
    for (const c of neighbours[k]) if (!neighbours[i].has(c)) fill[k]--
  }
}

function cheapest({neighbours, fill}: FillGraph, left: ReadonlySet<number>): number {
  let best = -1
  for (const i of left)
    if (best < 0 || fill[i] < fill[best] || (fill[i] === fill[best] && neighbours[i].size < neighbours[best].size))
      best = i
  return best
}

/** Every table once, and for each message once more the table that it goes to: that of the separator's first concept. */
function passSize(separators: readonly (readonly number[])[], rank: Int32Array): number {
  let size = 0
  for (const separator of separators) {
    size += 2 ** (separator.length + 1)
    if (separator.length > 0) size += 2 ** (separators[rank[separator[0]]].length + 1)
  }
  return size
}
