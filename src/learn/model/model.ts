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
import {type WordWeights, weightFault} from '../words/index.ts'

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

/** The model's anchors with its rates, as in an anchors file: the input of a new fit of the same concepts. */
export function anchorsWithRates({lexicon, concepts}: Model): Anchors {
  return lexicon.anchors.map((anchor, i) => {
    const {truePositive, falsePositive} = concepts[i]
    return {...anchor, rates: {kind: 'rates', truePositive, falsePositive}}
  })
}

/** Refuses a model that is not a probability distribution over its concepts and words; `where` names it in errors. */
export function validateModel(model: Model, where: string): void {
  const fault = modelFault(model)
  if (fault !== undefined) throw new AdfaError('bad-model', `${where}: ${fault}; fit the model again`)
}

function modelFault(model: Model): string | undefined {
  const {concepts, lexicon, loadings, wordModel} = model
  const m = concepts.length
  const n = loadings.wordCount
  if (m === 0) return 'a model needs at least one concept'
  if (new Set(concepts.map(({name}) => name)).size < m) return 'two concepts have the same name'
  if (concepts.some(({name}) => name.includes('\n'))) return 'the name of a concept is one line'
  for (const {name, truePositive, falsePositive, prevalence} of concepts) {
    if (![falsePositive, truePositive].every(rate => rate >= 0 && rate <= 1) || falsePositive === truePositive)
      return `concept "${name}" needs falsePositive and truePositive in [0, 1] that differ; got ${falsePositive} and ${truePositive}`
    if (!(prevalence >= 0 && prevalence <= 1)) return `concept "${name}" has prevalence ${prevalence}, not in [0, 1]`
  }
  const fault =
    distributionFault(model) ??
    sizeFault(model, [
      ['anchors', lexicon.anchors.length, m],
      ['words in the lexicon', lexicon.words.length, n]
    ])
  if (fault !== undefined) return fault
  const {threshold = 0} = wordModel
  if (!(threshold >= 0 && threshold <= 1)) return `the threshold must lie in [0, 1]; got ${threshold}`
  if (wordModel.kind === 'noisy-or') return undefined
  const damage = weightFault(wordModel, lexicon.anchors, n)
  return damage && `its word weights are damaged: ${damage}`
}

type Parts = Pick<Model, 'concepts' | 'network' | 'loadings'>

/** Why P(Y) P(X|Y), anchors aside, is not a distribution, in words; undefined if it is one. Cost: O(m n). */
export function distributionFault(parts: Parts): string | undefined {
  const {concepts, network, loadings} = parts
  const m = concepts.length
  const n = loadings.wordCount
  const size = sizeFault(parts, [
    ...networkSizes(network, m),
    ['concepts in the loadings', loadings.conceptCount, m],
    ['failures', loadings.failure.length, m * n],
    ['leaks', loadings.leak.length, n]
  ])
  if (size !== undefined) return size
  const fault = isPairNetwork(network) ? pairFault(network, concepts) : directedFault(network, concepts)
  if (fault !== undefined) return fault
  const {failure, leak} = loadings
  const cell = failure.findIndex(f => !(f > 0 && f <= 1))
  if (cell >= 0)
    return `the failure of concept "${concepts[Math.floor(cell / n)].name}", word ${cell % n} must lie in (0, 1]; got ${failure[cell]}`
  const j = leak.findIndex(l => !(l >= 0 && l < 1))
  return j < 0 ? undefined : `the leak of word ${j} must lie in [0, 1); got ${leak[j]}`
}

function networkSizes(network: Network, m: number): Size[] {
  if (isPairNetwork(network))
    return [
      ['concepts in the network', network.prevalence.length, m],
      ['couplings in the network', network.couplings.length, m * m]
    ]
  return [
    ['concepts in the network', network.parents.length, m],
    ['tables in the network', network.cpt.length, m]
  ]
}

function pairFault(
  {biases, couplings, low, high, prevalence}: PairNetwork,
  concepts: Model['concepts']
): string | undefined {
  const m = concepts.length
  const odd = prevalence.findIndex(p => !(p > 0 && p < 1))
  if (odd >= 0)
    return `the prevalence of concept "${concepts[odd].name}" must lie strictly between 0 and 1; got ${prevalence[odd]}`
  // Beyond this, cells of the table of a pair are lost in rounding.
  const wild = biases.findIndex(bias => !(Math.abs(bias) < 1e6))
  const cell = couplings.findIndex((J, at) => !(Math.abs(J) <= 20 && low[at] > 0 && low[at] <= high[at]))
  if (cell < 0)
    return wild < 0
      ? undefined
      : `the bias of "${concepts[wild].name}" must be a number below 1e6 in size; got ${biases[wild]}`
  const pair = `"${concepts[Math.floor(cell / m)].name}" and "${concepts[cell % m].name}"`
  return `the coupling of ${pair} must be a log odds ratio of at most 20 with an interval above 0; got ${couplings[cell]} (${low[cell]} to ${high[cell]})`
}

function directedFault(network: BayesNetwork, concepts: Model['concepts']): string | undefined {
  for (const [i, {name}] of concepts.entries()) {
    const parents = network.parents[i]
    const table = network.cpt[i]
    const rows = 2 ** parents.length
    if (new Set(parents).size < parents.length || !parents.every(k => k in concepts))
      return `the parents of concept "${name}" must be concepts of the model, each once; got ${parents.join(', ')}`
    if (table.length !== rows) return `the table of concept "${name}" must have length ${rows}; got ${table.length}`
    const odd = table.find(p => !(p > 0 && p < 1))
    if (odd !== undefined)
      return `the table of concept "${name}" must hold numbers strictly between 0 and 1; got ${odd}`
  }
  if (topologicalOrder(network.parents) === undefined)
    return 'the network has a cycle; a concept cannot be its own ancestor'
  return undefined
}

type Size = readonly [what: string, size: number, right: number]

function sizeFault({concepts, loadings}: Parts, sizes: readonly Size[]): string | undefined {
  const wrong = sizes.find(([, size, right]) => size !== right)
  if (wrong === undefined) return undefined
  const [what, size, right] = wrong
  return `${what}: expected ${right} for ${concepts.length} concepts and ${loadings.wordCount} words; got ${size}`
}
