/** A directed graph: `parents[i]` lists the parents of variable i. */
export type Parents = readonly (readonly number[])[]

/** An edge, parent first. */
export type Edge = readonly [parent: number, child: number]

/** Returns an order in which every parent comes before its children, or undefined when the graph has a cycle. */
export function topologicalOrder(parents: Parents): number[] | undefined {
  const order = orderable(parents)
  return order.length === parents.length ? order : undefined
}

/** Returns as many variables as can be put in such an order: all that have no ancestor on a cycle. */
function orderable(parents: Parents): number[] {
  const waiting = parents.map(list => list.length)
  const children: number[][] = parents.map(() => [])
  parents.forEach((list, child) => {
    for (const parent of list) children[parent].push(child)
  })
  const order = parents.map((_, i) => i).filter(i => waiting[i] === 0)
  for (let at = 0; at < order.length; at++)
    for (const child of children[order[at]]) if (--waiting[child] === 0) order.push(child)
  return order
}

/** Returns one cycle, each variable a parent of the next and the last of the first; undefined when there is none. */
export function findCycle(parents: Parents): number[] | undefined {
  const ordered = new Set(orderable(parents))
  const left = new Set([...parents.keys()].filter(i => !ordered.has(i)))
  if (left.size === 0) return undefined
  // All that are left have a parent that is left, so walking up must return.
  const [start] = left
  const path = [start]
  const places = new Map([[start, 0]])
  for (;;) {
    const parent = parents[path[path.length - 1]].find(k => left.has(k))
    if (parent === undefined) throw new Error('internal error: a cycle was lost')
    const at = places.get(parent)
    if (at !== undefined) return path.slice(at).reverse()
    places.set(parent, path.push(parent) - 1)
  }
}

/** A tree over variables, or a forest: every variable but the first of a tree has a parent that comes before it in `order`. */
export interface SpanningTree {
  readonly order: readonly number[]
  /** The parent of each variable; -1 for a root. */
  readonly parent: Int32Array
}

/**
 * Returns the spanning tree of greatest total weight, grown from `root` by Prim's method in O(m^2). Only edges that weigh more than
 * `above` are used; where none is left, another tree begins. Among equal edges the one to the lower-numbered variable wins,
 * then the one found first. `weight(i, k)` is asked with i already in the tree.
 */
export function maximumSpanningTree(
  size: number,
  weight: (i: number, k: number) => number,
  {root = 0, above = Number.NEGATIVE_INFINITY}: {readonly root?: number; readonly above?: number} = {}
): SpanningTree {
  const parent = new Int32Array(size).fill(-1)
  const best = new Float64Array(size).fill(above)
  const joined = new Uint8Array(size)
  const order: number[] = []
  for (let last = root; order.length < size; ) {
    joined[last] = 1
    order.push(last)
    let next = -1
    for (let k = 0; k < size; k++) {
      if (joined[k]) continue
      const value = weight(last, k)
      if (value > best[k]) {
        best[k] = value
        parent[k] = last
      }
      if (next < 0 || best[k] > best[next]) next = k
    }
    last = next
  }
  return {order, parent}
}
