import {createMessages, dampedMessage, multiplyOdds, ODDS_BOTTOM, ODDS_TOP} from '../../base/network/index.ts'
import {exp, log} from '../../base/numeric/index.ts'
import type {DocumentFactors, InferenceTables} from './document-factors.ts'
import type {InferenceOptions, Posterior} from './posterior.ts'

/** The most sweeps. Documents converge in three to eight; one that needs more than this will not converge. */
const STEP_LIMIT = 200
/** The share of the old log-message kept once probabilities oscillate: without it some test documents do not converge. */
const DAMPING = 0.5
/** The damping is multiplied by this factor after a sweep whose changes do not reverse those of the sweep before. */
const DAMPING_DECAY = 0.7
/** Messages are cut off here. Such a message outweighs the smallest possible odds, so it makes its concept certain. */
const MAX_MESSAGE = 1e300

/**
 * Computes P(Y_i = 1 | document) by belief propagation. Absent words and anchors are exact unary factors. A sweep passes the
 * noisy-or messages of the words that occur ({@link sweepWords}), then the messages of P(Y); sweeps end when the probabilities
 * converge. Messages within P(Y) are exact for a forest or a small junction tree, and loopy otherwise ({@link createMessages}).
 *
 * The result is exact without words if messages within P(Y) are, and for one word on independent concepts. Otherwise it is a
 * fixed point of the Bethe approximation: its mean error is some thousandths where the model fits the document, and hundredths
 * where it does not (docs/inference.md has figures, also of mean field, which is less accurate). 'converged' does not mean exact.
 * Cost: O(edges of the words that occur + m, or cells of the junction tree) per sweep, three to eight sweeps. In the messages of
 * words, log-odds beyond 644 count as 644.
 */
export function createMessagePassing(
  tables: InferenceTables,
  {tolerance}: Pick<InferenceOptions, 'tolerance'>
): (factors: DocumentFactors) => Posterior {
  const {conceptCount, concept} = tables
  const network = createMessages(tables.network)
  const odds = new Float64Array(conceptCount)
  const product = new Float64Array(conceptCount)
  const lastChanges = new Float64Array(conceptCount)
  const words = {
    message: new Float64Array(concept.length),
    incoming: new Float64Array(concept.length),
    before: new Float64Array(concept.length)
  }

  return factors => {
    const {labels, start, wordCount} = factors
    const probabilities = new Float64Array(conceptCount)
    words.message.fill(1, 0, start[wordCount])
    network.reset()
    let isCut = gather(factors)
    if (network.sweep(odds, labels, 0)) isCut = gather(factors)
    let {residual} = updateProbabilities(probabilities, labels)
    let damping = 0
    for (let steps = 1; ; steps++) {
      if (sweepWords(factors, words, odds, damping)) isCut = true
      if (network.sweep(odds, labels, damping)) isCut = true
      if (isCut) isCut = gather(factors)
      const before = residual
      const change = updateProbabilities(probabilities, labels)
      residual = change.residual
      const status = residual <= tolerance ? 'converged' : steps >= STEP_LIMIT ? 'step-limit' : undefined
      if (status !== undefined)
        return {probabilities, certificate: {method: 'message-passing', status, steps, residual}}
      // Long documents may oscillate between two answers.
      if (!change.isReversed) damping *= DAMPING_DECAY
      else if (residual > before / 2) damping = DAMPING
    }
  }

  /** Recomputes odds from all messages, as log-odds, after some were cut off at a bound. Returns whether some odds still are. */
  function gather({labels, unary, wordCount, start, concept}: DocumentFactors): boolean {
    const {message} = words
    odds.set(unary)
    product.fill(1)
    network.collect(product, odds)
    for (let e = 0; e < start[wordCount]; e++) {
      const i = concept[e]
      const next = product[i] * message[e]
      // Up to rounding, the concept is the only explanation of the word.
      if (message[e] > MAX_MESSAGE / 2) odds[i] = Number.POSITIVE_INFINITY
      else if (next < ODDS_TOP) product[i] = next
      else {
        odds[i] += log(product[i]) + log(message[e])
        product[i] = 1
      }
    }
    let isCut = false
    for (let i = 0; i < conceptCount; i++) {
      odds[i] = exp(odds[i] + log(product[i]))
      if (labels[i] !== -1) odds[i] = labels[i] === 1 ? ODDS_TOP : ODDS_BOTTOM
      // Multiplying by 1 only cuts odds off at the bounds.
      else if (multiplyOdds(odds, i, 1)) isCut = true
    }
    return isCut
  }

  /** Converts odds to probabilities. Returns the largest change, and whether the changes reverse those of the sweep before. */
  function updateProbabilities(probabilities: Float64Array, labels: Int8Array) {
    let residual = 0
    let alignment = 0
    for (let i = 0; i < conceptCount; i++) {
      const q = labels[i] === -1 ? odds[i] / (1 + odds[i]) : labels[i]
      const change = q - probabilities[i]
      residual = Math.max(residual, Math.abs(change))
      alignment += change * lastChanges[i]
      lastChanges[i] = change
      probabilities[i] = q
    }
    return {residual, isReversed: alignment < 0}
  }
}

/** The messages of a document, one entry per edge between a word and a concept. */
interface WordMessages {
  /** The message from the word to the concept: its value at 1 divided by its value at 0. */
  readonly message: Float64Array
  /** Scratch space: P(the concept switches the word on) without this message, and P(the leak or an earlier concept does). */
  readonly incoming: Float64Array
  readonly before: Float64Array
}

/**
 * Passes the messages of the words that occur: one pass over the noisy-or factors, word after word.
 *
 * The sum-product message of word p to concept i is the ratio r = (1 - c f) / (1 - c) with c = (1 - l) prod_{k != i} (1 - q_k
 * (1 - f_k)), where q_k is the probability of k without the message of p. With w = 1 - f, u_k = q_k w_k and s = 1 - c, the
 * noisy-or of the leak and all other concepts, r = 1 + w (1 - s) / s. Each s combines a prefix and a suffix (s + u - s u), which
 * leaves one concept out without dividing and loses no digits when s is tiny. s = 0 means that there is no other explanation,
 * and makes concept i certain. r >= 1 always: a word that occurs only raises the odds of its causes.
 * Returns whether some odds were cut off at a bound and must be gathered from the messages. Cost: three divisions per edge.
 */
function sweepWords(
  {wordCount, start, leak, concept, weight}: DocumentFactors,
  {message, incoming, before}: WordMessages,
  odds: Float64Array,
  damping: number
): boolean {
  let isCut = false
  for (let p = 0; p < wordCount; p++) {
    const first = start[p]
    const end = start[p + 1]
    let s = leak[p]
    for (let e = first; e < end; e++) {
      const o = odds[concept[e]]
      const u = (o * weight[e]) / (o + message[e])
      before[e] = s
      incoming[e] = u
      s += u * (1 - s)
    }
    let after = 0
    for (let e = end - 1; e >= first; e--) {
      const others = before[e] + after * (1 - before[e])
      after += incoming[e] * (1 - after)
      const old = message[e]
      let r = Math.min(1 + (weight[e] * (1 - others)) / others, MAX_MESSAGE)
      if (damping > 0) r = dampedMessage(old, r, damping)
      message[e] = r
      if (multiplyOdds(odds, concept[e], r / old)) isCut = true
    }
  }
  return isCut
}
