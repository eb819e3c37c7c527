/**
 * Monte Carlo EM for the failures and leaks of the words (the paper's supplement). P(Y) and the rates of the anchors stay fixed.
 *
 * Outer E-step: q(y) over the concepts of each document, by Gibbs sampling.
 * Outer M-step: an inner EM over the auxiliary variable A_j, the cause that switched word j on: its expected counts under q
 * (inner E-step), and from these new failures and leaks (inner M-step).
 */
import {AdfaError, checkOptions, type Rules, throwIfCancelled, whole} from '../base/checks/index.ts'
import {logPrior, parentState} from '../base/network/index.ts'
import {clamp, log, type Rng, rng, sigmoid} from '../base/numeric/index.ts'
import type {Corpus, Evidence} from '../read/data/index.ts'
import {buildTables, type DocumentFactors, denseWeights, type InferenceTables, readDocument} from './inference/index.ts'
import {FAILURE_FLOOR, LEAK_CEILING, type Loadings} from './loadings/index.ts'
import type {Model} from './model/index.ts'

export interface EmOptions {
  /** Rounds of E-step and M-step. */
  readonly steps: number
  /** States drawn per document and step. */
  readonly samples: number
  /** Sweeps before them, at every step; a chain continues where the step before left it. */
  readonly burnIn: number
  readonly seed: number
}

/** The paper takes nine steps; 10 draws after 5 sweeps suffice, since a chain continues from step to step. */
const emDefaults: EmOptions = {steps: 9, samples: 10, burnIn: 5, seed: 0}

const emRules: Rules<EmOptions> = {
  steps: whole(0),
  samples: whole(1),
  // A chain may start at a state that the model rules out; one sweep leads out of it.
  burnIn: whole(1),
  seed: whole()
}

/** A product of ratios is turned into its logarithm before it can overflow. */
const PRODUCT_TOP = 1e200

const ALL_EVIDENCE = {anchors: 'used', words: 'used'} as const

export interface EmControl {
  readonly signal?: AbortSignal
  /** Called with the start and after each step. */
  readonly onStep?: (model: Model, step: number) => void
}

/**
 * Runs EM from `model` over the documents. It raises the likelihood and, on real text, lets concepts drift away from their names
 * (the paper's figure on degradation). `bounds` has the start and every step: lower bounds of the mean log-likelihood of a document, in
 * nats.
 * Cost: O(documents * edges of their words * (burnIn + samples)) per step; memory O(m n + documents * m).
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

/** A distribution q over full assignments of one document's concepts: the output of the E-step, the M-step's input. */
export interface WeightedStates {
  readonly states: readonly Uint8Array[]
  /** Sum to 1. */
  readonly weights: ArrayLike<number>
  /** The bound E_q[log P(x, a, y) - log q(y)] <= log P(x, a) (the printed one has log P(y); see the paper's errata). */
  readonly bound: number
}

/**
 * The outer E-step of the supplement: one state per Gibbs sweep, after `burnIn` sweeps that do not count; `y` is the state of the
 * document's chain. q is the distribution of the drawn states. Any q gives a bound, so this one holds however few the draws, and it is
 * the one that the M-step raises.
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
 * Prepares Gibbs sampling of a document's concepts: every sweep redraws each concept without a label once, given the others.
 * `y` is the state of the chain, which sweeps change in place.
 *
 * The log-odds of y_i = 1 given the others are its unary factor (absent words, anchor), the ratio of its own and its children's
 * tables, and for each word that occurs log((s + w (1 - s)) / s), s = P(x_p = 1 | y without i). The s of all words are kept.
 * When a concept leaves they are rebuilt rather than divided, so nothing drifts, and s = 0 forces y_i = 1.
 * Cost: O(concepts * words that occur) per sweep, times the concepts that are on for those that are.
 */
function gibbsSampler(tables: InferenceTables, factors: DocumentFactors, y: Uint8Array): (random: Rng) => void {
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

/** Expected counts of one pass. An edge is a word and a concept that can switch it on, numbered as in {@link InferenceTables}. */
interface CauseCounts {
  documents: number
  /** Expected documents that have each concept. */
  readonly present: Float64Array
  /** count(A_j = i), by edge. */
  readonly caused: Float64Array
  /** count(A_j < i and y_i = 1), by edge: documents with the concept in which an earlier cause switched the word on. */
  readonly forestalled: Float64Array
  /** count(A_j = leak), by word. */
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
 * Inner E-step: which cause switched on each word that occurs. The causes are tried in turn, the leak first, then the present
 * concepts in order. A_j is the first that succeeds, so P(A_j = k | y) = (1 - f_k^{y_k}) prod_{i<k} f_i^{y_i}, and given that
 * the word occurs this is divided by 1 - prod_i f_i^{y_i}.
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
      // A word that nothing explains has no cause to count.
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
 * Inner M-step: `f_i = 1 - count(A = i) / count(A >= i and y_i = 1)`, where documents without the word have A beyond all causes.
 * Each f is the maximum of a concave function, so a floor keeps the step monotone if it does not raise a failure below it.
 * Differs from the paper, which prints count(A <= i) in the denominator: it diverges.
 *
 * `fitNoisyOr` of the baselines has another M-step: there every cause may act, here the first one excludes the later ones.
 */
export function updateLoadings(counts: CauseCounts, {start, concept}: InferenceTables, before: Loadings): Loadings {
  const {wordCount: n} = before
  const failure = before.failure.slice()
  const leak = counts.leaked.map(leaked => Math.min(leaked / counts.documents, LEAK_CEILING))
  for (let j = 0; j < n; j++)
    for (let e = start[j]; e < start[j + 1]; e++) {
      const cell = concept[e] * n + j
      const tried = counts.present[concept[e]] - counts.forestalled[e]
      // A cause that no document tried keeps its failure.
      if (tried > 0)
        failure[cell] = clamp(1 - counts.caused[e] / tried, Math.min(FAILURE_FLOOR, before.failure[cell]), 1)
    }
  return {...before, failure, leak}
}
