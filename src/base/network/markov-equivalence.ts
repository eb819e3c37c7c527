import type {Edge, Parents} from './graph.ts'

/**
 * Tells whether two acyclic graphs imply the same independences, so that no data can tell them apart. They do when their
 * completed graphs are equal: the same edges, directions aside, and the same v-structures (Verma and Pearl, 1990).
 */
export function markovEquivalent(a: Parents, b: Parents): boolean {
  const [first, second] = [a, b].map(parents => JSON.stringify(completedGraph(parents)))
  return a.length === b.length && first === second
}

/** Returns the CPDAG of an acyclic graph: it directs the edges that have the same direction in every equivalent graph. */
export function completedGraph(parents: Parents): PartialGraph {
  const graph = new MixedGraph(parents.length)
  for (const [child, list] of parents.entries()) for (const parent of list) graph.join(parent, child)
  for (const [child, list] of parents.entries())
    for (const i of list) if (list.some(k => k !== i && !graph.isJoined(i, k))) graph.direct(i, child)
  directByRules(graph)
  return graph.toPartialGraph()
}

/** A graph with directed and undirected edges: the directions that independences determine, and those they leave open. */
export interface PartialGraph {
  /** Parent first, in lexicographic order. */
  readonly directed: readonly Edge[]
  /** The lower number first, in lexicographic order. */
  readonly undirected: readonly Edge[]
}

/** A graph whose edges get their directions one after the other. */
export class MixedGraph {
  readonly size: number
  /** Row-major: 1 where the edge between i and k, if any, may still lead from i to k. */
  readonly #open: Uint8Array
  readonly #neighbours: Set<number>[]

  constructor(size: number) {
    this.size = size
    this.#open = new Uint8Array(size * size)
    this.#neighbours = Array.from({length: size}, () => new Set())
  }

  /** Puts an undirected edge between i and k, whatever was there before. */
  join(i: number, k: number): void {
    this.#open[i * this.size + k] = 1
    this.#open[k * this.size + i] = 1
    this.#neighbours[i].add(k)
    this.#neighbours[k].add(i)
  }

  /** Removes the edge between i and k. */
  part(i: number, k: number): void {
    this.#open[i * this.size + k] = 0
    this.#open[k * this.size + i] = 0
    this.#neighbours[i].delete(k)
    this.#neighbours[k].delete(i)
  }

  /** Directs the edge between i and k from i to k. */
  direct(i: number, k: number): void {
    this.#open[k * this.size + i] = 0
  }

  neighbours(i: number): readonly number[] {
    return [...this.#neighbours[i]]
  }

  isJoined(i: number, k: number): boolean {
    return this.#neighbours[i].has(k)
  }

  /** Tells whether the edge i -> k exists. */
  leads(i: number, k: number): boolean {
    return this.#open[i * this.size + k] === 1 && this.#open[k * this.size + i] === 0
  }

  /** Tells whether the edge i - k exists, without a direction. */
  isUndirected(i: number, k: number): boolean {
    return this.#open[i * this.size + k] === 1 && this.#open[k * this.size + i] === 1
  }

  /** Tells whether a path of directed edges leads from i to k. */
  reaches(i: number, k: number): boolean {
    const seen = new Set([i])
    for (const at of seen)
      for (const next of this.#neighbours[at]) {
        if (!this.leads(at, next)) continue
        if (next === k) return true
        seen.add(next)
      }
    return false
  }

  /** All edges, the lower number first, in lexicographic order. */
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
      .map(([i, k]): Edge => (this.leads(i, k) ? [i, k] : [k, i]))
      .sort(([i, k], [j, l]) => i - j || k - l)
    return {directed, undirected: this.edges().filter(([i, k]) => this.isUndirected(i, k))}
  }
}

/**
 * Directs every edge whose direction follows from the others, given that no edge may make a cycle or a new v-structure: the
 * four rules of Meek (1995), until none applies. The fourth is needed only where some directions were known beforehand.
 *
 * Contradictory directions may imply both directions of an edge, or close a cycle; such edges stay undirected. Each round
 * directs all edges that follow at once, so that the order of the variables does not matter.
 * Cost: O(m d^3) per round, d the most neighbours of a variable.
 */
export function directByRules(graph: MixedGraph): void {
  const circular = new Set<string>()
  for (;;) {
    const found = graph
      .edges()
      .filter(([i, k]) => graph.isUndirected(i, k) && !circular.has(`${i} ${k}`))
      .map(([i, k]) => ({i, k, forward: follows(graph, i, k), backward: follows(graph, k, i)}))
      .filter(({forward, backward}) => forward !== backward)
    if (found.length === 0) return
    for (const {i, k, forward} of found) graph.direct(forward ? i : k, forward ? k : i)
    const closing = found.filter(({i, k, forward}) => (forward ? graph.reaches(k, i) : graph.reaches(i, k)))
    for (const {i, k} of closing) {
      graph.join(i, k)
      circular.add(`${i} ${k}`)
    }
  }
}

/** Tells whether the undirected edge a - b must be a -> b. */
function follows(graph: MixedGraph, a: number, b: number): boolean {
  const around = graph.neighbours(a)
  // c -> a - b, c and b not joined: b -> a would be a new v-structure.
  if (around.some(c => graph.leads(c, a) && c !== b && !graph.isJoined(c, b))) return true
  // a -> c -> b: b -> a would close a cycle.
  if (around.some(c => graph.leads(a, c) && graph.leads(c, b))) return true
  // a - c -> b and a - d -> b, c and d not joined.
  const between = around.filter(c => graph.isUndirected(a, c) && graph.leads(c, b))
  if (between.some((c, n) => between.slice(n + 1).some(d => !graph.isJoined(c, d)))) return true
  // a - c -> d -> b with a joined to d, c and b not joined.
  return around.some(
    c =>
      graph.isUndirected(a, c) &&
      c !== b &&
      !graph.isJoined(c, b) &&
      around.some(d => graph.leads(c, d) && graph.leads(d, b))
  )
}
