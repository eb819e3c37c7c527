import type {BayesNetwork} from './bayes-network.ts'
import type {EliminationOrder} from './elimination-order.ts'

/**
 * The tables of a junction tree, one a concept in the order of elimination, end to end in one array.
 *
 * Table b stands at `start[b]` and has `2 * half[b]` cells: cell 2*s + y, where y is the value of its own concept
 * `order[b]` and s the state of its separator, the first of the separator the least significant bit. Its message is
 * what remains when y is summed out. The message goes to table `parent[b]`, that of the separator's first concept, or
 * nowhere (-1) from an empty separator: cell c there agrees with cell `maps[mapStart[b] + c]` of the message.
 */
export interface JunctionLayout {
  readonly order: Int32Array
  readonly start: Int32Array
  readonly half: Int32Array
  readonly parent: Int32Array
  readonly maps: Int32Array
  readonly mapStart: Int32Array
  /** The product of the families P(Y_k | parents) that belong to each table. */
  readonly prior: Float64Array
  /** Table b holds `scopes[b]`, the first the least significant bit. */
  readonly scopes: readonly (readonly number[])[]
  /** Where each concept stands in `order`. */
  readonly rank: Int32Array
}

export function junctionLayout(network: BayesNetwork, {order, separators}: EliminationOrder): JunctionLayout {
  const m = order.length
  const scopes = order.map((i, b) => [i, ...separators[b]])
  const rank = new Int32Array(m)
  for (const [b, i] of order.entries()) rank[i] = b
  const half = Int32Array.from(separators, separator => 2 ** separator.length)
  const parent = Int32Array.from(separators, separator => (separator.length === 0 ? -1 : rank[separator[0]]))
  const [start, size] = endToEnd(m, b => 2 * half[b])
  const [mapStart, mapSize] = endToEnd(m, b => (parent[b] < 0 ? 0 : 2 * half[parent[b]]))
  const maps = new Int32Array(mapSize)
  for (let b = 0; b < m; b++) if (parent[b] >= 0) maps.set(cellMap(scopes[parent[b]], separators[b]), mapStart[b])
  const prior = new Float64Array(size).fill(1)
  network.parents.forEach((list, child) => {
    // First parent the most significant bit, as in `cpt`; the child is the least.
    const family = [child, ...list.toReversed()]
    const b = Math.min(...family.map(i => rank[i]))
    for (const [cell, at] of cellMap(scopes[b], family).entries()) {
      const p = network.cpt[child][at >> 1]
      prior[start[b] + cell] *= at & 1 ? p : 1 - p
    }
  })
  return {order: Int32Array.from(order), start, half, parent, maps, mapStart, prior, scopes, rank}
}

/** The cell of a table over `kept` that agrees with each cell of one over `scope`; first variable, least significant bit. */
export function cellMap(scope: readonly number[], kept: readonly number[]): Int32Array {
  const map = new Int32Array(2 ** scope.length)
  for (const [bit, i] of scope.entries()) {
    const at = kept.indexOf(i)
    const step = at < 0 ? 0 : 2 ** at
    for (let cell = 0; cell < 2 ** bit; cell++) map[2 ** bit + cell] = map[cell] + step
  }
  return map
}

function endToEnd(count: number, sizeOf: (b: number) => number): [starts: Int32Array, size: number] {
  const starts = new Int32Array(count)
  let size = 0
  for (let b = 0; b < count; b++) {
    starts[b] = size
    size += sizeOf(b)
  }
  return [starts, size]
}
