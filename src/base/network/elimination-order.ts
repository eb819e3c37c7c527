import {AdfaError} from '../checks/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {topologicalOrder} from './graph.ts'

/** An order in which variables are summed out of P(Y), and the tables that this needs. */
export interface EliminationOrder {
  readonly order: readonly number[]
  /**
   * `separators[b]`: the other variables in the table of `order[b]`, in this order. A family, and the variables asked for
   * `together`, share one table: that of the first of them.
   */
  readonly separators: readonly (readonly number[])[]
  /** Variables in the largest table, minus 1; 1 for a tree. */
  readonly width: number
  /** Cells that one pass through all tables visits. */
  readonly size: number
}

/**
 * Min-fill: repeatedly eliminates the variable whose neighbours need the fewest new edges to become a clique; among equals
 * the one with fewer neighbours, then the lower number. Deterministic, and not proven best: the best width is NP-hard.
 * Variables are neighbours when they share a family (the moral graph) or are both in `together`.
 * Cost: O(m^2), and O(d) per edge and new edge, d the neighbours of one variable.
 */
export function eliminationOrder({parents}: BayesNetwork, together: readonly number[] = []): EliminationOrder {
  if (topologicalOrder(parents) === undefined)
    throw new AdfaError('bad-model', 'the network has a cycle; remove one of its edges')
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
  // A variable keeps the neighbours it has when it is eliminated: they are all eliminated later.
  const separators = order.map(i => [...graph.neighbours[i]].sort((a, b) => rank[a] - rank[b]))
  const width = separators.reduce((top, separator) => Math.max(top, separator.length), 0)
  return {order, separators, width, size: passSize(separators, rank)}
}

interface FillGraph {
  readonly neighbours: readonly Set<number>[]
  /** How many pairs of each variable's neighbours are not neighbours. */
  readonly fill: Float64Array
}

/** Make a clique of `group`. */
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

/** Remove i from the lists of its neighbours. */
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

/** Every table once, and per message the table that receives it: that of the separator's first variable. */
function passSize(separators: readonly (readonly number[])[], rank: Int32Array): number {
  let size = 0
  for (const separator of separators) {
    size += 2 ** (separator.length + 1)
    if (separator.length > 0) size += 2 ** (separators[rank[separator[0]]].length + 1)
  }
  return size
}
