import {AdfaError} from '../../base/checks/index.ts'
import {
  type BayesNetwork,
  isPairNetwork,
  type Network,
  type PairNetwork,
  topologicalOrder
} from '../../base/network/index.ts'
import type {Anchors, Lexicon} from '../../read/data/index.ts'
import type {Loadings} from '../loadings/index.ts'
import {type WordWeights, weightFault} from '../robust/index.ts'

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

/** How words enter predictions: by their noisy-or links, or by word weights learned beside them. */
export type WordModel = NoisyOrWords | WordWeights

export interface NoisyOrWords {
  readonly kind: 'noisy-or'
  /** The probability from which to report a concept; set where labels chose the links. */
  readonly threshold?: number
}

/** P(X, Y) = P(Y) P(X|Y), with everything needed to read new documents as the training documents were read. */
export interface Model<N extends Network = Network> {
  readonly concepts: readonly Concept[]
  readonly network: N
  readonly loadings: Loadings
  readonly wordModel: WordModel
  /** Anchors, words and text options: how a document becomes binary variables. */
  readonly lexicon: Lexicon
  /** Function words and words in too few documents to be shown to people, by number; undefined if not known. */
  readonly unshownWords?: readonly number[] | undefined
  readonly seed: number
  /** The options of the fit, shown in reports and read by `predict`; plain JSON. */
  readonly options: Readonly<Record<string, unknown>>
  /** How far each stage's result can be trusted; plain JSON. */
  readonly certificate: Readonly<Record<string, unknown>>
}

/**
 * P(X, Y) = P(Y) P(X|Y) (Algorithm 1, line 4): puts the parts together and checks that they fit. Rates given with the
 * anchors move to the concepts, so that they are stored once.
 */
export function composeModel<N extends Network>(
  parts: Omit<Model<N>, 'wordModel'> & Partial<Pick<Model, 'wordModel'>>
): Model<N> {
  const lexicon = {...parts.lexicon, anchors: parts.lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))}
  const model: Model<N> = {wordModel: {kind: 'noisy-or'}, ...parts, lexicon}
  validateModel(model, 'model')
  return model
}

/** Returns the model's anchors with its rates, as in an anchors file: the input of a new fit of the same concepts. */
export function anchorsWithRates({lexicon, concepts}: Model): Anchors {
  return lexicon.anchors.map((anchor, i) => {
    const {truePositive, falsePositive} = concepts[i]
    return {...anchor, rates: {kind: 'rates', truePositive, falsePositive}}
  })
}

/** Refuses a model that is not a probability distribution over its concepts and words; `where` names it in errors. */
export function validateModel(model: Model, where: string): void {
  const [fault] = modelFaults(model)
  if (fault !== undefined) throw new AdfaError('bad-model', `${where}: ${fault}; fit the model again`)
}

function* modelFaults(model: Model): Generator<string> {
  const {concepts, lexicon, loadings, wordModel} = model
  const m = concepts.length
  const n = loadings.wordCount
  if (m === 0) yield 'a model needs at least one concept'
  if (new Set(concepts.map(({name}) => name)).size < m) yield 'two concepts have the same name'
  if (concepts.some(({name}) => name.includes('\n'))) yield 'the name of a concept is one line'
  for (const {name, truePositive, falsePositive, prevalence} of concepts) {
    if (![falsePositive, truePositive].every(rate => rate >= 0 && rate <= 1) || falsePositive === truePositive)
      yield `concept "${name}" needs falsePositive and truePositive in [0, 1] that differ; got ${falsePositive} and ${truePositive}`
    if (!(prevalence >= 0 && prevalence <= 1)) yield `concept "${name}" has prevalence ${prevalence}, not in [0, 1]`
  }
  yield* distributionFaults(model)
  yield* sizeFaults(model, [
    ['anchors', lexicon.anchors.length, m],
    ['words in the lexicon', lexicon.words.length, n]
  ])
  const {threshold = 0} = wordModel
  if (!(threshold >= 0 && threshold <= 1)) yield `the threshold must lie in [0, 1]; got ${threshold}`
  if (wordModel.kind === 'noisy-or') return
  const damage = weightFault(wordModel, lexicon.anchors, n)
  if (damage !== undefined) yield `its word weights are damaged: ${damage}`
}

type Parts = Pick<Model, 'concepts' | 'network' | 'loadings'>

function* distributionFaults(parts: Parts): Generator<string> {
  const {concepts, network, loadings} = parts
  const {conceptCount, wordCount: n, failure, leak} = loadings
  const m = concepts.length
  yield* isPairNetwork(network) ? pairFaults(network, parts) : directedFaults(network, parts)
  yield* sizeFaults(parts, [
    ['concepts in the loadings', conceptCount, m],
    ['failures', failure.length, m * n],
    ['leaks', leak.length, n]
  ])
  const cell = failure.findIndex(f => !(f > 0 && f <= 1))
  if (cell >= 0)
    yield `the failure of concept "${concepts[Math.floor(cell / n)].name}", word ${cell % n} must lie in (0, 1]; got ${failure[cell]}`
  const j = leak.findIndex(l => !(l >= 0 && l < 1))
  if (j >= 0) yield `the leak of word ${j} must lie in [0, 1); got ${leak[j]}`
}

/** Couplings and biases beyond these lose cells of the table of a pair in rounding. */
const [MOST_COUPLING, MOST_BIAS] = [20, 1e6]

function* pairFaults({biases, couplings, low, high, prevalence}: PairNetwork, parts: Parts): Generator<string> {
  const {concepts} = parts
  const m = concepts.length
  yield* sizeFaults(parts, [
    ['concepts in the network', prevalence.length, m],
    ['couplings in the network', couplings.length, m * m]
  ])
  const odd = prevalence.findIndex(p => !(p > 0 && p < 1))
  if (odd >= 0)
    yield `the prevalence of concept "${concepts[odd].name}" must lie strictly between 0 and 1; got ${prevalence[odd]}`
  const cell = couplings.findIndex((J, at) => !(Math.abs(J) <= MOST_COUPLING && low[at] > 0 && low[at] <= high[at]))
  if (cell >= 0) {
    const pair = `"${concepts[Math.floor(cell / m)].name}" and "${concepts[cell % m].name}"`
    yield `the coupling of ${pair} must be a log odds ratio of at most ${MOST_COUPLING} with an interval above 0; got ${couplings[cell]} (${low[cell]} to ${high[cell]})`
  }
  const wild = biases.findIndex(bias => !(Math.abs(bias) < MOST_BIAS))
  if (wild >= 0) yield `the bias of "${concepts[wild].name}" must be a number below 1e6 in size; got ${biases[wild]}`
}

function* directedFaults(network: BayesNetwork, parts: Parts): Generator<string> {
  const {concepts} = parts
  yield* sizeFaults(parts, [
    ['concepts in the network', network.parents.length, concepts.length],
    ['tables in the network', network.cpt.length, concepts.length]
  ])
  for (const [i, {name}] of concepts.entries()) {
    const parents = network.parents[i]
    const table = network.cpt[i]
    const rows = 2 ** parents.length
    if (new Set(parents).size < parents.length || !parents.every(k => k in concepts))
      yield `the parents of concept "${name}" must be concepts of the model, each once; got ${parents.join(', ')}`
    if (table.length !== rows) yield `the table of concept "${name}" must have length ${rows}; got ${table.length}`
    const odd = table.find(p => !(p > 0 && p < 1))
    if (odd !== undefined) yield `the table of concept "${name}" must hold numbers strictly between 0 and 1; got ${odd}`
  }
  if (topologicalOrder(network.parents) === undefined)
    yield 'the network has a cycle; a concept cannot be its own ancestor'
}

type Size = readonly [what: string, size: number, right: number]

function* sizeFaults({concepts, loadings}: Parts, sizes: readonly Size[]): Generator<string> {
  for (const [what, size, right] of sizes)
    if (size !== right)
      yield `${what}: expected ${right} for ${concepts.length} concepts and ${loadings.wordCount} words; got ${size}`
}
