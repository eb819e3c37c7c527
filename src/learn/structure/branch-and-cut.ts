import type {LinearRow} from '../../base/linear/index.ts'
import type {Edge} from '../../base/network/index.ts'
import type {PackedFamilies} from './search-result.ts'

/**
 * The cuts and branches of {@link searchInteger}.
 *
 * Cluster cuts (Jaakkola, Sontag, Globerson and Meila, 2010): in an acyclic graph every set C of concepts has a member whose
 * parents all lie outside C. With x[n] = 1 for the chosen families,
 *
 *     f(C) = sum of x[n] over families n of concepts in C with no parent in C  >=  1.
 *
 * Branches divide graphs by whether they have an edge; `allowed[n]` is 1 for the families that remain.
 */

/** A set of concepts, ascending. */
export type Cluster = readonly number[]

/** By how much f(C) must fall short of 1, well above the tolerances of the solver. */
const VIOLATION = 1e-4

/** Values of x below this are rounding errors. */
const TINY = 1e-7

/** The families of which x chooses more than a minimum, renumbered. */
interface Support {
  readonly x: Float64Array
  readonly children: Int32Array
  readonly parents: readonly Int32Array[]
  /** The families of each concept, and those in which it is a parent. */
  readonly ofChild: readonly number[][]
  readonly ofParent: readonly number[][]
}

/** The row of a cluster. Each concept has exactly one family, so f(C) >= 1 can also be written over the other families; the shorter form is used. */
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

/** Violated clusters, the most violated first, by growing one from every pair that x joins; may miss some. */
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

/** For an integral x, a shortest cycle through every concept on one: each is a violated cluster. */
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

/** The concepts of a shortest cycle through `start`, ascending, by breadth-first search upwards. */
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

/** From {i, k}, keep adding the joined concept that makes f smallest; returns the cluster of smallest f on the way. */
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

/** An edge is fractional when x gives it more than this and less than 1 minus this. */
const FRACTION = 1e-6

/** The edges that x chooses only in part, the most undecided first. Where there are none, x is integral. */
export function fractionalEdges({starts, parentStarts, parents, children}: PackedFamilies, x: Float64Array): Edge[] {
  const m = starts.length - 1
  const weights = new Map<number, number>()
  for (let n = 0; n < x.length; n++) {
    if (!(x[n] > 0)) continue
    for (let at = parentStarts[n]; at < parentStarts[n + 1]; at++) {
      const edge = parents[at] * m + children[n]
      weights.set(edge, (weights.get(edge) ?? 0) + x[n])
    }
  }
  return [...weights]
    .filter(([, weight]) => weight > FRACTION && weight < 1 - FRACTION)
    .sort(([edge, a], [other, b]) => Math.abs(a - 0.5) - Math.abs(b - 0.5) || edge - other)
    .map(([edge]): Edge => [Math.floor(edge / m), edge % m])
}

/** The remaining families with the edge, and without it. */
export function branches(families: PackedFamilies, allowed: Uint8Array, [parent, child]: Edge): Uint8Array[] {
  const {starts} = families
  const present = allowed.slice()
  const absent = allowed.slice()
  for (let n = starts[child]; n < starts[child + 1]; n++) (hasParent(families, n, parent) ? absent : present)[n] = 0
  return [present, absent]
}

/**
 * Drop the families that would close a cycle with edges common to all remaining families, until nothing changes.
 * Undefined when a concept is left without a family.
 */
export function propagate(families: PackedFamilies, allowed: Uint8Array): Uint8Array | undefined {
  const {starts, parentStarts, parents, children} = families
  const left = allowed.slice()
  for (let changed = true; changed; ) {
    changed = false
    const above = ancestors(families, left)
    if (above === undefined) return undefined
    for (let n = 0; n < left.length; n++) {
      if (!left[n]) continue
      for (let at = parentStarts[n]; at < parentStarts[n + 1] && left[n]; at++)
        if (above[parents[at]].has(children[n])) {
          left[n] = 0
          changed = true
        }
    }
  }
  for (let i = 0; i + 1 < starts.length; i++) if (!left.subarray(starts[i], starts[i + 1]).includes(1)) return undefined
  return left
}

/** The ancestors of each concept in every remaining graph; undefined if a concept would be its own ancestor. */
function ancestors(families: PackedFamilies, left: Uint8Array): Set<number>[] | undefined {
  const m = families.starts.length - 1
  const above = Array.from({length: m}, (_, i) => sharedParents(families, left, i))
  for (let grown = true; grown; ) {
    grown = false
    for (const set of above) {
      const size = set.size
      for (const k of [...set]) for (const ancestor of above[k]) set.add(ancestor)
      if (set.size > size) grown = true
    }
  }
  return above.some((set, i) => set.has(i)) ? undefined : above
}

/** The parents common to all remaining families of concept i. */
function sharedParents(families: PackedFamilies, left: Uint8Array, i: number): Set<number> {
  const {starts, parentStarts, parents} = families
  let shared: Set<number> | undefined
  for (let n = starts[i]; n < starts[i + 1]; n++) {
    if (!left[n]) continue
    if (shared === undefined) shared = new Set(parents.subarray(parentStarts[n], parentStarts[n + 1]))
    else for (const k of shared) if (!hasParent(families, n, k)) shared.delete(k)
  }
  return shared ?? new Set()
}

function hasParent({parentStarts, parents}: PackedFamilies, n: number, parent: number): boolean {
  for (let at = parentStarts[n]; at < parentStarts[n + 1]; at++) if (parents[at] === parent) return true
  return false
}
