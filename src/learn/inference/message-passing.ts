import {clamp, exp, log} from '../../base/numeric/index.ts'
import type {DocumentFactors} from './document-factors.ts'
import type {InferenceTables} from './inference-tables.ts'
import {
  createJunctionMessages,
  createNetworkMessages,
  damped,
  multiply,
  type NetworkMessages,
  ODDS_BOTTOM,
  ODDS_TOP
} from './network-messages.ts'
import type {InferenceOptions} from './options.ts'
import type {Posterior} from './posterior.ts'

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

/** A message cut off here forces its concept: it outweighs the smallest odds there are. */
const MESSAGE_TOP = 1e300

/** Whether this message, up to rounding, says that its concept is the only explanation of a word. */
export function isForcing(message: number): boolean {
  return message > MESSAGE_TOP / 2
}

/** One entry an edge of the document, but `odds`: one a concept. */
interface WordBuffers {
  /** What concepts believe so far; updated with every message. */
  readonly odds: Float64Array
  /** From the word to the concept, the ratio of its value at 1 to that at 0. */
  message: Float64Array
  heard: Float64Array
  before: Float64Array
}

/**
 * Belief propagation on the words that occur: one pass over the noisy-or factors, word after word.
 *
 * Word p tells concept i the ratio r = (1 - c f) / (1 - c), with c = (1 - l) prod_{k != i} (1 - q_k (1 - f_k)) and q_k the
 * probability of k as the word hears it, its own message divided out: the exact sum-product message. With w = 1 - f,
 * u_k = q_k w_k and s = 1 - c, the noisy-or of the leak and all others, r = 1 + w (1 - s) / s. s is built from both ends
 * (s + u - s u), which leaves one out without dividing and loses no digits when s is tiny; s = 0, no other explanation
 * at all, forces concept i. r >= 1 always: a word that occurs only speaks for its causes.
 * Returns whether some odds were cut off at a bound, and are to be gathered anew from the messages.
 * Cost: three divisions an edge.
 */
export function sweepWords(
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
