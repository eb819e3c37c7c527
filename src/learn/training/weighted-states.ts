import {exp, log} from '../../base/numeric/index.ts'
import {type EmDocument, logJointAt} from './em-document.ts'
import type {EmTables} from './em-tables.ts'

/** A distribution q over full assignments of one document's concepts: what the E-step gives and the M-step takes. */
export interface WeightedStates {
  readonly states: readonly Uint8Array[]
  /** Sum to 1. */
  readonly weights: Float64Array
  /** The bound E_q[log P(x, a, y) - log q(y)] <= log P(x, a) (the printed one has log P(y); see the paper's errata). */
  readonly bound: number
}

/** Concepts beyond which every state of every document is too much work. */
export const STATE_LIMIT = 12

/** The exact posterior over all 2^m states; its bound is log P(x, a) itself. Cost: O(2^m * words that occur). */
export function enumerateStates(document: EmDocument, tables: EmTables): WeightedStates {
  const m = tables.conceptCount
  const states: Uint8Array[] = []
  const logJoint = new Float64Array(2 ** m)
  for (let state = 0; state < 2 ** m; state++) {
    const y = Uint8Array.from({length: m}, (_, i) => (state >> i) & 1)
    states.push(y)
    logJoint[state] = logJointAt(document, tables, y)
  }
  const top = logJoint.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY)
  const weights = logJoint.map(value => exp(value - top))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return {states, weights: weights.map(weight => weight / total), bound: top + log(total)}
}

/**
 * The distribution of states that were drawn, each distinct one with its share of the draws. Any q gives a bound, so
 * this one is a true lower bound of log P(x, a) however few the draws, and it is the one that the M-step raises.
 */
export function drawnStates(
  document: EmDocument,
  tables: EmTables,
  states: readonly Uint8Array[],
  counts: ArrayLike<number>
): WeightedStates {
  let draws = 0
  for (let at = 0; at < states.length; at++) draws += counts[at]
  const weights = Float64Array.from(states, (_, at) => counts[at] / draws)
  let bound = 0
  states.forEach((y, at) => {
    bound += weights[at] * (logJointAt(document, tables, y) - log(weights[at]))
  })
  return {states, weights, bound}
}
