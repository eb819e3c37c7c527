import {log} from '../numeric/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import type {EliminationOrder} from './elimination-order.ts'

/**
 * The tables of a junction tree, one per variable in the order of elimination, end to end in one array.
 *
 * Table b begins at `start[b]` and has `2 * half[b]` cells: cell 2*s + y, where y is the value of its own variable
 * `order[b]` and s the state of its separator, whose first variable is the least significant bit. Its message is the
 * table with y summed out. The message goes to table `parent[b]`, that of the separator's first variable, or nowhere (-1)
 * if the separator is empty: cell c there corresponds to cell `maps[mapStart[b] + c]` of the message.
 */
interface JunctionLayout {
  readonly order: Int32Array
  readonly start: Int32Array
  readonly half: Int32Array
  readonly parent: Int32Array
  readonly maps: Int32Array
  readonly mapStart: Int32Array
  /** The product of the families P(Y_k | parents) assigned to each table. */
  readonly prior: Float64Array
  /** Table b holds `scopes[b]`, the first the least significant bit. */
  readonly scopes: readonly (readonly number[])[]
  /** The position of each variable in `order`. */
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
    // The first parent is the most significant bit, as in `cpt`; the child is the least.
    const family = [child, ...list.toReversed()]
    const b = Math.min(...family.map(i => rank[i]))
    for (const [cell, at] of cellMap(scopes[b], family).entries()) {
      const p = network.cpt[child][at >> 1]
      prior[start[b] + cell] *= at & 1 ? p : 1 - p
    }
  })
  return {order: Int32Array.from(order), start, half, parent, maps, mapStart, prior, scopes, rank}
}

/** The cell of a table over `kept` for each cell of one over `scope`; the first variable is the least significant bit. */
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

/** What the passes write: the tables, laid out as in `JunctionLayout`, and one message at a time. */
interface JunctionWork {
  /** Of the upward pass: each table with everything below it summed out. */
  readonly tables: Float64Array
  /** Of the downward pass: the joint distribution of each table's variables. */
  readonly beliefs: Float64Array
  readonly message: Float64Array
}

/**
 * Weight and sum out all variables; returns the log of the sum, -Infinity when it is 0 and not finite for weights that are
 * not. A table whose largest cell leaves 2^-100 .. 2^100 is divided by it, and weights by the larger of the two.
 */
export function passUp(layout: JunctionLayout, work: JunctionWork, weights: Float64Array): number {
  const {order, prior} = layout
  work.tables.set(prior)
  let logTotal = 0
  for (let b = 0; b < order.length; b++) {
    const w0 = weights[2 * order[b]]
    const w1 = weights[2 * order[b] + 1]
    const larger = Math.max(w0, w1)
    if (!(larger > 0 && larger < Number.POSITIVE_INFINITY)) return log(larger)
    const factor = sumOut(layout, work, b, w0 / larger, w1 / larger)
    if (!(factor > 0)) return log(factor)
    if (larger !== 1) logTotal += log(larger)
    if (factor !== 1) logTotal += log(factor)
  }
  return logTotal
}

/** Weight table b and multiply its message into the parent. Returns the factor taken out of the sum, usually 1. */
function sumOut(layout: JunctionLayout, work: JunctionWork, b: number, w0: number, w1: number): number {
  const {start, half, parent, maps, mapStart} = layout
  const {tables, message} = work
  const states = half[b]
  for (let s = 0, at = start[b]; s < states; s++, at += 2) {
    tables[at] *= w0
    tables[at + 1] *= w1
    message[s] = tables[at] + tables[at + 1]
  }
  if (parent[b] < 0) return message[0]
  const to = start[parent[b]]
  const map = mapStart[b]
  const cells = 2 * half[parent[b]]
  let largest = 0
  for (let cell = 0; cell < cells; cell++) {
    const product = tables[to + cell] * message[maps[map + cell]]
    tables[to + cell] = product
    if (product > largest) largest = product
  }
  if (largest > 2 ** -100 && largest < 2 ** 100) return 1
  for (let cell = 0; cell < cells; cell++) tables[to + cell] /= largest
  return largest
}

/** After an upward pass with a positive sum: the beliefs of every table, and P(Y_i = 1) of every variable. */
export function passDown(layout: JunctionLayout, work: JunctionWork, marginals: Float64Array): void {
  const {order, start, half} = layout
  const {tables, beliefs, message} = work
  for (let b = order.length - 1; b >= 0; b--) {
    separatorShares(layout, work, b)
    const states = half[b]
    let absent = 0
    let present = 0
    for (let s = 0, at = start[b]; s < states; s++, at += 2) {
      const sum = tables[at] + tables[at + 1]
      // The ratio, at most 1, times the share: neither overflows. A state of probability 0 has no share.
      const zero = sum === 0 ? 0 : (tables[at] / sum) * message[s]
      const one = sum === 0 ? 0 : (tables[at + 1] / sum) * message[s]
      beliefs[at] = zero
      beliefs[at + 1] = one
      absent += zero
      present += one
    }
    marginals[order[b]] = present / (absent + present)
  }
}

/** P(separator of table b), from the beliefs of its parent, into `message`. */
function separatorShares(layout: JunctionLayout, {beliefs, message}: JunctionWork, b: number): void {
  const {start, half, parent, maps, mapStart} = layout
  message.fill(0, 0, half[b])
  if (parent[b] < 0) {
    message[0] = 1
    return
  }
  const from = start[parent[b]]
  const map = mapStart[b]
  const cells = 2 * half[parent[b]]
  for (let cell = 0; cell < cells; cell++) message[maps[map + cell]] += beliefs[from + cell]
}
