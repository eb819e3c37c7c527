import {AdfaError} from '../../base/checks/index.ts'
import {parentState} from '../../base/network/index.ts'
import {exp, log, log1p} from '../../base/numeric/index.ts'
import {type DocumentFactors, denseWeights, type InferenceTables} from './document-factors.ts'
import type {Posterior} from './posterior.ts'

/** The most concepts without a label that states are enumerated for: 2^20 states take a fifth of a second per document. */
const ENUMERATION_LIMIT = 20

/**
 * Computes P(Y_i = 1 | document) and log P(document) by summing over every state of the unlabelled concepts.
 *
 * The search is depth first, parents before children, so that P(y_i | parents) is defined when y_i is set. Setting y_i = 1 raises
 * the probability s of a word to s + (1 - s)(1 - f), a sum without cancellation. Cost: O(2^unlabelled * (words + unlabelled)).
 */
export function exactPosterior({order, network}: InferenceTables, factors: DocumentFactors): Posterior {
  const {labels, unary, wordCount, leak} = factors
  const unlabelled = order.filter(i => labels[i] === -1)
  if (unlabelled.length > ENUMERATION_LIMIT)
    throw new AdfaError(
      'bad-option',
      `inference: \`method\` 'exact' sums over at most ${ENUMERATION_LIMIT} concepts without a label; got ${unlabelled.length}; use 'message-passing'`,
      {details: {option: 'method'}}
    )
  const weights = denseWeights(factors)
  const logPresent = network.cpt.map(table => table.map(p => log(p)))
  const logAbsent = network.cpt.map(table => table.map(p => log1p(-p)))
  const levels = new Float64Array((unlabelled.length + 1) * wordCount)
  levels.set(leak.subarray(0, wordCount))
  // A further concept, which is always present, makes the last entry of `sums` the sum over all states.
  const y = Int8Array.of(...labels, 1)
  /** For each concept, the sum of P(document, y) / exp(top) over states so far with y_i = 1; exp(top) is the largest of all. */
  const sums = new Float64Array(y.length)
  let top = -Number.MAX_VALUE
  visit(0, 0, factors.logConstant)
  const total = sums[labels.length]
  return {
    probabilities: Float64Array.from(labels, (label, i) => (label === -1 ? Math.min(1, sums[i] / total) : label)),
    certificate: {method: 'exact', status: 'exact', steps: 2 ** unlabelled.length},
    logEvidence: top + log(total)
  }

  /**
   * Visits all states of the concepts from `order[index]` on. Row `level` of `levels` has, for each word that occurs, P(the leak
   * or one of the `level` unlabelled concepts that are 1 so far switches the word on).
   */
  function visit(index: number, level: number, logWeight: number): void {
    if (index === order.length) {
      addState(logWeight + logProduct(levels, level * wordCount, wordCount))
      return
    }
    const i = order[index]
    const row = parentState(network.parents[i], y)
    if (labels[i] !== -1) {
      // y starts with the labels, and `factors` include the effect of labelled concepts on words and anchors.
      visit(index + 1, level, logWeight + (labels[i] === 1 ? logPresent : logAbsent)[i][row])
      return
    }
    y[i] = 0
    visit(index + 1, level, logWeight + logAbsent[i][row])
    y[i] = 1
    const from = level * wordCount
    for (let word = 0; word < wordCount; word++) {
      const before = levels[from + word]
      levels[from + wordCount + word] = before + (1 - before) * weights[i * wordCount + word]
    }
    visit(index + 1, level + 1, logWeight + logPresent[i][row] + unary[i])
  }

  function addState(logJoint: number): void {
    if (logJoint > top) {
      const factor = exp(top - logJoint)
      for (let i = 0; i < y.length; i++) sums[i] *= factor
      top = logJoint
    }
    const weight = exp(logJoint - top)
    for (let i = 0; i < y.length; i++) sums[i] += weight * y[i]
  }
}

/** Returns the sum of the logarithms of `count` numbers in [0, 1], by as few calls of `log` as underflow allows. */
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
