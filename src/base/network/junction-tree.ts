import {AdfaError} from '../checks/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {eliminationOrder} from './elimination-order.ts'
import {cellMap, junctionLayout, passDown, passUp} from './junction-passes.ts'

/**
 * P(Y) prepared for many exact sums. Weights are finite and at least 0, two per variable: weights[2*i + y] is for Y_i = y.
 * Each call overwrites the working tables of the previous one, so a tree serves one caller at a time.
 */
export interface JunctionTree {
  readonly conceptCount: number
  /** Variables in the largest table, minus 1. */
  readonly width: number
  /** Cells that one pass visits. */
  readonly size: number
  /** log of the sum over y of P(y) prod_i weights[2*i + y_i]; -Infinity when every term is 0. */
  logTotal(weights: Float64Array): number
  /**
   * The same, and in marginals[i] the share of the sum that has y_i = 1; all NaN when the sum is 0.
   * About three times the work of `logTotal`.
   */
  propagate(weights: Float64Array, marginals: Float64Array): number
  /**
   * The joint table, under the last `propagate`, of distinct variables that share a table of the tree, such as a variable
   * and its parents; the first is the most significant bit.
   */
  table(variables: readonly number[]): Float64Array
}

/** Up to this width one pass takes well under a second. */
export const widestTable = 20
/** Cells of all tables and maps: up to half a gigabyte. */
export const largestSize = 2 ** 24

/**
 * The junction tree of a network along its min-fill elimination order, one table per variable; undefined when a table would
 * hold more than `widthLimit` + 1 variables, or all tables more than 2^24 cells. The variables `together` share a table.
 *
 * Method: on the way up, each table times its weights is summed over its own variable and multiplied into its parent. On
 * the way down, P(Y_i | separator), the normalised result of the way up, is multiplied by the parent's P(separator): no
 * message is divided by another, so zeros are safe.
 * Underflow: tables are scaled; cells below 1e-200 of the largest in their table may be lost.
 * Cost: `size` multiplications up, about three times that up and down. Only `table` allocates memory.
 */
export function junctionTree(
  network: BayesNetwork,
  widthLimit: number = widestTable,
  together: readonly number[] = []
): JunctionTree | undefined {
  const elimination = eliminationOrder(network, together)
  const {width, size} = elimination
  if (width > widthLimit || size > largestSize) return undefined
  const layout = junctionLayout(network, elimination)
  const {order, start, prior, scopes, rank} = layout
  const m = order.length
  const [tables, beliefs] = [new Float64Array(prior.length), new Float64Array(prior.length)]
  const work = {tables, beliefs, message: new Float64Array(2 ** width)}
  let passed: 'nothing' | 'up' | 'down' = 'nothing'

  function logTotal(weights: Float64Array): number {
    if (weights.length !== 2 * m) throw refusal(`${weights.length} weights for ${m} variables; give two for each`)
    const total = passUp(layout, work, weights)
    passed = Number.isFinite(total) ? 'up' : 'nothing'
    return total
  }

  return {
    conceptCount: m,
    width,
    size,
    logTotal,
    propagate(weights, marginals) {
      const total = logTotal(weights)
      if (passed === 'nothing') marginals.fill(Number.NaN)
      else passDown(layout, work, marginals)
      if (passed === 'up') passed = 'down'
      return total
    },
    table(variables) {
      if (passed !== 'down') throw refusal('table needs a preceding propagate with a positive sum')
      const b = Math.min(...variables.map(i => rank[i]))
      const result = new Float64Array(2 ** variables.length)
      if (variables.length === 0) return result.fill(1)
      if (!variables.every(i => scopes[b].includes(i)))
        throw refusal(`variables ${variables.join(', ')} do not share a table`)
      for (const [cell, at] of cellMap(scopes[b], variables.toReversed()).entries())
        result[at] += beliefs[start[b] + cell]
      return result
    }
  }
}

function refusal(fault: string): AdfaError {
  return new AdfaError('mismatch', `junctionTree: ${fault}`)
}
