import type {LatentNetwork} from '../../base/network/index.ts'
import type {Lexicon} from '../../read/data/index.ts'
import type {Loadings} from '../loadings/index.ts'
import type {LogOddsChannel} from '../words/index.ts'

/** One hidden concept and its anchor channel. */
export interface Latent {
  readonly name: string
  /** P(A = 1 | Y = 1). */
  readonly truePositive: number
  /** P(A = 1 | Y = 0). */
  readonly falsePositive: number
  /** P(Y = 1). */
  readonly prevalence: number
}

/** How words speak when predicting: by their noisy-or links, or in log-odds learned beside them. */
export type Channel = {readonly kind: 'noisy-or'} | LogOddsChannel

/** P(X, Y) = P(Y) P(X|Y), with all that is needed to read new documents as the training documents were read. */
export interface Model {
  readonly latents: readonly Latent[]
  readonly network: LatentNetwork
  readonly loadings: Loadings
  readonly channel: Channel
  /** Anchors, words and text options: how a document becomes binary variables. */
  readonly lexicon: Lexicon
  readonly seed: number
  /** What the model was fitted with, for people and for `predict`; plain JSON. */
  readonly options: Readonly<Record<string, unknown>>
  /** How far each stage's result can be trusted; plain JSON. */
  readonly certificate: Readonly<Record<string, unknown>>
}
