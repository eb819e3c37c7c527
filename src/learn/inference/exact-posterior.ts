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
  const open = tables.order.filter(i => labels[i] === -1)
  const logJoint = enumerateStates(tables, factors, open)
  const top = logJoint.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const table = logJoint.map(value => exp(value - top))
  // Each step sums the half of the table where a concept is present, and folds it onto the other half.
  const sums = open.map((_, depth) => {
    const half = table.length >> (depth + 1)
    let sum = 0
    for (let state = 0; state < half; state++) {
      sum += table[half + state]
      table[state] += table[half + state]
    }
    return sum
  })
  const probabilities = Float64Array.from(labels)
  open.forEach((i, depth) => {
    probabilities[i] = Math.min(1, sums[depth] / table[0])
  })
  return {
    probabilities,
    certificate: {method: 'exact', status: 'exact', steps: logJoint.length, unexplainedWords},
    logEvidence: unexplainedWords > 0 ? Number.NEGATIVE_INFINITY : top + log(table[0])
  }
}

/**
 * Returns log P(document, y) of every state y of the unlabelled concepts `open`, the first of them as the highest bit.
 *
 * Depth first, parents before children, so that P(y_i | parents) is defined when i is set. Each level keeps P(x_p = 1 | y so
 * far) of every word, s, and setting y_i = 1 makes it s + (1 - s)(1 - f): no division and no cancellation, also when leaks
 * are 0. Cost: O(2^unlabelled * words that occur); memory 2^unlabelled numbers.
 */
function enumerateStates(
  {order, network}: InferenceTables,
  factors: DocumentFactors,
  open: readonly number[]
): Float64Array {
  if (open.length > ENUMERATION_LIMIT)
    throw new AdfaError(
      'bad-option',
      `inference: \`method\` 'exact' sums over at most ${ENUMERATION_LIMIT} concepts without a label; got ${open.length}; use 'message-passing'`,
      {details: {option: 'method'}}
    )
  const {labels, unary, wordCount, leak} = factors
  const weights = denseWeights(factors)
  const logJoint = new Float64Array(2 ** open.length)
  const levels = new Float64Array((open.length + 1) * wordCount)
  levels.set(leak.subarray(0, wordCount))
  const y = Int8Array.from(labels)
  visit(0, 0, 0, factors.logConstant)
  return logJoint

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
    const from = level * wordCount
    const to = from + wordCount
    for (let word = 0; word < wordCount; word++) {
      const s = levels[from + word]
      levels[to + word] = s + (1 - s) * weights[i * wordCount + word]
    }
    visit(place + 1, level + 1, 2 * state + 1, logWeight + log(p) + unary[i])
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
