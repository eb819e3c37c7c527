import {parentState} from '../../base/network/index.ts'
import {log, type Rng, sigmoid} from '../../base/numeric/index.ts'
import {type DocumentFactors, denseWeights, type InferenceTables} from './document-factors.ts'

/** A product of ratios is turned into its logarithm before it can overflow. */
const PRODUCT_TOP = 1e200

/**
 * Prepares Gibbs sampling of a document's concepts: every sweep redraws each concept without a label once, given the others.
 * `y` is the state of the chain, which sweeps change in place.
 *
 * The log-odds of y_i = 1 given the others are its unary factor (absent words, anchor), the ratio of its own and its children's
 * tables, and for each word that occurs log((s + w (1 - s)) / s), s = P(x_p = 1 | y without i). The s of all words are kept.
 * When a concept may leave they are rebuilt rather than divided, so nothing drifts, and s = 0 forces y_i = 1.
 * Cost: O(concepts * words that occur) per sweep, times the concepts that are on for those that are.
 */
export function gibbsSampler(tables: InferenceTables, factors: DocumentFactors, y: Uint8Array): (random: Rng) => void {
  const {labels, unary, wordCount, leak} = factors
  const rows = Int32Array.from(y, (_, i) => i)
  const weights = denseWeights(factors, rows, y.length)
  const present = new Float64Array(wordCount)
  const without = new Float64Array(wordCount)
  const on = conceptsOn()
  for (let p = 0; p < wordCount; p++) present[p] = presence(p, on)
  return random => {
    for (let i = 0; i < y.length; i++) {
      if (labels[i] !== -1) continue
      const was = y[i]
      y[i] = 0
      const chance = chanceOf(i, was === 1)
      y[i] = random.next() < chance ? 1 : 0
      if (y[i] !== was) change(i)
    }
  }

  /** P(y_i = 1 | the others); y_i is 0. Leaves in `without` the words of concept i without it. */
  function chanceOf(i: number, wasOn: boolean): number {
    const others = wasOn ? conceptsOn() : []
    let logOdds = unary[i]
    let product = priorOdds(tables, y, i)
    for (let p = 0, cell = i * wordCount; p < wordCount; p++, cell++) {
      if (weights[cell] === 0) continue
      const s = wasOn ? presence(p, others) : present[p]
      without[p] = s
      product *= (s + weights[cell] * (1 - s)) / s
      if (product > PRODUCT_TOP) {
        logOdds += log(product)
        product = 1
      }
    }
    return sigmoid(logOdds + log(product))
  }

  function change(i: number): void {
    for (let p = 0, cell = i * wordCount; p < wordCount; p++, cell++)
      if (weights[cell] > 0) present[p] = y[i] === 1 ? without[p] + weights[cell] * (1 - without[p]) : without[p]
  }

  /** Returns the concepts without a label that y has; those with a label are folded into the leaks. */
  function conceptsOn(): number[] {
    const list: number[] = []
    for (let i = 0; i < y.length; i++) if (y[i] === 1 && labels[i] === -1) list.push(i)
    return list
  }

  /** P(x_p = 1 | the concepts listed). */
  function presence(p: number, concepts: readonly number[]): number {
    let s = leak[p]
    for (const i of concepts) s += weights[i * wordCount + p] * (1 - s)
    return s
  }
}

/** P(Y_i = 1 | other concepts) / P(Y_i = 0 | other concepts); y_i must be 0. */
function priorOdds({network, children}: InferenceTables, y: Uint8Array, i: number): number {
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
