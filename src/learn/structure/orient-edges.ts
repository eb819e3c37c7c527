import {directByRules, MixedGraph, type Parents} from '../../base/network/index.ts'
import {type TestedPair, weakestFirst} from './skeleton-search.ts'

export interface OrientedEdges {
  readonly graph: MixedGraph
  /** Edges dropped because their directions, each allowed one way only, would have closed a cycle. */
  readonly droppedForConstraints: number
  /** V-structures that the tests support but that contradict surer ones or known directions. */
  readonly conflicts: number
}

/**
 * The directions of the edges of a skeleton, as far as they can be known: a graph with directed and undirected edges.
 *
 * First the edges that `allows(parent, child)` permits one way only, the strongest first. Then v-structures i -> j <- k
 * where i and k are joined to j but not to each other and j is not in their separator, the surest separation (largest
 * p-value) first; one that contradicts an earlier direction is skipped and counted. Then the consequences by Meek's rules.
 * Directed edges never make a cycle. A pair without a separator decides nothing.
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

/** The v-structures that the separators imply, the surest first. */
function* colliders(graph: MixedGraph, pairs: readonly TestedPair[]): Generator<[i: number, j: number, k: number]> {
  for (const {i, k, joined, separator} of pairs.toSorted((a, b) => weakestFirst(a.test, b.test))) {
    if (joined || separator === undefined) continue
    for (const j of graph.neighbours(i)) if (graph.isJoined(j, k) && !separator.includes(j)) yield [i, j, k]
  }
}

/** Direct i -> j <- k; false when an earlier direction or a cycle prevents it. */
function directCollider(graph: MixedGraph, i: number, j: number, k: number): boolean {
  if (graph.reaches(j, i) || graph.reaches(j, k)) return false
  graph.direct(i, j)
  graph.direct(k, j)
  return true
}

interface ExtendedGraph {
  /** Each list ascending; acyclic. */
  readonly parents: Parents
  /** V-structures that had to be added: 0 when the directed edges are consistent. */
  readonly added: number
}

/**
 * Give the undirected edges directions that make no cycle and no new v-structure (Dor and Tarsi, 1992): repeatedly find a
 * concept without outgoing edges whose undirected neighbours are joined to all its other neighbours, direct all its edges
 * towards it, and remove it.
 *
 * Directed edges keep their directions, and must not make a cycle. Where no such concept is left, no extension exists; then
 * the concept whose edges make the fewest new v-structures is taken, and these are counted.
 * Cost: O(m^2 d^2), d neighbours.
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

/** How many new v-structures arise when all edges around i are directed towards it. */
function newColliders(graph: MixedGraph, i: number, around: readonly number[]): number {
  let count = 0
  for (const [at, k] of around.entries())
    for (const l of around.slice(at + 1))
      if (!graph.isJoined(k, l) && (graph.isUndirected(k, i) || graph.isUndirected(l, i))) count++
  return count
}
