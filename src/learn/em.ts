/**
 * Monte Carlo EM for the failures and leaks of the words (the paper's supplement). P(Y) and the rates of the anchors stay fixed.
 *
 * The outer E-step draws the concepts of each document from q(y) by Gibbs sampling. The outer M-step is a step of an inner EM
 * over the auxiliary variable A_j, the cause that switched word j on: the inner E-step computes expected counts of A_j under q,
 * and the inner M-step new failures and leaks from these counts.
 */
import {AdfaError, checkOptions, type Rules, throwIfCancelled, whole} from '../base/checks/index.ts'
import {logPrior, priorLogOdds} from '../base/network/index.ts'
import {clamp, log, type Rng, rng, sigmoid} from '../base/numeric/index.ts'
import type {Corpus, Evidence} from '../read/data/index.ts'
import {buildTables, type DocumentFactors, denseWeights, type InferenceTables, readDocument} from './inference/index.ts'
import {FAILURE_FLOOR, LEAK_CEILING, type Loadings} from './loadings/index.ts'
import type {Model} from './model/index.ts'

export interface EmOptions {
  /** The number of rounds, each an E-step and an M-step. */
  readonly steps: number
  /** The number of states drawn per document and round. */
  readonly samples: number
  /** The number of discarded sweeps before the draws of a round. A chain continues from one round to the next. */
  readonly burnIn: number
  readonly seed: number
}

/** The paper takes nine rounds. Few draws and sweeps suffice, since a chain continues from one round to the next. */
const emDefaults: EmOptions = {steps: 9, samples: 10, burnIn: 5, seed: 0}

const emRules: Rules<EmOptions> = {
  steps: whole(0),
  samples: whole(1),
  // A chain may start at a state of probability 0, which one sweep leaves.
  burnIn: whole(1),
  seed: whole()
}

/** A product of likelihood ratios above this is added to the log-odds as a logarithm, before it can overflow. */
const LARGEST_PRODUCT = 1e200

const ALL_EVIDENCE = {anchors: 'used', words: 'used'} as const

export interface EmControl {
  readonly signal?: AbortSignal
  /** Called with the starting model as step 0, and with the model after each round. */
  readonly onStep?: (model: Model, step: number) => void
}

/**
 * Runs EM from `model` over the documents. It raises the likelihood but, on real text, lets concepts drift away from their names
 * (the paper's figure on degradation). `bounds` are lower bounds of the mean log-likelihood of a document, in nats, at the start
 * and after each round.
 * Cost: O(documents * links of their words * (burnIn + samples)) per round; memory O(m n + documents * m).
 */
export function runEm(
  model: Model,
  {documents}: Pick<Corpus, 'documents'>,
  options: Partial<EmOptions> = {},
  {signal, onStep}: EmControl = {}
): {readonly model: Model; readonly bounds: readonly number[]} {
  const checked = checkOptions('runEm', emDefaults, emRules, options)
  if (documents.length === 0)
    throw new AdfaError('bad-document', 'runEm: the corpus has no documents; give at least one document')
  const random = rng(checked.seed).stream('em')
  const chains = documents.map(({anchors}) => Uint8Array.from(model.concepts, (_, i) => Number(anchors.includes(i))))
  const bounds: number[] = []
  let current = model
  for (let step = 0; ; step++) {
    const tables = buildTables(current)
    const counts = emptyCounts(tables)
    const drawStates = stateSampler(tables, random.stream(String(step)), checked)
    let bound = 0
    for (const [d, document] of documents.entries()) {
      if (d % 256 === 0) throwIfCancelled(signal)
      const q = drawStates(document, chains[d])
      countCauses(counts, tables, document.words, q)
      bound += q.bound / documents.length
    }
    bounds.push(bound)
    onStep?.(current, step)
    if (step === checked.steps) return {model: current, bounds}
    current = {...current, loadings: updateLoadings(counts, tables, current.loadings)}
  }
}

/** A distribution q over assignments of one document's concepts, which the E-step draws and the M-step uses. */
export interface WeightedStates {
  readonly states: readonly Uint8Array[]
  /** The probability of each state under q; the sum is 1. */
  readonly weights: ArrayLike<number>
  /** E_q[log P(x, a, y) - log q(y)], a lower bound of log P(x, a). The paper prints log P(y) instead of log q(y). */
  readonly bound: number
}

/**
 * Returns the outer E-step of the supplement for one document: q is the empirical distribution of the states after each of
 * `samples` Gibbs sweeps, which follow `burnIn` discarded ones. `y` is the state of the document's chain, which sweeps change in
 * place. Every q gives a lower bound, so the bound holds for few draws too.
 */
export function stateSampler(
  tables: InferenceTables,
  random: Rng,
  {samples, burnIn}: Pick<EmOptions, 'samples' | 'burnIn'>
): (document: Evidence, y: Uint8Array) => WeightedStates {
  return (document, y) => {
    const sweep = gibbsSampler(tables, readDocument(tables, document, ALL_EVIDENCE), y)
    for (let count = 0; count < burnIn; count++) sweep(random)
    const states: Uint8Array[] = []
    const weights: number[] = []
    for (let draw = 0; draw < samples; draw++) {
      sweep(random)
      const at = states.findIndex(state => state.every((on, i) => on === y[i]))
      if (at >= 0) weights[at] += 1 / samples
      else {
        states.push(y.slice())
        weights.push(1 / samples)
      }
    }
    const terms = states.map((state, at) => weights[at] * (logJointAt(document, state) - log(weights[at])))
    return {states, weights, bound: terms.reduce((sum, term) => sum + term, 0)}
  }

  /** Computes log P(x, a, y). */
  function logJointAt(document: Evidence, y: Uint8Array): number {
    return readDocument(tables, document, ALL_EVIDENCE, Int8Array.from(y)).logConstant + logPrior(tables.network, y)
  }
}

/**
 * Returns a function that makes one Gibbs sweep: it redraws each concept without a label, given the others. `y` is the state of
 * the chain, which sweeps change in place.
 *
 * The log-odds of y_i = 1 given the others are the sum of its unary factor (absent words and anchor), its log-odds in P(Y), and
 * log((s + w (1 - s)) / s) for each word that occurs, s = P(x_p = 1 | y without i). The s of all words are stored. When a concept
 * is removed, those of its words are computed anew, since divisions would accumulate rounding errors. s = 0 forces y_i = 1.
 * Cost: O(concepts * words that occur) per sweep, and as much again for each pair of concepts that are on.
 */
function gibbsSampler(
  {network, children}: InferenceTables,
  factors: DocumentFactors,
  y: Uint8Array
): (random: Rng) => void {
  const {labels, unary, wordCount, leak} = factors
  const open = [...labels.keys()].filter(i => labels[i] === -1)
  const weights = denseWeights(factors)
  /** P(x_p = 1 | y) of each word p that occurs. The leaks already include the labelled concepts. */
  const present = leak.slice(0, wordCount)
  for (const i of open) if (y[i] === 1) add(i)
  return random => {
    for (const i of open) {
      if (y[i] === 1) remove(i)
      if (random.next() < conditionalProbability(i)) add(i)
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

  /** Returns P(y_i = 1 | the others, the document). y_i must be 0. */
  function conditionalProbability(i: number): number {
    let logOdds = unary[i] + priorLogOdds(network, children[i], y, i)
    let product = 1
    for (let p = 0, cell = i * wordCount; p < wordCount; p++, cell++) {
      if (weights[cell] === 0) continue
      product *= (present[p] + weights[cell] * (1 - present[p])) / present[p]
      if (product > LARGEST_PRODUCT) {
        logOdds += log(product)
        product = 1
      }
    }
    return sigmoid(logOdds + log(product))
  }
}

/** Expected counts over the documents. An edge joins a word to a concept that can switch it on, as in {@link InferenceTables}. */
interface CauseCounts {
  documents: number
  /** The expected number of documents that have each concept. */
  readonly present: Float64Array
  /** count(A_j = i) for each edge. */
  readonly caused: Float64Array
  /** count(A_j < i and y_i = 1) for each edge: documents with the concept in which an earlier cause switched the word on. */
  readonly forestalled: Float64Array
  /** count(A_j = leak) for each word. */
  readonly leaked: Float64Array
}

export function emptyCounts({conceptCount, wordCount, concept}: InferenceTables): CauseCounts {
  return {
    documents: 0,
    present: new Float64Array(conceptCount),
    caused: new Float64Array(concept.length),
    forestalled: new Float64Array(concept.length),
    leaked: new Float64Array(wordCount)
  }
}

/**
 * Inner E-step: adds the expected causes of the words of one document to `counts`. The causes of a word act in turn, first
 * the leak, then the present concepts in order, and A_j is the first that succeeds. So P(A_j = k | y) is
 * (1 - f_k^{y_k}) prod_{i<k} f_i^{y_i}, divided by 1 - prod_i f_i^{y_i} given that the word occurs.
 * Differs from the paper, which prints 1 - f_k: absent concepts would switch words on.
 * Cost: O(states * edges of the words that occur); absent words cost nothing.
 */
export function countCauses(
  counts: CauseCounts,
  {leak, start, concept, weight}: InferenceTables,
  words: readonly number[],
  {states, weights}: WeightedStates
): void {
  counts.documents++
  states.forEach((y, at) => {
    const share = weights[at]
    if (share === 0) return
    for (let i = 0; i < y.length; i++) counts.present[i] += share * y[i]
    for (const j of words) {
      const edges: number[] = []
      let occurs = leak[j]
      for (let e = start[j]; e < start[j + 1]; e++)
        if (y[concept[e]] === 1) {
          edges.push(e)
          occurs += weight[e] * (1 - occurs)
        }
      // A word that nothing can switch on has no cause.
      if (occurs === 0) continue
      counts.leaked[j] += (share * leak[j]) / occurs
      let earlier = leak[j]
      for (const e of edges) {
        const succeeds = weight[e] * (1 - earlier)
        counts.forestalled[e] += (share * earlier) / occurs
        counts.caused[e] += (share * succeeds) / occurs
        earlier += succeeds
      }
    }
  })
}

/**
 * Inner M-step: f_i = 1 - count(A = i) / count(A >= i and y_i = 1), where documents without the word count as A >= i. Each f
 * maximises a concave function. Clipping f at a floor still raises the likelihood, unless the failure was below the floor before
 * the step; such a failure has its own value as floor.
 * Differs from the paper, which prints count(A <= i) in the denominator: that diverges.
 *
 * `fitNoisyOr` of the baselines has another M-step: there several causes may act, here the first that acts excludes later ones.
 */
export function updateLoadings(counts: CauseCounts, {start, concept}: InferenceTables, before: Loadings): Loadings {
  const {wordCount: n} = before
  const failure = before.failure.slice()
  const leak = counts.leaked.map(leaked => Math.min(leaked / counts.documents, LEAK_CEILING))
  for (let j = 0; j < n; j++)
    for (let e = start[j]; e < start[j + 1]; e++) {
      const cell = concept[e] * n + j
      const tried = counts.present[concept[e]] - counts.forestalled[e]
      // If an earlier cause always acts first, the documents say nothing about this failure, which stays.
      if (tried > 0)
        failure[cell] = clamp(1 - counts.caused[e] / tried, Math.min(FAILURE_FLOOR, before.failure[cell]), 1)
    }
  return {...before, failure, leak}
}
