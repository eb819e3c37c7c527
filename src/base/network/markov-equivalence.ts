import type {Edge, Parents} from './graph.ts'

/**
 * Tells whether two acyclic graphs imply the same independences, so that no data can tell them apart. They do if they have the same
 * edges, directions aside, and the same v-structures (Verma and Pearl, 1990), which means that their CPDAGs are equal.
 */
export function isMarkovEquivalent(a: Parents, b: Parents): boolean {
  const [first, second] = [a, b].map(parents => JSON.stringify(completedGraph(parents)))
  return a.length === b.length && first === second
}

/** Returns the CPDAG of an acyclic graph, in which those edges are directed that have the same direction in all equivalent graphs. */
export function completedGraph(parents: Parents): PartialGraph {
  const graph = new MixedGraph(parents.length)
  for (const [child, list] of parents.entries()) for (const parent of list) graph.join(parent, child)
  for (const [child, list] of parents.entries())
    for (const i of list) if (list.some(k => k !== i && !graph.isJoined(i, k))) graph.direct(i, child)
  directByRules(graph)
  return graph.toPartialGraph()
}

/** A graph in which an edge is directed if the independences determine its direction, and undirected otherwise. */
export interface PartialGraph {
  /** Each edge has the parent first; edges are in lexicographic order. */
  readonly directed: readonly Edge[]
  /** Each edge has the lower index first; edges are in lexicographic order. */
  readonly undirected: readonly Edge[]
}

export class MixedGraph {
  readonly size: number
  /** Entry `i*size + k` is 1 if there is an edge between i and k that may lead from i to k; both entries are 1 if it is undirected. */
  readonly #mayLead: Uint8Array
  readonly #neighbours: Set<number>[]

  constructor(size: number) {
    this.size = size
    this.#mayLead = new Uint8Array(size * size)
    this.#neighbours = Array.from({length: size}, () => new Set())
  }

  /** Puts an undirected edge between i and k, and removes the direction of an edge that is there. */
  join(i: number, k: number): void {
    this.#mayLead[i * this.size + k] = 1
    this.#mayLead[k * this.size + i] = 1
    this.#neighbours[i].add(k)
    this.#neighbours[k].add(i)
  }

  removeEdge(i: number, k: number): void {
    this.#mayLead[i * this.size + k] = 0
    this.#mayLead[k * this.size + i] = 0
    this.#neighbours[i].delete(k)
    this.#neighbours[k].delete(i)
  }

  /** Directs the edge between i and k from i to k. */
  direct(i: number, k: number): void {
    this.#mayLead[k * this.size + i] = 0
  }

  neighbours(i: number): readonly number[] {
    return [...this.#neighbours[i]]
  }

  isJoined(i: number, k: number): boolean {
    return this.#neighbours[i].has(k)
  }

  isDirected(i: number, k: number): boolean {
    return this.#mayLead[i * this.size + k] === 1 && this.#mayLead[k * this.size + i] === 0
  }

  isUndirected(i: number, k: number): boolean {
    return this.#mayLead[i * this.size + k] === 1 && this.#mayLead[k * this.size + i] === 1
  }

  /** Tells whether a path of directed edges leads from i to k. */
  hasPath(i: number, k: number): boolean {
    const seen = new Set([i])
    for (const at of seen)
      for (const next of this.#neighbours[at]) {
        if (!this.isDirected(at, next)) continue
        if (next === k) return true
        seen.add(next)
      }
    return false
  }

  /** Returns all edges in lexicographic order, each with the lower index first. */
  edges(): [number, number][] {
    return this.#neighbours.flatMap((list, i) =>
      [...list]
        .filter(k => k > i)
        .sort((a, b) => a - b)
        .map((k): [number, number] => [i, k])
    )
  }

  toPartialGraph(): PartialGraph {
    const directed = this.edges()
      .filter(([i, k]) => !this.isUndirected(i, k))
      .map(([i, k]): Edge => (this.isDirected(i, k) ? [i, k] : [k, i]))
      .sort(([i, k], [j, l]) => i - j || k - l)
    return {directed, undirected: this.edges().filter(([i, k]) => this.isUndirected(i, k))}
  }
}

/**
 * Directs every edge whose other direction would make a cycle or a new v-structure, by the four rules of Meek (1995), until none
 * applies. The fourth rule is needed only if some directions were known beforehand.
 *
 * Contradictory directions may imply both directions of an edge, or close a cycle; such edges stay undirected. Each round directs
 * all its edges together, so that the order of the variables does not matter.
 * Cost: O(m d^3) per round, where no variable has more than d neighbours.
 */
export function directByRules(graph: MixedGraph): void {
  const cyclic = new Set<string>()
  for (;;) {
    const found = graph
      .edges()
      .filter(([i, k]) => graph.isUndirected(i, k) && !cyclic.has(`${i} ${k}`))
      .map(([i, k]) => ({i, k, forward: isImplied(graph, i, k), backward: isImplied(graph, k, i)}))
      .filter(({forward, backward}) => forward !== backward)
    if (found.length === 0) return
    for (const {i, k, forward} of found) graph.direct(forward ? i : k, forward ? k : i)
    const closing = found.filter(({i, k, forward}) => (forward ? graph.hasPath(k, i) : graph.hasPath(i, k)))
    for (const {i, k} of closing) {
      graph.join(i, k)
      cyclic.add(`${i} ${k}`)
    }
  }
}

/** Tells whether one of Meek's rules directs the undirected edge a - b as a -> b. */
function isImplied(graph: MixedGraph, a: number, b: number): boolean {
  const neighbours = graph.neighbours(a)
  // Rule 1: c -> a - b with c and b not joined, so b -> a would be a new v-structure.
  if (neighbours.some(c => graph.isDirected(c, a) && c !== b && !graph.isJoined(c, b))) return true
  // Rule 2: a -> c -> b, so b -> a would close a cycle.
  if (neighbours.some(c => graph.isDirected(a, c) && graph.isDirected(c, b))) return true
  // Rule 3: a - c -> b and a - d -> b with c and d not joined.
  const between = neighbours.filter(c => graph.isUndirected(a, c) && graph.isDirected(c, b))
  if (between.some((c, n) => between.slice(n + 1).some(d => !graph.isJoined(c, d)))) return true
  // Rule 4: a - c -> d -> b with a and d joined, but c and b not joined.
  return neighbours.some(
    c =>
      graph.isUndirected(a, c) &&
      c !== b &&
      !graph.isJoined(c, b) &&
      neighbours.some(d => graph.isDirected(c, d) && graph.isDirected(d, b))
  )
}
