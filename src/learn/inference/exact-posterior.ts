import {AdfaError} from '../../base/checks/index.ts'
import {parentState} from '../../base/network/index.ts'
import {exp, log, log1p} from '../../base/numeric/index.ts'
import {type DocumentFactors, denseWeights, type InferenceTables} from './document-factors.ts'
import type {Posterior} from './posterior.ts'

/** 2^20 states take a fifth of a second per document. */
const ENUMERATION_LIMIT = 20

/** Computes P(Y_i = 1 | document) and log P(document) by summing over every state of the unlabelled concepts. */
export function exactPosterior(tables: InferenceTables, factors: DocumentFactors): Posterior {
  const {labels, unexplainedWords} = factors
  const {open, logJoint} = enumerateStates(tables, factors)
  const {logTotal, marginals} = foldMarginals(logJoint)
  const probabilities = Float64Array.from(labels)
  open.forEach((i, depth) => {
    probabilities[i] = marginals[depth]
  })
  return {
    probabilities,
    certificate: {method: 'exact', status: 'exact', steps: logJoint.length, unexplainedWords},
    logEvidence: unexplainedWords > 0 ? Number.NEGATIVE_INFINITY : logTotal
  }
}

/**
 * log P(document, y) of every state y of the unlabelled concepts `open`, the first of these most significant.
 *
 * Depth first, parents before children, so that P(y_i | parents) is defined when i is set. Each level keeps P(x_p = 1 | y so
 * far) of every word, s, and setting y_i = 1 makes it s + (1 - s)(1 - f): no division and no cancellation, also when leaks
 * are 0. Cost: O(2^unlabelled * words that occur); memory 2^unlabelled numbers.
 */
export function enumerateStates(
  tables: InferenceTables,
  factors: DocumentFactors
): {readonly open: readonly number[]; readonly logJoint: Float64Array} {
  const {order, network} = tables
  const {labels, unary, wordCount, leak} = factors
  const open = order.filter(i => labels[i] === -1)
  if (open.length > ENUMERATION_LIMIT)
    throw new AdfaError(
      'bad-option',
      `inference: \`method\` 'exact' sums over at most ${ENUMERATION_LIMIT} concepts without a label; got ${open.length}; use 'message-passing'`,
      {details: {option: 'method'}}
    )
  const depthOf = new Uint8Array(labels.length)
  open.forEach((i, depth) => {
    depthOf[i] = depth
  })
  const weights = denseWeights(factors, depthOf, open.length)
  const logJoint = new Float64Array(2 ** open.length)
  const levels = new Float64Array((open.length + 1) * wordCount)
  levels.set(leak.subarray(0, wordCount))
  const y = Int8Array.from(labels)
  visit(0, 0, 0, factors.logConstant)
  return {open, logJoint}

  /** Sets the concepts of `order` at `place` and later; `level` holds the words given the concepts set so far. */
  function visit(place: number, level: number, state: number, logWeight: number): void {
    if (place === order.length) {
      logJoint[state] = logWeight + logProduct(levels, level * wordCount, wordCount)
      return
    }
    const i = order[place]
    const p = network.cpt[i][parentState(network.parents[i], y)]
    if (labels[i] !== -1) {
      visit(place + 1, level, state, logWeight + log(labels[i] === 1 ? p : 1 - p))
      return
    }
    y[i] = 0
    visit(place + 1, level, 2 * state, logWeight + log1p(-p))
    y[i] = 1
    const depth = depthOf[i]
    const from = level * wordCount
    const to = (depth + 1) * wordCount
    for (let word = 0; word < wordCount; word++) {
      const s = levels[from + word]
      levels[to + word] = s + (1 - s) * weights[depth * wordCount + word]
    }
    visit(place + 1, depth + 1, 2 * state + 1, logWeight + log(p) + unary[i])
  }
}

/** Returns the sum of logarithms of `count` numbers in [0, 1], with few logarithms. */
function logProduct(values: Float64Array, from: number, count: number): number {
  let sum = 0
  let product = 1
  for (let at = from; at < from + count; at++) {
    if (product < 1e-200) {
      sum += log(product)
      product = 1
    }
    product *= values[at]
  }
  return sum + log(product)
}

/** Returns the marginals of a log table over k binary variables, the first most significant: each step sums the upper half and folds it onto the lower. */
function foldMarginals(logTable: Float64Array): {logTotal: number; marginals: Float64Array} {
  let top = Number.NEGATIVE_INFINITY
  for (const value of logTable) if (value > top) top = value
  const table = logTable.map(value => exp(value - top))
  const marginals = new Float64Array(31 - Math.clz32(table.length))
  let half = table.length / 2
  for (let at = 0; at < marginals.length; at++) {
    for (let state = 0; state < half; state++) {
      marginals[at] += table[half + state]
      table[state] += table[half + state]
    }
    half /= 2
  }
  return {logTotal: top + log(table[0]), marginals: marginals.map(sum => Math.min(1, sum / table[0]))}
}
