/**
 * Cluster cuts (Jaakkola, Sontag, Globerson and Meila, 2010): a graph without a cycle has, in every set C of concepts, one
 * whose parents all lie outside C. With x[n] = 1 for the families chosen,
 *
 *     f(C) = sum of x[n] over families n of concepts in C with no parent in C  >=  1.
 *
 * Here are the searches for sets that a fractional x violates, and the row of such a set.
 */
import type {LinearRow} from '../../base/linear/index.ts'
import type {PackedFamilies} from './packed-families.ts'

/** A set of concepts, rising. */
export type Cluster = readonly number[]

/** By how much f(C) must fall short of 1, well above the tolerances of the solver. */
const VIOLATION = 1e-4

/** Values of x below this are rounding. */
const TINY = 1e-7

/** The families of which x chooses more than a least part, numbered anew. */
interface Support {
  readonly x: Float64Array
  readonly children: Int32Array
  readonly parents: readonly Int32Array[]
  /** The families of each concept, and those that it is a parent in. */
  readonly ofChild: readonly number[][]
  readonly ofParent: readonly number[][]
}

/** The row of a cluster. Each concept has exactly one family, so f(C) >= 1 may also be said of the other families; the shorter is used. */
export function clusterRow({starts, parentStarts, parents}: PackedFamilies, cluster: Cluster): LinearRow {
  const inside = new Set(cluster)
  const outer: number[] = []
  const inner: number[] = []
  for (const i of cluster)
    for (let n = starts[i]; n < starts[i + 1]; n++) {
      const touches = parents.subarray(parentStarts[n], parentStarts[n + 1]).some(parent => inside.has(parent))
      ;(touches ? inner : outer).push(n)
    }
  const infinite = Number.POSITIVE_INFINITY
  return inner.length < outer.length
    ? {indices: inner, values: inner.map(() => 1), lower: -infinite, upper: cluster.length - 1}
    : {indices: outer, values: outer.map(() => 1), lower: 1, upper: infinite}
}

/** Violated clusters, the most violated first, by growing a cluster from every pair that x joins; it may miss some. */
export function growClusters(families: PackedFamilies, x: Float64Array): Cluster[] {
  const support = supportOf(families, x, TINY)
  const found = new Map<string, {cluster: Cluster; value: number}>()
  for (let i = 0; i < support.ofChild.length; i++)
    for (const k of new Set(support.ofChild[i].flatMap(n => [...support.parents[n]]))) {
      const {cluster, value} = grow(support, i, k)
      if (value < 1 - VIOLATION) found.set(cluster.join(), {cluster, value})
    }
  return [...found.values()].sort((a, b) => a.value - b.value).map(({cluster}) => cluster)
}

/** Of a whole x, a shortest cycle through every concept that lies on one: each is a violated cluster. */
export function findCycles(families: PackedFamilies, x: Float64Array): Cluster[] {
  const {ofChild, parents} = supportOf(families, x, 0.5)
  const above = ofChild.map(list => list.flatMap(n => [...parents[n]]))
  const cycles = new Map<string, Cluster>()
  for (let i = 0; i < above.length; i++) {
    const cycle = shortestCycle(above, i)
    if (cycle !== undefined) cycles.set(cycle.join(), cycle)
  }
  return [...cycles.values()]
}

/** The concepts of a shortest cycle through `start`, rising, by breadth-first search upwards. */
function shortestCycle(above: readonly (readonly number[])[], start: number): Cluster | undefined {
  const cameFrom = new Map<number, number>()
  const queue = [start]
  for (const at of queue)
    for (const parent of above[at]) {
      if (parent === start) {
        const cycle = [start]
        for (let i = at; i !== start; i = cameFrom.get(i) ?? start) cycle.push(i)
        return cycle.sort((a, b) => a - b)
      }
      if (cameFrom.has(parent)) continue
      cameFrom.set(parent, at)
      queue.push(parent)
    }
  return undefined
}

/** From {i, k}, add the concept that makes f smallest, as long as there is one joined to the cluster; gives the smallest f on the way. */
function grow(support: Support, i: number, k: number): {cluster: Cluster; value: number} {
  const inside = new Set([i])
  // How many parents of each family lie inside.
  const touched = new Int32Array(support.x.length)
  let value = 1
  const add = (concept: number) => {
    inside.add(concept)
    for (const n of support.ofParent[concept]) touched[n]++
  }
  const after = (concept: number) => {
    let next = value
    for (const n of support.ofChild[concept]) if (touched[n] === 0) next += support.x[n]
    for (const n of support.ofParent[concept])
      if (touched[n] === 0 && inside.has(support.children[n])) next -= support.x[n]
    return next
  }
  for (const n of support.ofParent[i]) touched[n]++
  let best = {cluster: [i] as Cluster, value: 1}
  for (let concept: number | undefined = k; concept !== undefined && inside.size < 12; ) {
    value = after(concept)
    add(concept)
    if (value < best.value - TINY) best = {cluster: [...inside].sort((a, b) => a - b), value}
    let least = Number.POSITIVE_INFINITY
    concept = undefined
    for (const member of inside)
      for (const n of support.ofChild[member]) {
        if (touched[n] > 0) continue
        for (const parent of support.parents[n]) {
          if (inside.has(parent)) continue
          const next = after(parent)
          if (next < least) {
            least = next
            concept = parent
          }
        }
      }
  }
  return best
}

function supportOf({starts, parentStarts, parents, children}: PackedFamilies, x: Float64Array, least: number): Support {
  const chosen = [...x.keys()].filter(n => x[n] > least)
  const lists = chosen.map(n => parents.subarray(parentStarts[n], parentStarts[n + 1]))
  const ofChild: number[][] = Array.from({length: starts.length - 1}, () => [])
  const ofParent: number[][] = Array.from({length: starts.length - 1}, () => [])
  chosen.forEach((n, at) => {
    ofChild[children[n]].push(at)
    for (const parent of lists[at]) ofParent[parent].push(at)
  })
  return {
    x: Float64Array.from(chosen, n => x[n]),
    children: Int32Array.from(chosen, n => children[n]),
    parents: lists,
    ofChild,
    ofParent
  }
}
