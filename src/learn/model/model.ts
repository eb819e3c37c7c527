import {AdfaError} from '../../base/checks/index.ts'
import {type BayesNetwork, topologicalOrder} from '../../base/network/index.ts'
import type {Anchors, Lexicon} from '../../read/data/index.ts'
import type {Loadings} from '../loadings/index.ts'
import {type WordWeights, weightFault} from '../words/index.ts'

/** One hidden concept and the rates of its anchor. */
export interface Concept {
  readonly name: string
  /** P(A = 1 | Y = 1). */
  readonly truePositive: number
  /** P(A = 1 | Y = 0). */
  readonly falsePositive: number
  /** P(Y = 1). */
  readonly prevalence: number
}

/** How words speak when predicting: by their noisy-or links, or in log-odds learned beside them. */
export type WordModel = {readonly kind: 'noisy-or'} | WordWeights

/** P(X, Y) = P(Y) P(X|Y), with all that is needed to read new documents as the training documents were read. */
export interface Model {
  readonly concepts: readonly Concept[]
  readonly network: BayesNetwork
  readonly loadings: Loadings
  readonly wordModel: WordModel
  /** Anchors, words and text options: how a document becomes binary variables. */
  readonly lexicon: Lexicon
  readonly seed: number
  /** What the model was fitted with, for people and for `predict`; plain JSON. */
  readonly options: Readonly<Record<string, unknown>>
  /** How far each stage's result can be trusted; plain JSON. */
  readonly certificate: Readonly<Record<string, unknown>>
}

/**
 * P(X, Y) = P(Y) P(X|Y) (Algorithm 1, line 4): put the parts together and check that they fit. The rates that anchors
 * were given move to the concepts, so that they stand in one place.
 */
export function composeModel(parts: Omit<Model, 'wordModel'> & Partial<Pick<Model, 'wordModel'>>): Model {
  const lexicon = {...parts.lexicon, anchors: parts.lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))}
  const model: Model = {wordModel: {kind: 'noisy-or'}, ...parts, lexicon}
  validateModel(model, 'model')
  return model
}

/** Refuse a model that is not a probability distribution over its concepts and words; `where` names it in errors. */
export function validateModel(model: Model, where: string): void {
  const {concepts, network, loadings, lexicon, wordModel} = model
  const refuse = (fault: string) => new AdfaError('bad-model', `${where}: ${fault}; fit the model again`)
  const m = concepts.length
  const n = lexicon.words.length
  if (m === 0) throw refuse('a model needs at least one concept')
  if (new Set(concepts.map(({name}) => name)).size < m) throw refuse('two concepts have the same name')
  if (lexicon.anchors.length !== m || network.parents.length !== m || network.cpt.length !== m)
    throw refuse(
      `anchors, network and concepts must be of one length; got ${lexicon.anchors.length}, ${network.parents.length}, ${m}`
    )
  if (loadings.leak.length !== n || loadings.failure.length !== m * n)
    throw refuse(
      `${m} concepts and ${n} words need ${m * n} failures and ${n} leaks; got ${loadings.failure.length} and ${loadings.leak.length}`
    )
  for (const {name, truePositive, falsePositive, prevalence} of concepts) {
    if (!(falsePositive >= 0 && truePositive > falsePositive && truePositive <= 1))
      throw refuse(
        `concept "${name}" needs 0 <= falsePositive < truePositive <= 1; got ${falsePositive} and ${truePositive}`
      )
    if (!(prevalence >= 0 && prevalence <= 1))
      throw refuse(`concept "${name}" has prevalence ${prevalence}, not in [0, 1]`)
  }
  network.parents.forEach((parents, i) => {
    if (new Set(parents).size < parents.length || !parents.every(k => Number.isInteger(k) && k >= 0 && k < m))
      throw refuse(`the parents of concept "${concepts[i].name}" must be concepts of the model, each once`)
  })
  network.cpt.forEach((cpt, i) => {
    if (cpt.length !== 2 ** network.parents[i].length || !cpt.every(p => p > 0 && p < 1))
      throw refuse(
        `concept "${concepts[i].name}" needs ${2 ** network.parents[i].length} probabilities strictly between 0 and 1`
      )
  })
  if (topologicalOrder(network.parents) === undefined) throw refuse('the network has a cycle')
  if (!loadings.failure.every(f => f > 0 && f <= 1)) throw refuse('a failure probability lies outside (0, 1]')
  if (!loadings.leak.every(l => l >= 0 && l < 1)) throw refuse('a leak probability lies outside [0, 1)')
  const fault = wordModel.kind === 'weights' ? weightFault(wordModel, m, n) : undefined
  if (fault !== undefined) throw refuse(`its word weights are damaged: ${fault}`)
}

/** The model's anchors together with its rates, as an anchors file has them: what a new fit of the same concepts needs. */
export function anchorsWithRates({lexicon, concepts}: Model): Anchors {
  return lexicon.anchors.map((anchor, i) => {
    const {truePositive, falsePositive} = concepts[i]
    return {...anchor, rates: {kind: 'rates', truePositive, falsePositive}}
  })
}
