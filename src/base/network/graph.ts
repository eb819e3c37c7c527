/** A directed graph: `parents[i]` lists the parents of variable i. */
export type Parents = readonly (readonly number[])[]

export type Edge = readonly [parent: number, child: number]

/** Returns an order in which every parent comes before its children, or undefined when the graph has a cycle. */
export function topologicalOrder(parents: Parents): number[] | undefined {
  const order = longestOrder(parents)
  return order.length === parents.length ? order : undefined
}

/** Returns the variables that neither are on a cycle nor have an ancestor on one, every parent before its children. */
function longestOrder(parents: Parents): number[] {
  const missingParents = parents.map(list => list.length)
  const children: number[][] = parents.map(() => [])
  parents.forEach((list, child) => {
    for (const parent of list) children[parent].push(child)
  })
  const order = parents.map((_, i) => i).filter(i => missingParents[i] === 0)
  for (let at = 0; at < order.length; at++)
    for (const child of children[order[at]]) if (--missingParents[child] === 0) order.push(child)
  return order
}

/** Returns a cycle, in which each variable is a parent of the next and the last a parent of the first, or undefined if there is none. */
export function findCycle(parents: Parents): number[] | undefined {
  const ordered = new Set(longestOrder(parents))
  const unordered = new Set([...parents.keys()].filter(i => !ordered.has(i)))
  if (unordered.size === 0) return undefined
  // Each of these variables has a parent among them, so a walk from parent to parent must return to one that it has visited.
  const [start] = unordered
  const path = [start]
  const positions = new Map([[start, 0]])
  for (;;) {
    const parent = parents[path[path.length - 1]].find(k => unordered.has(k))
    if (parent === undefined) throw new Error('internal error: a cycle was lost')
    const at = positions.get(parent)
    if (at !== undefined) return path.slice(at).reverse()
    positions.set(parent, path.push(parent) - 1)
  }
}

export interface SpanningTree {
  /** The variables, every parent before its children. */
  readonly order: readonly number[]
  /** The parent of each variable; -1 for the root. */
  readonly parent: Int32Array
}

/**
 * Returns the spanning tree of maximum weight, grown from `root` by Prim's method in O(m^2). Among edges of equal weight the one to
 * the variable of lower index wins, then the one that was found first. `weight(i, k)` is called with i already in the tree.
 */
export function maximumSpanningTree(size: number, weight: (i: number, k: number) => number, root = 0): SpanningTree {
  const parent = new Int32Array(size).fill(-1)
  const best = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
  const isInTree = new Uint8Array(size)
  const order: number[] = []
  for (let last = root; order.length < size; ) {
    isInTree[last] = 1
    order.push(last)
    let next = -1
    for (let k = 0; k < size; k++) {
      if (isInTree[k]) continue
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
