import {parentState} from '../../base/network/index.ts'
import {log, type Rng, rng, sigmoid} from '../../base/numeric/index.ts'
import {type DocumentFactors, denseWeights, type InferenceTables} from './document-factors.ts'
import type {InferenceOptions, Posterior} from './posterior.ts'

/** Chains start from random states of their own, so that chains that disagree show in the standard error. */
const CHAINS = 4
/** Sweeps of each chain that do not count. */
const BURN_IN = 100
/** Batches per chain for the standard error; with 10, neighbouring means depend little on each other. */
const BATCHES = 10

/**
 * Computes P(Y_i = 1 | document) by Gibbs sampling, the slow reference for any network. Conditional probabilities are averaged
 * rather than draws, which has the same mean and less variance; the standard error comes from the batch means of all chains.
 */
export function gibbsPosterior(
  tables: InferenceTables,
  factors: DocumentFactors,
  {sweeps, seed}: Pick<InferenceOptions, 'sweeps' | 'seed'>
): Posterior {
  const batchLength = Math.ceil(sweeps / BATCHES)
  const batchMeans: Float64Array[] = []
  for (let chain = 0; chain < CHAINS; chain++) {
    const random = rng(seed).stream(`gibbs ${chain}`)
    const y = Uint8Array.from(factors.labels, label => (label === -1 ? Number(random.next() < 0.5) : label))
    const sweep = gibbsSampler(tables, factors, y)
    const sum = new Float64Array(tables.conceptCount)
    for (let count = 0; count < BURN_IN; count++) sweep(random, sum)
    for (let batch = 0; batch < BATCHES; batch++) {
      sum.fill(0)
      for (let count = 0; count < batchLength; count++) sweep(random, sum)
      batchMeans.push(sum.map(total => total / batchLength))
    }
  }
  const count = batchMeans.length
  const probabilities = Float64Array.from(factors.labels)
  const standardErrors = new Float64Array(probabilities.length)
  for (let i = 0; i < probabilities.length; i++) {
    if (factors.labels[i] !== -1) continue
    const mean = batchMeans.reduce((sum, batch) => sum + batch[i] / count, 0)
    const square = batchMeans.reduce((sum, batch) => sum + (batch[i] - mean) ** 2, 0)
    probabilities[i] = Math.min(1, mean)
    standardErrors[i] = Math.sqrt(square / (count - 1) / count)
  }
  const standardError = standardErrors.reduce((top, error) => Math.max(top, error), 0)
  const {unexplainedWords} = factors
  return {
    probabilities,
    standardErrors,
    certificate: {method: 'gibbs', status: 'sampled', steps: count * batchLength, standardError, unexplainedWords}
  }
}

/** Redraws every concept without a label once, and adds P(y_i = 1 | the other concepts, document) to `sum[i]`. */
export type GibbsSweep = (random: Rng, sum?: Float64Array) => void

/** A product of ratios is turned into its logarithm before it can overflow. */
const PRODUCT_TOP = 1e200

/**
 * Prepares sweeps over the concepts of a document; `y` is the state of the chain, which sweeps change in place.
 *
 * The log-odds of y_i = 1 given the others are its unary factor (absent words, anchor), the ratio of its own and its children's
 * tables, and for each word that occurs log((s + w (1 - s)) / s), s = P(x_p = 1 | y without i). The s of all words are kept.
 * When a concept may leave they are rebuilt rather than divided, so nothing drifts, and s = 0 forces y_i = 1.
 * Cost: O(concepts * words that occur) per sweep, times the concepts that are on for those that are.
 */
export function gibbsSampler(tables: InferenceTables, factors: DocumentFactors, y: Uint8Array): GibbsSweep {
  const {labels, unary, wordCount, leak} = factors
  const rows = Int32Array.from(y, (_, i) => i)
  const weights = denseWeights(factors, rows, y.length)
  const present = new Float64Array(wordCount)
  const without = new Float64Array(wordCount)
  const on = conceptsOn()
  for (let p = 0; p < wordCount; p++) present[p] = presence(p, on)
  return (random, sum) => {
    for (let i = 0; i < y.length; i++) {
      if (labels[i] !== -1) continue
      const was = y[i]
      y[i] = 0
      const chance = chanceOf(i, was === 1)
      if (sum !== undefined) sum[i] += chance
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

  /** The concepts without a label that y has; those with a label are folded into the leaks. */
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
