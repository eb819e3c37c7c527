import {exp, log} from '../../base/numeric/index.ts'
import type {DocumentFactors} from './document-factors.ts'
import type {InferenceTables} from './inference-tables.ts'
import {createJunctionMessages} from './junction-messages.ts'
import {createNetworkMessages, type NetworkMessages} from './network-messages.ts'
import {multiply, ODDS_BOTTOM, ODDS_TOP} from './odds.ts'
import type {InferenceOptions} from './options.ts'
import type {Posterior} from './posterior.ts'
import {isForcing, sweepWords, type WordBuffers} from './word-messages.ts'

/**
 * P(Y_i = 1 | document) by belief propagation: absent words and anchors as exact unary factors, noisy-or messages of the
 * words that occur ({@link sweepWords}), then those of P(Y), again until no probability moves. P(Y) is one exact factor: a
 * forest ({@link createNetworkMessages}), or a network with several parents a concept whose junction tree is small
 * ({@link createJunctionMessages}); the rare network that is neither is treated loopily too.
 *
 * Exact without words where P(Y) is, and for one word on independent concepts. Otherwise a fixed point of the Bethe
 * approximation, off by some thousandths in the mean where the model fits the document, and by hundredths where it does
 * not (docs/inference.md has the figures, and those of mean field, which is further off).
 * 'converged' says that the messages have settled, not that they are right.
 * Cost: O(edges of the words that occur + m, or cells of the junction tree) a sweep, three to eight sweeps, nothing
 * allocated in one but its summary.
 * Log-odds beyond 644 count as 644 when a word weighs its causes.
 */
export function createMessagePassing(
  tables: InferenceTables,
  {stepLimit, tolerance, damping}: InferenceOptions,
  network: NetworkMessages = createJunctionMessages(tables) ?? createNetworkMessages(tables)
): (factors: DocumentFactors) => Posterior {
  const m = tables.conceptCount
  const product = new Float64Array(m)
  const odds = new Float64Array(m)
  const move = new Float64Array(m)
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
    let residual = settle(probabilities, known).residual
    let inertia = 0
    for (let steps = 1; ; steps++) {
      if (sweepWords(factors, buffers, inertia)) cut = true
      if (network.sweep(odds, known, inertia)) cut = true
      if (cut) cut = gatherOdds(factors)
      const before = residual
      const settled = settle(probabilities, known)
      residual = settled.residual
      const status = residual <= tolerance ? 'converged' : steps >= stepLimit ? 'step-limit' : undefined
      if (status !== undefined)
        return {
          probabilities,
          certificate: {method: 'message-passing', network: network.kind, status, steps, residual, unexplainedWords}
        }
      // Long documents may swing between two answers: damp those at once, and less and less when they go straight on.
      if (!settled.turned) inertia *= 0.7
      else if (residual > before / 2) inertia = damping
    }
  }

  /** The odds anew from all messages, in logarithms, so that what was cut off on the way returns; true if some still is. */
  function gatherOdds({known, unary, wordCount, start, concept}: DocumentFactors): boolean {
    const {message} = buffers
    odds.set(unary)
    product.fill(1)
    network.collect(product, odds)
    for (let e = 0; e < start[wordCount]; e++) {
      const i = concept[e]
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

  /** Turn odds into probabilities; the largest change, and whether the changes turned back on those of the last sweep. */
  function settle(probabilities: Float64Array, known: Int8Array): {residual: number; turned: boolean} {
    let residual = 0
    let along = 0
    for (let i = 0; i < m; i++) {
      const q = known[i] === -1 ? odds[i] / (1 + odds[i]) : known[i]
      const change = q - probabilities[i]
      residual = Math.max(residual, Math.abs(change))
      along += change * move[i]
      move[i] = change
      probabilities[i] = q
    }
    return {residual, turned: along < 0}
  }
}

function makeRoom(buffers: WordBuffers, size: number): void {
  if (buffers.message.length >= size) return
  buffers.message = new Float64Array(size)
  buffers.heard = new Float64Array(size)
  buffers.before = new Float64Array(size)
}
