import type {MixedGraph} from '../../base/network/index.ts'

export interface ExtendedGraph {
  /** The parents of each concept, rising; without a cycle. */
  readonly parents: readonly (readonly number[])[]
  /** V-structures that had to be added: 0 when the directed edges agree with each other. */
  readonly added: number
}

/**
 * Give the undirected edges directions that make no cycle and no new v-structure (Dor and Tarsi, 1992): again and
 * again, find a concept that no edge leaves and whose undirected neighbours are joined to all its other neighbours, let
 * all its edges lead to it, and set it aside.
 *
 * Directed edges keep their directions, and must not make a cycle. Where no such concept is left, no extension exists;
 * then the one whose edges make the fewest new v-structures is taken, and these are counted. Cost: O(m^2 d^2), d
 * neighbours.
 */
export function extendGraph(graph: MixedGraph): ExtendedGraph {
  const left = new Set(Array.from({length: graph.size}, (_, i) => i))
  const parents: number[][] = Array.from({length: graph.size}, () => [])
  let added = 0
  while (left.size > 0) {
    let last = -1
    let least = Number.POSITIVE_INFINITY
    for (const i of left) {
      const around = graph.neighbours(i).filter(k => left.has(k))
      if (around.some(k => graph.leads(i, k))) continue
      const made = newColliders(graph, i, around)
      if (made >= least) continue
      last = i
      least = made
    }
    if (last < 0) throw new Error('internal error: the directed edges make a cycle')
    added += least
    left.delete(last)
    parents[last] = graph
      .neighbours(last)
      .filter(k => left.has(k))
      .sort((a, b) => a - b)
  }
  return {parents, added}
}

/** How many v-structures at i that are not there yet it makes to let all edges around it lead to it. */
function newColliders(graph: MixedGraph, i: number, around: readonly number[]): number {
  let count = 0
  for (const [at, k] of around.entries())
    for (const l of around.slice(at + 1))
      if (!graph.isJoined(k, l) && (graph.isUndirected(k, i) || graph.isUndirected(l, i))) count++
  return count
}
