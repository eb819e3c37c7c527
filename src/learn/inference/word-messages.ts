import {clamp} from '../../base/numeric/index.ts'
import type {DocumentFactors} from './document-factors.ts'
import {damped, ODDS_BOTTOM, ODDS_TOP} from './odds.ts'

/** A message cut off here forces its concept: it outweighs the smallest odds there are. */
const MESSAGE_TOP = 1e300

/** Whether this message, up to rounding, says that its concept is the only explanation of a word. */
export function isForcing(message: number): boolean {
  return message > MESSAGE_TOP / 2
}

/** One entry an edge of the document, but `odds`: one a concept. */
export interface WordBuffers {
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
