import {log} from '../numeric/index.ts'
import type {JunctionLayout} from './junction-layout.ts'

/** What the passes write: the tables as `JunctionLayout` lays them out, and one message at a time. */
export interface JunctionWork {
  /** Going up: what is left of each table when all below it is summed out. */
  readonly tables: Float64Array
  /** Going down: the joint distribution of each table's concepts. */
  readonly beliefs: Float64Array
  readonly message: Float64Array
}

/**
 * Weigh and sum out all concepts; gives the log of the sum, -Infinity when it is 0; not finite either for weights that are not.
 * A table whose largest cell leaves 2^-100 .. 2^100 is divided by it, and weights by the larger of the two.
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

/** Weigh table b and multiply its message into the parent. Returns the factor taken out of the sum, mostly 1. */
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

/** After a pass up to a positive sum: the beliefs of every table, and P(Y_i = 1) of every concept. */
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
      // First the ratio, at most 1, then the share: neither overflows. A state that cannot be has no share.
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
