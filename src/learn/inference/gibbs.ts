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
 * When a concept leaves they are rebuilt rather than divided, so nothing drifts, and s = 0 forces y_i = 1.
 * Cost: O(concepts * words that occur) per sweep, times the concepts that are on for those that are.
 */
export function gibbsSampler(tables: InferenceTables, factors: DocumentFactors, y: Uint8Array): (random: Rng) => void {
  const {labels, unary, wordCount, leak} = factors
  const open = [...labels.keys()].filter(i => labels[i] === -1)
  const weights = denseWeights(factors)
  /** P(x_p = 1 | y) of each word that occurs; labelled concepts are folded into the leaks. */
  const present = leak.slice(0, wordCount)
  for (const i of open) if (y[i] === 1) add(i)
  return random => {
    for (const i of open) {
      if (y[i] === 1) remove(i)
      if (random.next() < chanceOf(i)) add(i)
    }
  }

  function add(i: number): void {
    y[i] = 1
    for (let p = 0, cell = i * wordCount; p < wordCount; p++, cell++) present[p] += weights[cell] * (1 - present[p])
  }

  function remove(i: number): void {
    y[i] = 0
    const others = open.filter(k => y[k] === 1)
    for (let p = 0; p < wordCount; p++) {
      if (weights[i * wordCount + p] === 0) continue
      present[p] = leak[p]
      for (const k of others) present[p] += weights[k * wordCount + p] * (1 - present[p])
    }
  }

  /** P(y_i = 1 | the others), where y_i is 0. */
  function chanceOf(i: number): number {
    let logOdds = unary[i]
    let product = priorOdds(tables, y, i)
    for (let p = 0, cell = i * wordCount; p < wordCount; p++, cell++) {
      if (weights[cell] === 0) continue
      product *= (present[p] + weights[cell] * (1 - present[p])) / present[p]
      if (product > PRODUCT_TOP) {
        logOdds += log(product)
        product = 1
      }
    }
    return sigmoid(logOdds + log(product))
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
