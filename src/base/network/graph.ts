import {topologicalOrder} from './bayes-network.ts'

/** One cycle, each concept a parent of the next and the last of the first; undefined when there is none. */
export function findCycle(parents: readonly (readonly number[])[]): number[] | undefined {
  if (topologicalOrder(parents) !== undefined) return undefined
  let left = new Set(parents.keys())
  // What has no parent left is not on a cycle; what stays has one, so walking up must come back.
  for (let size = -1; size !== left.size; ) {
    size = left.size
    left = new Set([...left].filter(i => parents[i].some(parent => left.has(parent))))
  }
  const [start] = left
  const path = [start]
  for (;;) {
    const parent = parents[path[path.length - 1]].find(k => left.has(k))
    if (parent === undefined) throw new Error('internal error: a cycle was lost')
    const at = path.indexOf(parent)
    if (at >= 0) return path.slice(at).reverse()
    path.push(parent)
  }
}
