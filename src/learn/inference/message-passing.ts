import {createMessages, dampedMessage, multiplyOdds, ODDS_BOTTOM, ODDS_TOP} from '../../base/network/index.ts'
import {exp, log} from '../../base/numeric/index.ts'
import type {DocumentFactors, InferenceTables} from './document-factors.ts'
import type {InferenceOptions, Posterior} from './posterior.ts'

/** Documents settle in three to eight sweeps; one that needs more than this will not settle. */
const STEP_LIMIT = 200
/** The share of the old log-message that is kept once probabilities oscillate: with it all test documents settle, without it none. */
const DAMPING = 0.5
/** The damping shrinks by this factor after a sweep in which probabilities move straight on. */
const DAMPING_DECAY = 0.7
/** A message cut off here forces its concept: it outweighs the smallest possible odds. */
const MESSAGE_TOP = 1e300

/**
 * Computes P(Y_i = 1 | document) by belief propagation. Absent words and anchors are exact unary factors; a sweep passes the
 * noisy-or messages of the words that occur ({@link sweepWords}), then the messages of P(Y), until no probability moves. P(Y)
 * is one exact factor where it is a forest or has a small junction tree, and is treated loopily otherwise ({@link createMessages}).
 *
 * Exact without words where P(Y) is, and for one word on independent concepts. Otherwise a fixed point of the Bethe
 * approximation: the mean error is some thousandths where the model fits the document, hundredths where it does not
 * (docs/inference.md has the figures, and mean field beside it, which is less accurate).
 * 'converged' means that the messages have settled, not that they are right.
 * Cost: O(edges of the words that occur + m, or cells of the junction tree) per sweep, three to eight sweeps. Log-odds
 * beyond 644 count as 644 when a word weighs its causes.
 */
export function createMessagePassing(
  tables: InferenceTables,
  {tolerance}: Pick<InferenceOptions, 'tolerance'>
): (factors: DocumentFactors) => Posterior {
  const {conceptCount, concept} = tables
  const network = createMessages(tables.network)
  const odds = new Float64Array(conceptCount)
  const product = new Float64Array(conceptCount)
  const moves = new Float64Array(conceptCount)
  const words = {
    message: new Float64Array(concept.length),
    heard: new Float64Array(concept.length),
    before: new Float64Array(concept.length)
  }

  return factors => {
    const {labels, start, wordCount} = factors
    const probabilities = new Float64Array(conceptCount)
    words.message.fill(1, 0, start[wordCount])
    network.reset()
    let cut = gather(factors)
    if (network.sweep(odds, labels, 0)) cut = gather(factors)
    let {residual} = settle(probabilities, labels)
    let damping = 0
    for (let steps = 1; ; steps++) {
      if (sweepWords(factors, words, odds, damping)) cut = true
      if (network.sweep(odds, labels, damping)) cut = true
      if (cut) cut = gather(factors)
      const before = residual
      const settled = settle(probabilities, labels)
      residual = settled.residual
      const status = residual <= tolerance ? 'converged' : steps >= STEP_LIMIT ? 'step-limit' : undefined
      if (status !== undefined)
        return {probabilities, certificate: {method: 'message-passing', status, steps, residual}}
      // Long documents may oscillate between two answers: damp those at once, and less and less once they move straight.
      if (!settled.turned) damping *= DAMPING_DECAY
      else if (residual > before / 2) damping = DAMPING
    }
  }

  /** Recomputes the odds from all messages, in logarithms, which restores what was cut off at a bound; true if some still is. */
  function gather({labels, unary, wordCount, start, concept}: DocumentFactors): boolean {
    const {message} = words
    odds.set(unary)
    product.fill(1)
    network.collect(product, odds)
    for (let e = 0; e < start[wordCount]; e++) {
      const i = concept[e]
      const next = product[i] * message[e]
      // Up to rounding, the concept is the only explanation of the word.
      if (message[e] > MESSAGE_TOP / 2) odds[i] = Number.POSITIVE_INFINITY
      else if (next < ODDS_TOP) product[i] = next
      else {
        odds[i] += log(product[i]) + log(message[e])
        product[i] = 1
      }
    }
    let cut = false
    for (let i = 0; i < conceptCount; i++) {
      odds[i] = exp(odds[i] + log(product[i]))
      if (labels[i] !== -1) odds[i] = labels[i] === 1 ? ODDS_TOP : ODDS_BOTTOM
      else if (multiplyOdds(odds, i, 1)) cut = true
    }
    return cut
  }

  /** Turns odds into probabilities. Returns the largest change, and whether the changes reverse the last sweep. */
  function settle(probabilities: Float64Array, labels: Int8Array): {residual: number; turned: boolean} {
    let residual = 0
    let along = 0
    for (let i = 0; i < conceptCount; i++) {
      const q = labels[i] === -1 ? odds[i] / (1 + odds[i]) : labels[i]
      const change = q - probabilities[i]
      residual = Math.max(residual, Math.abs(change))
      along += change * moves[i]
      moves[i] = change
      probabilities[i] = q
    }
    return {residual, turned: along < 0}
  }
}

/** One entry per edge of the document. */
interface WordMessages {
  /** From the word to the concept: the ratio of its value at 1 to that at 0. */
  readonly message: Float64Array
  /** P(the concept switches the word on) by its other evidence, and P(an earlier cause does): scratch space of a sweep. */
  readonly heard: Float64Array
  readonly before: Float64Array
}

/**
 * Belief propagation on the words that occur: one pass over the noisy-or factors, word after word.
 *
 * The message of word p to concept i is the ratio r = (1 - c f) / (1 - c), with c = (1 - l) prod_{k != i} (1 - q_k (1 - f_k))
 * and q_k the probability of k without p's own message: the exact sum-product message. With w = 1 - f, u_k = q_k w_k and
 * s = 1 - c, the noisy-or of the leak and all others, r = 1 + w (1 - s) / s. s is built from both ends (s + u - s u),
 * which leaves one out without dividing and loses no digits when s is tiny; s = 0, no other explanation at all, forces
 * concept i. r >= 1 always: a word that occurs only raises the odds of its causes.
 * Returns whether some odds were cut off at a bound and must be gathered from the messages. Cost: three divisions per edge.
 */
function sweepWords(
  {wordCount, start, leak, concept, weight}: DocumentFactors,
  {message, heard, before}: WordMessages,
  odds: Float64Array,
  damping: number
): boolean {
  let cut = false
  for (let p = 0; p < wordCount; p++) {
    const first = start[p]
    const end = start[p + 1]
    let s = leak[p]
    for (let e = first; e < end; e++) {
      const o = odds[concept[e]]
      const u = (o * weight[e]) / (o + message[e])
      before[e] = s
      heard[e] = u
      s += u * (1 - s)
    }
    let after = 0
    for (let e = end - 1; e >= first; e--) {
      const others = before[e] + after * (1 - before[e])
      after += heard[e] * (1 - after)
      const old = message[e]
      let r = Math.min(1 + (weight[e] * (1 - others)) / others, MESSAGE_TOP)
      if (damping > 0) r = dampedMessage(old, r, damping)
      message[e] = r
      if (multiplyOdds(odds, concept[e], r / old)) cut = true
    }
  }
  return cut
}
