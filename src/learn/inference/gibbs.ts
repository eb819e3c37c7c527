import {parentState} from '../../base/network/index.ts'
import {log, type Rng, rng, sigmoid} from '../../base/numeric/index.ts'
import type {DocumentFactors, InferenceTables} from './document-factors.ts'
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
  const {probabilities, standardErrors} = summarise(batchMeans, factors.labels)
  const steps = CHAINS * BATCHES * batchLength
  const standardError = standardErrors.reduce((top, error) => Math.max(top, error), 0)
  const {unexplainedWords} = factors
  return {
    probabilities,
    standardErrors,
    certificate: {method: 'gibbs', status: 'sampled', steps, standardError, unexplainedWords}
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
 * Cost: O(edges of the words that occur) per sweep, times the edges of a word for concepts that are on.
 */
export function gibbsSampler(tables: InferenceTables, factors: DocumentFactors, y: Uint8Array): GibbsSweep {
  const {labels, unary, wordCount, start, leak, concept, weight} = factors
  const edgesOf: number[][] = tables.network.parents.map(() => [])
  const wordOf = new Int32Array(start[wordCount])
  for (let p = 0; p < wordCount; p++)
    for (let e = start[p]; e < start[p + 1]; e++) {
      wordOf[e] = p
      edgesOf[concept[e]].push(e)
    }
  const present = Float64Array.from({length: wordCount}, (_, p) => presence(p))
  const without = new Float64Array(wordCount)
  return (random, sum) => {
    for (let i = 0; i < y.length; i++) {
      if (labels[i] !== -1) continue
      const chance = chanceOf(i)
      if (sum !== undefined) sum[i] += chance
      y[i] = random.next() < chance ? 1 : 0
      for (const e of edgesOf[i]) {
        const s = without[wordOf[e]]
        present[wordOf[e]] = y[i] === 1 ? s + weight[e] * (1 - s) : s
      }
    }
  }

  /** Leaves y_i at 0, and in `without` the words of concept i without it. */
  function chanceOf(i: number): number {
    const wasOn = y[i] === 1
    y[i] = 0
    let logOdds = unary[i]
    let product = priorOdds(tables, y, i)
    for (const e of edgesOf[i]) {
      const p = wordOf[e]
      const s = wasOn ? presence(p) : present[p]
      without[p] = s
      product *= (s + weight[e] * (1 - s)) / s
      if (product > PRODUCT_TOP) {
        logOdds += log(product)
        product = 1
      }
    }
    return sigmoid(logOdds + log(product))
  }

  /** P(x_p = 1 | y). */
  function presence(p: number): number {
    let s = leak[p]
    for (let e = start[p]; e < start[p + 1]; e++) if (y[concept[e]] === 1) s += weight[e] * (1 - s)
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

function summarise(batchMeans: readonly Float64Array[], labels: Int8Array) {
  const count = batchMeans.length
  const probabilities = Float64Array.from(labels)
  const standardErrors = new Float64Array(labels.length)
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] !== -1) continue
    let mean = 0
    for (const batch of batchMeans) mean += batch[i] / count
    let square = 0
    for (const batch of batchMeans) square += (batch[i] - mean) ** 2
    probabilities[i] = Math.min(1, mean)
    standardErrors[i] = Math.sqrt(square / (count - 1) / count)
  }
  return {probabilities, standardErrors}
}
