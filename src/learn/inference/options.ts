import {above, atLeast, checkOptions, oneOf, type Rules, whole} from '../../base/checks/index.ts'
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

/** How a posterior is computed. */
export type InferenceMethod = 'exact' | 'message-passing' | 'gibbs'

export interface InferenceOptions extends EvidenceUse {
  /** For noisy-or words. 'auto': exact for at most `exactLimit` unlabelled concepts, message passing beyond. */
  readonly method: 'auto' | InferenceMethod
  /** Unlabelled concepts up to which 'auto' enumerates. */
  readonly exactLimit: number
  /** Message passing: the largest number of sweeps. */
  readonly stepLimit: number
  /** Message passing: stops after a sweep that changes no probability by more than this. */
  readonly tolerance: number
  /** Message passing: share of the old log-message that is kept once probabilities oscillate. */
  readonly damping: number
  /** Gibbs: independent chains, each from its own random start. */
  readonly chains: number
  /** Gibbs: sweeps of each chain that count. */
  readonly sweeps: number
  /** Gibbs: sweeps of each chain before those that count. */
  readonly burnIn: number
  /** Gibbs: the same document and seed give the same answer, whatever was asked before. */
  readonly seed: number
}

export const inferenceDefaults: InferenceOptions = {
  method: 'auto',
  wordModel: 'model',
  anchors: 'used',
  words: 'used',
  exactLimit: 10,
  stepLimit: 200,
  tolerance: 1e-4,
  damping: 0.5,
  chains: 4,
  sweeps: 1000,
  burnIn: 100,
  seed: 0
}

/** Unlabelled concepts beyond which enumeration is refused: 2^20 states take a fifth of a second per document. */
export const ENUMERATION_LIMIT = 20

export const evidenceRules: Rules<EvidenceUse> = {
  wordModel: oneOf('model', 'noisy-or'),
  anchors: oneOf('used', 'hidden'),
  words: oneOf('used', 'hidden')
}

const rules: Rules<InferenceOptions> = {
  ...evidenceRules,
  method: oneOf('auto', 'exact', 'message-passing', 'gibbs'),
  exactLimit: whole(0, ENUMERATION_LIMIT),
  stepLimit: whole(1),
  tolerance: above(0),
  damping: [value => atLeast(0)[0](value) && Number(value) < 1, 'a number in [0, 1)'],
  chains: whole(1),
  sweeps: whole(10),
  burnIn: whole(0),
  seed: whole()
}

export function checkInferenceOptions(options: Partial<InferenceOptions>): InferenceOptions {
  return checkOptions('inference', inferenceDefaults, rules, options)
}

export function wordModelOf(model: Model, asked: EvidenceUse['wordModel']): WordModel {
  return asked === 'model' ? model.wordModel : {kind: 'noisy-or'}
}
