import {AdfaError} from '../../base/checks/index.ts'
import {
  type BayesNetwork,
  isPairNetwork,
  type Network,
  networkSize,
  type PairNetwork,
  topologicalOrder
} from '../../base/network/index.ts'
import type {Anchors, Lexicon} from '../../read/data/index.ts'
import type {Loadings} from '../loadings/index.ts'
import type {WordWeights} from '../robust/index.ts'

/** Beyond these sizes, rounding makes cells of the table of a pair 0. */
const [MAX_COUPLING, MAX_BIAS] = [20, 1e6]

/** A hidden concept and the rates of its anchor. */
export interface Concept {
  readonly name: string
  /** P(A = 1 | Y = 1). */
  readonly truePositive: number
  /** P(A = 1 | Y = 0). */
  readonly falsePositive: number
  /** P(Y = 1). */
  readonly prevalence: number
}

/** The word model of predictions: noisy-or links, or word weights. */
export type WordModel = NoisyOrWords | WordWeights

export interface NoisyOrWords {
  readonly kind: 'noisy-or'
  /** Concepts with at least this probability are reported; set if links were chosen by how well they predict held-out anchors. */
  readonly threshold?: number
}

/** P(X, Y) = P(Y) P(X|Y), and the lexicon that reads new documents as the training documents were read. */
export interface Model<N extends Network = Network> {
  readonly concepts: readonly Concept[]
  readonly network: N
  readonly loadings: Loadings
  readonly wordModel: WordModel
  /** The anchors, words and text options by which a document becomes binary variables. */
  readonly lexicon: Lexicon
  /** The indices of function words and rare words, which people are not shown; undefined if not known. */
  readonly unshownWords?: readonly number[] | undefined
  readonly seed: number
  /** The options of the fit, shown in reports and read by `predict`; plain JSON. */
  readonly options: Readonly<Record<string, unknown>>
  /** The certificates of the stages of the fit; plain JSON. */
  readonly certificate: Readonly<Record<string, unknown>>
}

/**
 * Composes P(X, Y) = P(Y) P(X|Y) (Algorithm 1, line 4), and checks that the parts fit together. The rates of anchors are stored
 * with the concepts only.
 */
export function composeModel<N extends Network>(
  parts: Omit<Model<N>, 'wordModel'> & Partial<Pick<Model, 'wordModel'>>
): Model<N> {
  const lexicon = {...parts.lexicon, anchors: parts.lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))}
  const model: Model<N> = {wordModel: {kind: 'noisy-or'}, ...parts, lexicon}
  const [fault] = modelFaults(model)
  if (fault !== undefined) throw new AdfaError('bad-model', `${fault}; fit the model again`)
  return model
}

/** Returns the model's anchors with its rates, as in an anchors file: the input of a new fit of the same concepts. */
export function anchorsWithRates({lexicon, concepts}: Model): Anchors {
  return lexicon.anchors.map((anchor, i) => {
    const {truePositive, falsePositive} = concepts[i]
    return {...anchor, rates: {kind: 'rates', truePositive, falsePositive}}
  })
}

/** Lists the reasons why a model is not a probability distribution over its concepts and words. */
function* modelFaults({concepts, network, loadings, lexicon, wordModel}: Model): Generator<string> {
  const {conceptCount: m, wordCount: n, failure, leak} = loadings
  if (m === 0) yield 'a model needs at least one concept'
  const isFull = failure.length === m * n && leak.length === n && lexicon.words.length === n
  if (!isFull || [concepts, lexicon.anchors, {length: networkSize(network)}].some(({length}) => length !== m))
    yield `its concepts, anchors, network, words, failures and leaks must be of ${m} concepts and ${n} words`
  if (new Set(concepts.map(({name}) => name)).size < m) yield 'two concepts have the same name'
  if (concepts.some(({name}) => name.includes('\n'))) yield 'the name of a concept is one line'
  for (const {name, truePositive, falsePositive, prevalence} of concepts) {
    if (![falsePositive, truePositive].every(rate => rate > 0 && rate < 1) || falsePositive === truePositive)
      yield `concept "${name}" needs falsePositive and truePositive between 0 and 1 that differ; got ${falsePositive} and ${truePositive}`
    if (!(prevalence >= 0 && prevalence <= 1)) yield `concept "${name}" has prevalence ${prevalence}, not in [0, 1]`
  }
  const names = concepts.map(({name}) => `"${name}"`)
  yield* isPairNetwork(network) ? pairFaults(network, names) : directedFaults(network, names)
  const cell = failure.findIndex(f => !(f > 0 && f <= 1))
  if (cell >= 0)
    yield `the failure of concept ${names[Math.floor(cell / n)]}, word ${cell % n} must lie in (0, 1]; got ${failure[cell]}`
  const j = leak.findIndex(l => !(l >= 0 && l < 1))
  if (j >= 0) yield `the leak of word ${j} must lie in [0, 1); got ${leak[j]}`
  const {threshold = 0} = wordModel
  if (!(threshold >= 0 && threshold <= 1)) yield `the threshold must lie in [0, 1]; got ${threshold}`
}

function* pairFaults(network: PairNetwork, names: readonly string[]): Generator<string> {
  const {biases, couplings, low, high, prevalence} = network
  const bad = prevalence.findIndex(p => !(p > 0 && p < 1))
  if (bad >= 0)
    yield `the prevalence of concept ${names[bad]} must lie strictly between 0 and 1; got ${prevalence[bad]}`
  const cell = couplings.findIndex((J, at) => !(Math.abs(J) <= MAX_COUPLING && low[at] > 0 && low[at] <= high[at]))
  if (cell >= 0) {
    const pair = `${names[Math.floor(cell / names.length)]} and ${names[cell % names.length]}`
    yield `the coupling of ${pair} must be a log odds ratio of at most ${MAX_COUPLING} with an interval above 0; got ${couplings[cell]} (${low[cell]} to ${high[cell]})`
  }
  const large = biases.findIndex(bias => !(Math.abs(bias) < MAX_BIAS))
  if (large >= 0) yield `the bias of ${names[large]} must be a number below 1e6 in size; got ${biases[large]}`
}

function* directedFaults({parents, cpt}: BayesNetwork, names: readonly string[]): Generator<string> {
  for (const [i, name] of names.entries()) {
    const rows = 2 ** parents[i].length
    if (new Set(parents[i]).size < parents[i].length || !parents[i].every(k => k in names))
      yield `the parents of concept ${name} must be concepts of the model, each once; got ${parents[i].join(', ')}`
    if (cpt[i].length !== rows) yield `the table of concept ${name} must have length ${rows}; got ${cpt[i].length}`
    const bad = cpt[i].find(p => !(p > 0 && p < 1))
    if (bad !== undefined) yield `the table of concept ${name} must hold numbers strictly between 0 and 1; got ${bad}`
  }
  if (topologicalOrder(parents) === undefined) yield 'the network has a cycle; a concept cannot be its own ancestor'
}
