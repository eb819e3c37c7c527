import {parentState} from '../../base/network/index.ts'
import {exp, log, type Rng, sigmoid} from '../../base/numeric/index.ts'
import {absence, type EmDocument, type EmTables, logJointAt, presentIn} from './em-document.ts'

/** A distribution q over full assignments of one document's concepts: the output of the E-step, the M-step's input. */
export interface WeightedStates {
  readonly states: readonly Uint8Array[]
  /** Sum to 1. */
  readonly weights: Float64Array
  /** The bound E_q[log P(x, a, y) - log q(y)] <= log P(x, a) (the printed one has log P(y); see the paper's errata). */
  readonly bound: number
}

/** Concepts beyond which summing over every state of every document is too much work. */
export const STATE_LIMIT = 12

/** The exact posterior over all 2^m states; its bound is log P(x, a) itself. Cost: O(2^m * words that occur). */
export function enumerateStates(document: EmDocument, tables: EmTables): WeightedStates {
  const m = tables.conceptCount
  const states: Uint8Array[] = []
  const logJoint = new Float64Array(2 ** m)
  for (let state = 0; state < 2 ** m; state++) {
    const y = Uint8Array.from({length: m}, (_, i) => (state >> i) & 1)
    states.push(y)
    logJoint[state] = logJointAt(document, tables, y)
  }
  const top = logJoint.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY)
  const weights = logJoint.map(value => exp(value - top))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return {states, weights: weights.map(weight => weight / total), bound: top + log(total)}
}

/** Odds inside these bounds are multiplied as they are, beyond them as logarithms. */
const ODDS_TOP = 1e200
const ODDS_BOTTOM = 1e-200

/**
 * The E-step of the supplement (outer E-step): one state per sweep, after `burnIn` sweeps that do not count.
 *
 * A sweep redraws every concept from its odds given the others: unary (absent words, anchor) times own and children's
 * tables times, for the words that occur, (1 - q f_ij) / (1 - q), q = P(x_j = 0 | y without i). The q of every word are
 * kept and, when a concept leaves, rebuilt rather than divided: no drift, also with failures near 0.
 * Cost: O(words that occur * m) multiplications per sweep; logarithms only for odds that would overflow.
 */
export function stateSampler(
  tables: EmTables,
  {samples, burnIn}: {readonly samples: number; readonly burnIn: number}
): (document: EmDocument, y: Uint8Array, random: Rng) => WeightedStates {
  const {conceptCount: m, failure} = tables
  const unaryOdds = new Float64Array(m)
  /** P(x = 0 | y) of the words that occur, and the same without the concept being drawn. */
  let off = new Float64Array(64)
  let without = new Float64Array(64)
  return draw

  /** Draws states of a document; `y` is the state of the chain, before and after. */
  function draw(document: EmDocument, y: Uint8Array, random: Rng): WeightedStates {
    const {words, unary} = document
    if (words.length > off.length) {
      off = new Float64Array(2 * words.length)
      without = new Float64Array(2 * words.length)
    }
    for (let i = 0; i < m; i++) unaryOdds[i] = exp(unary[i])
    readAbsences(off, tables, words, y)
    for (let count = 0; count < burnIn; count++) sweep(document, y, random)
    const draws = Array.from({length: samples}, () => {
      sweep(document, y, random)
      return y.slice()
    })
    return drawnStates(document, tables, draws)
  }

  function sweep(document: EmDocument, y: Uint8Array, random: Rng): void {
    const {words} = document
    for (let i = 0; i < m; i++) {
      const was = y[i]
      if (was === 1) {
        y[i] = 0
        readAbsences(without, tables, words, y)
      }
      const now = random.next() < chanceOf(document, y, i, was === 1 ? without : off) ? 1 : 0
      y[i] = now
      if (now === was) continue
      if (now === 0) for (let p = 0; p < words.length; p++) off[p] = without[p]
      else for (let p = 0; p < words.length; p++) off[p] *= failure[words[p] * m + i]
    }
  }

  /** P(y_i = 1 | the others), where `q` holds the words' probabilities of absence without i. */
  function chanceOf({words, unary}: EmDocument, y: Uint8Array, i: number, q: Float64Array): number {
    const prior = priorOdds(tables, i, y)
    let odds = unaryOdds[i] * prior
    if (!(odds > ODDS_BOTTOM)) return sigmoid(unary[i] + log(prior) + logWordOdds(tables, words, i, q))
    for (let p = 0; p < words.length; p++) {
      const f = failure[words[p] * m + i]
      // Skips words that the concept cannot cause, also where no cause is left (0 / 0).
      if (f !== 1) odds *= (1 - q[p] * f) / (1 - q[p])
    }
    // Every factor is at least 1: odds beyond the top are certainty.
    return odds < ODDS_TOP ? odds / (1 + odds) : 1
  }
}

function readAbsences(target: Float64Array, tables: EmTables, words: readonly number[], y: Uint8Array): void {
  const present = presentIn(y)
  for (let p = 0; p < words.length; p++) target[p] = absence(tables, words[p], present)
}

function logWordOdds(tables: EmTables, words: readonly number[], i: number, q: Float64Array): number {
  let sum = 0
  for (let p = 0; p < words.length; p++) {
    const f = tables.failure[words[p] * tables.conceptCount + i]
    if (f !== 1) sum += log((1 - q[p] * f) / (1 - q[p]))
  }
  return sum
}

/** P(Y_i = 1 | other concepts) / P(Y_i = 0 | other concepts); y_i must be 0. */
function priorOdds({network, children}: EmTables, i: number, y: Uint8Array): number {
  const {parents, cpt} = network
  const p = cpt[i][parentState(parents[i], y)]
  let odds = p / (1 - p)
  for (const k of children[i]) {
    const zero = cpt[k][parentState(parents[k], y)]
    y[i] = 1
    const one = cpt[k][parentState(parents[k], y)]
    y[i] = 0
    odds *= y[k] === 1 ? one / zero : (1 - one) / (1 - zero)
  }
  return odds
}

function sameState(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/**
 * The distribution of the drawn states, each distinct one with its share of the draws. Any q gives a bound, so this one
 * is a true lower bound of log P(x, a) however few the draws, and it is the one that the M-step raises.
 */
function drawnStates(document: EmDocument, tables: EmTables, draws: readonly Uint8Array[]): WeightedStates {
  const states: Uint8Array[] = []
  const counts: number[] = []
  for (const y of draws) {
    const at = states.findIndex(state => sameState(state, y))
    if (at >= 0) counts[at]++
    else {
      states.push(y)
      counts.push(1)
    }
  }
  const weights = Float64Array.from(counts, count => count / draws.length)
  let bound = 0
  states.forEach((y, at) => {
    bound += weights[at] * (logJointAt(document, tables, y) - log(weights[at]))
  })
  return {states, weights, bound}
}
