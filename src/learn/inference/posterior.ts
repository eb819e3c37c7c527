import {above, checkOptions, oneOf, type Rules} from '../../base/checks/index.ts'
import type {Model, WordModel} from '../model/index.ts'

/** Says which evidence is used, and by which word model. */
export interface EvidenceUse {
  /** 'model' uses the word model of the fit, 'noisy-or' the noisy-or links, which every model has. */
  readonly wordModel: 'model' | 'noisy-or'
  /** 'hidden' treats the anchors, or the words, as unobserved. */
  readonly anchors: 'used' | 'hidden'
  readonly words: 'used' | 'hidden'
}

export type InferenceMethod = 'exact' | 'message-passing'

export interface InferenceOptions extends EvidenceUse {
  /** 'auto' is exact for at most 10 concepts without a label, and message passing for more. */
  readonly method: 'auto' | InferenceMethod
  /** Message passing ends after a sweep that changes no probability by more than this. */
  readonly tolerance: number
}

const inferenceDefaults: InferenceOptions = {
  method: 'auto',
  wordModel: 'model',
  anchors: 'used',
  words: 'used',
  tolerance: 1e-4
}

const inferenceRules: Rules<InferenceOptions> = {
  wordModel: oneOf('model', 'noisy-or'),
  anchors: oneOf('used', 'hidden'),
  words: oneOf('used', 'hidden'),
  method: oneOf('auto', 'exact', 'message-passing'),
  tolerance: above(0)
}

export function checkInferenceOptions(options: Partial<InferenceOptions>): InferenceOptions {
  return checkOptions('inference', inferenceDefaults, inferenceRules, options)
}

/** Returns the word model that predictions use: the model's own, or its links. */
export function wordModelOf(model: Model, asked: EvidenceUse['wordModel']): WordModel {
  return asked === 'model' ? model.wordModel : {kind: 'noisy-or'}
}

/**
 * The labels of a document, one per concept: 1 present, 0 absent, -1 unknown. Known labels are returned unchanged, and the other
 * concepts are conditioned on them.
 */
export type ConceptLabels = Int8Array | readonly number[]

/** The probabilities of a document's concepts, and how exact they are. */
export interface Posterior {
  /** P(Y_i = 1 | document), one per concept. */
  readonly probabilities: Float64Array
  readonly certificate: PosteriorCertificate
  /** log P(words, anchors, labels), without hidden evidence; only the exact method computes it. */
  readonly logEvidence?: number
}

export interface PosteriorCertificate {
  readonly method: 'weights' | InferenceMethod
  /**
   * With word weights, 'approximate' if messages are passed over pairs, or over a network too wide for exact sums, else 'exact'.
   * With noisy-or links, message passing has 'converged' or reached the 'step-limit' (docs/inference.md has the errors of both).
   */
  readonly status: 'exact' | 'approximate' | 'converged' | 'step-limit'
  /** The number of states that were summed, or of sweeps of message passing. */
  readonly steps: number
  /** The largest change of a probability in the last sweep of message passing. */
  readonly residual?: number
}
