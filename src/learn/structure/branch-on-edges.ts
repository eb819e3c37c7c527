/** How branch and cut divides graphs: by whether an edge is there. `allowed[n]` is 1 for the families that are left. */
import type {Edge} from '../../base/network/index.ts'
import type {PackedFamilies} from './packed-families.ts'

/** An edge counts as neither there nor absent when x gives it more and less than this. */
const FRACTION = 1e-6

/** The edges that x has only in part, the most undecided first. Where there are none, x is whole. */
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

/** The families left where the edge is there, and where it is not. */
export function branches(families: PackedFamilies, allowed: Uint8Array, [parent, child]: Edge): Uint8Array[] {
  const {starts} = families
  const present = allowed.slice()
  const absent = allowed.slice()
  for (let n = starts[child]; n < starts[child + 1]; n++) (hasParent(families, n, parent) ? absent : present)[n] = 0
  return [present, absent]
}

/**
 * Leave out the families that would close a cycle with edges that are there in all families left, again until nothing
 * changes. Undefined when a concept is left without a family.
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

/** The concepts that are above each other one in every graph left; undefined if one would be above itself or has no family. */
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

/** The parents that all families left of concept i have. */
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
