import {directByRules, MixedGraph} from '../../base/network/index.ts'
import {type TestedPair, weakestFirst} from './skeleton-search.ts'

export interface OrientedEdges {
  readonly graph: MixedGraph
  /** Edges taken out since their directions, each allowed one way only, would have closed a cycle. */
  readonly droppedForConstraints: number
  /** V-structures that the tests speak for, but that contradict surer ones or the directions known beforehand. */
  readonly conflicts: number
}

/**
 * The directions of the edges of a skeleton, as far as they can be known: a graph with directed and undirected edges.
 *
 * First those that `allows(parent, child)` leaves one way only, the strongest edge first. Then the v-structures: where
 * i and k are both joined to j but not to each other, and j is not in what separates them, i -> j <- k; the surest
 * separation (largest p-value) first, and one that contradicts a direction given before is left out and counted. Then
 * what follows from these by Meek's rules. Directed edges never make a cycle. A pair without a separator decides
 * nothing.
 */
export function orientEdges(
  conceptCount: number,
  pairs: readonly TestedPair[],
  allows: (parent: number, child: number) => boolean
): OrientedEdges {
  const graph = new MixedGraph(conceptCount)
  for (const {i, k, joined} of pairs) if (joined) graph.join(i, k)
  let droppedForConstraints = 0
  for (const {i, k, joined} of pairs.toSorted((a, b) => weakestFirst(b.test, a.test))) {
    if (!joined || (allows(i, k) && allows(k, i))) continue
    const [from, to] = allows(i, k) ? [i, k] : [k, i]
    if (graph.reaches(to, from)) {
      graph.part(i, k)
      droppedForConstraints++
    } else graph.direct(from, to)
  }
  let conflicts = 0
  for (const [i, j, k] of colliders(graph, pairs)) if (!directCollider(graph, i, j, k)) conflicts++
  directByRules(graph)
  return {graph, droppedForConstraints, conflicts}
}

/** The v-structures that the separators speak for, the surest first. */
function* colliders(graph: MixedGraph, pairs: readonly TestedPair[]): Generator<[i: number, j: number, k: number]> {
  for (const {i, k, joined, separator} of pairs.toSorted((a, b) => weakestFirst(a.test, b.test))) {
    if (joined || separator === undefined) continue
    for (const j of graph.neighbours(i)) if (graph.isJoined(j, k) && !separator.includes(j)) yield [i, j, k]
  }
}

/** Direct i -> j <- k; false when a direction given before or a cycle is in the way. */
function directCollider(graph: MixedGraph, i: number, j: number, k: number): boolean {
  if (graph.reaches(j, i) || graph.reaches(j, k)) return false
  graph.direct(i, j)
  graph.direct(k, j)
  return true
}
