import type {BayesNetwork} from '../../base/network/index.ts'
import type {Lexicon} from '../../read/data/index.ts'
import type {Loadings} from '../loadings/index.ts'
import type {WordWeights} from '../words/index.ts'

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
