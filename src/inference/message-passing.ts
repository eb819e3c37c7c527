import {exp, log} from '../numeric/index.ts'
import type {DocumentFactors} from './document-factors.ts'
import type {InferenceTables} from './inference-tables.ts'
import {createNetworkMessages, multiply, ODDS_BOTTOM, ODDS_TOP} from './network-messages.ts'
import type {InferenceOptions} from './options.ts'
import type {Posterior} from './posterior.ts'
import {isForcing, sweepWords, type WordBuffers} from './word-messages.ts'

/**
 * P(Y_i = 1 | document) by loopy belief propagation: absent words and anchors as exact unary factors, noisy-or messages
 * of the words that occur ({@link sweepWords}), one sweep up and down the network ({@link createNetworkMessages}), again
 * until no probability moves.
 *
 * Exact when words and network together form a tree: no words on a forest, or one word on independent concepts. Otherwise
 * the fixed point of the Bethe approximation, off by a few thousandths in the mean (docs/inference.md; mean field with the
 * same factors is three to five times further off). Cost: O(edges of the words that occur + m) a sweep, four to ten sweeps,
 * nothing allocated in a sweep. Log-odds beyond 644 count as 644.
 */
export function createMessagePassing(
  tables: InferenceTables,
  {stepLimit, tolerance, damping}: InferenceOptions
): (factors: DocumentFactors) => Posterior {
  const m = tables.latentCount
  const network = createNetworkMessages(tables)
  const product = new Float64Array(m)
  const odds = new Float64Array(m)
  const none = new Float64Array(0)
  const buffers: WordBuffers = {odds, message: none, heard: none, before: none}

  return factors => {
    const {known, unexplainedWords} = factors
    makeRoom(buffers, factors.weight.length)
    buffers.message.fill(1, 0, factors.start[factors.wordCount])
    network.reset()
    const probabilities = new Float64Array(m)
    let cut = gatherOdds(factors)
    if (network.sweep(odds, known, 0)) cut = gatherOdds(factors)
    settle(probabilities, known)
    for (let steps = 1; ; steps++) {
      const inertia = 2 * steps > stepLimit ? damping : 0
      if (sweepWords(factors, buffers, inertia)) cut = true
      if (network.sweep(odds, known, inertia)) cut = true
      if (cut) cut = gatherOdds(factors)
      const residual = settle(probabilities, known)
      const status = residual <= tolerance ? 'converged' : steps >= stepLimit ? 'step-limit' : undefined
      if (status !== undefined)
        return {probabilities, certificate: {method: 'message-passing', status, steps, residual, unexplainedWords}}
    }
  }

  /** The odds anew from all messages, in logarithms, so that what was cut off on the way returns; true if some still is. */
  function gatherOdds({known, unary, wordCount, start, latent}: DocumentFactors): boolean {
    const {message} = buffers
    odds.set(unary)
    product.fill(1)
    network.collect(product, odds)
    for (let e = 0; e < start[wordCount]; e++) {
      const i = latent[e]
      const next = product[i] * message[e]
      if (isForcing(message[e])) odds[i] = Number.POSITIVE_INFINITY
      else if (next < ODDS_TOP) product[i] = next
      else {
        odds[i] += log(product[i]) + log(message[e])
        product[i] = 1
      }
    }
    let cut = false
    for (let i = 0; i < m; i++) {
      odds[i] = exp(odds[i] + log(product[i]))
      if (known[i] !== -1) odds[i] = known[i] === 1 ? ODDS_TOP : ODDS_BOTTOM
      else if (multiply(odds, i, 1)) cut = true
    }
    return cut
  }

  /** Turn odds into probabilities; returns the largest change. */
  function settle(probabilities: Float64Array, known: Int8Array): number {
    let change = 0
    for (let i = 0; i < m; i++) {
      const q = known[i] === -1 ? odds[i] / (1 + odds[i]) : known[i]
      change = Math.max(change, Math.abs(q - probabilities[i]))
      probabilities[i] = q
    }
    return change
  }
}

function makeRoom(buffers: WordBuffers, size: number): void {
  if (buffers.message.length >= size) return
  buffers.message = new Float64Array(size)
  buffers.heard = new Float64Array(size)
  buffers.before = new Float64Array(size)
}
