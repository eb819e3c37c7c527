import {
  createMessages,
  damped,
  multiply,
  type NetworkMessages,
  ODDS_BOTTOM,
  ODDS_TOP
} from '../../base/network/index.ts'
import {clamp, exp, log} from '../../base/numeric/index.ts'
import type {DocumentFactors, InferenceTables} from './document-factors.ts'
import type {InferenceOptions, Posterior} from './posterior.ts'

/** Documents settle in three to eight sweeps; one that needs more than this will not settle. */
const STEP_LIMIT = 200
/** The share of the old log-message that is kept once probabilities oscillate: with it all test documents settle, without it none. */
const DAMPING = 0.5

/**
 * Computes P(Y_i = 1 | document) by belief propagation. Absent words and anchors are exact unary factors; a sweep passes the
 * noisy-or messages of the words that occur ({@link sweepWords}), then the messages of P(Y), until no probability moves. P(Y)
 * is one exact factor: a forest (`createNetworkMessages`), or a network with several parents per concept and a
 * small junction tree (`createJunctionMessages`); the rare network that is neither is treated loopily too.
 *
 * Exact without words where P(Y) is, and for one word on independent concepts. Otherwise a fixed point of the Bethe
 * approximation: the mean error is some thousandths where the model fits the document, hundredths where it does not
 * (docs/inference.md has the figures, and mean field beside it, which is less accurate).
 * 'converged' means that the messages have settled, not that they are right.
 * Cost: O(edges of the words that occur + m, or cells of the junction tree) per sweep, three to eight sweeps; a sweep
 * allocates nothing but its summary. Log-odds beyond 644 count as 644 when a word weighs its causes.
 */
export function createMessagePassing(
  tables: InferenceTables,
  {tolerance}: Pick<InferenceOptions, 'tolerance'>
): (factors: DocumentFactors) => Posterior {
  const {conceptCount} = tables
  const network = createMessages(tables.network)
  const state = new ConceptOdds(conceptCount, network)
  return factors => {
    const {labels, unexplainedWords} = factors
    const {buffers} = state
    const {odds} = buffers
    state.reset(factors)
    const probabilities = new Float64Array(conceptCount)
    let cut = state.gather(factors)
    if (network.sweep(odds, labels, 0)) cut = state.gather(factors)
    let residual = state.settle(probabilities, labels).residual
    let inertia = 0
    for (let steps = 1; ; steps++) {
      if (sweepWords(factors, buffers, inertia)) cut = true
      if (network.sweep(odds, labels, inertia)) cut = true
      if (cut) cut = state.gather(factors)
      const before = residual
      const settled = state.settle(probabilities, labels)
      residual = settled.residual
      const status = residual <= tolerance ? 'converged' : steps >= STEP_LIMIT ? 'step-limit' : undefined
      if (status !== undefined)
        return {
          probabilities,
          certificate: {method: 'message-passing', network: network.kind, status, steps, residual, unexplainedWords}
        }
      // Long documents may oscillate between two answers: damp those at once, and less and less once they move straight.
      if (!settled.turned) inertia *= 0.7
      else if (residual > before / 2) inertia = DAMPING
    }
  }
}

/** One entry per edge of the document, except `odds`: one per concept. */
interface WordBuffers {
  /** The current odds of each concept; updated with every message. */
  readonly odds: Float64Array
  /** From the word to the concept: the ratio of its value at 1 to that at 0. */
  message: Float64Array
  heard: Float64Array
  before: Float64Array
}

/** The odds of all concepts, rebuilt from their messages when some were cut off at a bound. */
class ConceptOdds {
  readonly buffers: WordBuffers
  readonly #network: NetworkMessages
  readonly #product: Float64Array
  readonly #move: Float64Array

  constructor(conceptCount: number, network: NetworkMessages) {
    const none = new Float64Array(0)
    this.buffers = {odds: new Float64Array(conceptCount), message: none, heard: none, before: none}
    this.#network = network
    this.#product = new Float64Array(conceptCount)
    this.#move = new Float64Array(conceptCount)
  }

  /** Every message of a new document is 1. */
  reset({start, wordCount}: DocumentFactors): void {
    const {buffers} = this
    const edges = start[wordCount]
    if (buffers.message.length < edges) {
      buffers.message = new Float64Array(2 * edges)
      buffers.heard = new Float64Array(2 * edges)
      buffers.before = new Float64Array(2 * edges)
    }
    buffers.message.fill(1, 0, edges)
    this.#network.reset()
  }

  /** Recomputes the odds from all messages, in logarithms, which restores what was cut off; true if some still is. */
  gather({labels, unary, wordCount, start, concept}: DocumentFactors): boolean {
    const {odds, message} = this.buffers
    const product = this.#product
    odds.set(unary)
    product.fill(1)
    this.#network.collect(product, odds)
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
    for (let i = 0; i < odds.length; i++) {
      odds[i] = exp(odds[i] + log(product[i]))
      if (labels[i] !== -1) odds[i] = labels[i] === 1 ? ODDS_TOP : ODDS_BOTTOM
      else if (multiply(odds, i, 1)) cut = true
    }
    return cut
  }

  /** Turns odds into probabilities. Returns the largest change, and whether the changes reverse those of the last sweep. */
  settle(probabilities: Float64Array, labels: Int8Array): {residual: number; turned: boolean} {
    const {odds} = this.buffers
    const move = this.#move
    let residual = 0
    let along = 0
    for (let i = 0; i < odds.length; i++) {
      const q = labels[i] === -1 ? odds[i] / (1 + odds[i]) : labels[i]
      const change = q - probabilities[i]
      residual = Math.max(residual, Math.abs(change))
      along += change * move[i]
      move[i] = change
      probabilities[i] = q
    }
    return {residual, turned: along < 0}
  }
}

/** A message cut off here forces its concept: it outweighs the smallest possible odds. */
const MESSAGE_TOP = 1e300

/** Tells whether this message, up to rounding, makes its concept the only explanation of a word. */
function isForcing(message: number): boolean {
  return message > MESSAGE_TOP / 2
}

/**
 * Belief propagation on the words that occur: one pass over the noisy-or factors, word after word.
 *
 * The message of word p to concept i is the ratio r = (1 - c f) / (1 - c), with c = (1 - l) prod_{k != i} (1 - q_k (1 - f_k))
 * and q_k the probability of k without p's own message: the exact sum-product message. With w = 1 - f, u_k = q_k w_k and
 * s = 1 - c, the noisy-or of the leak and all others, r = 1 + w (1 - s) / s. s is built from both ends (s + u - s u),
 * which leaves one out without dividing and loses no digits when s is tiny; s = 0, no other explanation at all, forces
 * concept i. r >= 1 always: a word that occurs only raises the odds of its causes.
 * Returns whether some odds were cut off at a bound and must be gathered from the messages.
 * Cost: three divisions per edge.
 */
function sweepWords(
  {wordCount, start, leak, concept, weight}: DocumentFactors,
  {odds, message, heard, before}: WordBuffers,
  damping: number
): boolean {
  const bottom = ODDS_BOTTOM
  const top = ODDS_TOP
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
      if (damping > 0) r = damped(old, r, damping)
      message[e] = r
      const o = odds[concept[e]] * (r / old)
      if (o > bottom && o < top) odds[concept[e]] = o
      else {
        odds[concept[e]] = clamp(o, bottom, top)
        cut = true
      }
    }
  }
  return cut
}
