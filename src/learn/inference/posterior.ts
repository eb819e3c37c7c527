import {above, checkOptions, oneOf, type Rules} from '../../base/checks/index.ts'
import type {Model, WordModel} from '../model/index.ts'

/** Which evidence counts, and how words enter. */
export interface EvidenceUse {
  /** 'model': as the model was fitted; 'noisy-or': by its noisy-or links, which every model has. */
  readonly wordModel: 'model' | 'noisy-or'
  /** 'hidden': treats whether the anchors fired as unknown. */
  readonly anchors: 'used' | 'hidden'
  /** 'hidden': treats which words occur as unknown. */
  readonly words: 'used' | 'hidden'
}

/** How a posterior of noisy-or words is computed. */
export type InferenceMethod = 'exact' | 'message-passing'

export interface InferenceOptions extends EvidenceUse {
  /** 'auto' is exact for at most 10 concepts without a label, and passes messages beyond. */
  readonly method: 'auto' | InferenceMethod
  /** Message passing stops after a sweep that changes no probability by more than this. */
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
 * Labels of a document: one entry per concept, 1 present, 0 absent, -1 unknown. They are returned unchanged, and
 * everything else is conditioned on them.
 */
export type ConceptLabels = Int8Array | readonly number[]

/** The probabilities of a document's concepts, and how far they can be trusted. */
export interface Posterior {
  /** P(Y_i = 1 | document), one per concept. */
  readonly probabilities: Float64Array
  readonly certificate: PosteriorCertificate
  /** Exact only: log P(words, anchors, labels), without hidden evidence. */
  readonly logEvidence?: number
}

export interface PosteriorCertificate {
  readonly method: 'weights' | InferenceMethod
  /**
   * Word weights are 'exact', or 'approximate' where messages are passed over pairs or over a network too wide for exact sums.
   * Message passing has 'converged' or not (docs/inference.md has the errors of both).
   */
  readonly status: 'exact' | 'approximate' | 'converged' | 'step-limit'
  /** States summed, or sweeps of message passing over all factors. */
  readonly steps: number
  /** Message passing: the largest change of a probability in the last sweep. */
  readonly residual?: number
}
