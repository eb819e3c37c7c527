import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import type {Model, WordModel} from '../model/index.ts'

/** How a posterior is computed. */
export type InferenceMethod = 'exact' | 'message-passing' | 'gibbs'

export interface InferenceOptions extends EvidenceUse {
  /** Noisy-or words. 'auto': exact for at most `exactLimit` unknown concepts, message passing beyond. */
  readonly method: 'auto' | InferenceMethod
  /** Unknown concepts up to which 'auto' enumerates. */
  readonly exactLimit: number
  /** Message passing: sweeps after which it gives up. */
  readonly stepLimit: number
  /** Message passing: a sweep that moves no probability by more than this is the last. */
  readonly tolerance: number
  /** Message passing: share of the old log-message that is kept, once probabilities swing to and fro. */
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

/** Unknown concepts beyond which enumeration is refused: 2^20 states are a fifth of a second a document. */
export const ENUMERATION_LIMIT = 20

type Rule = readonly [holds: (value: unknown) => boolean, words: string]

const RULES: Readonly<Record<keyof InferenceOptions, Rule>> = {
  method: oneOf('auto', 'exact', 'message-passing', 'gibbs'),
  wordModel: oneOf('model', 'noisy-or'),
  anchors: oneOf('used', 'hidden'),
  words: oneOf('used', 'hidden'),
  exactLimit: whole(0, ENUMERATION_LIMIT),
  stepLimit: whole(1),
  tolerance: [value => typeof value === 'number' && value > 0, 'a number above 0'],
  damping: [value => typeof value === 'number' && value >= 0 && value < 1, 'a number in [0, 1)'],
  chains: whole(1),
  sweeps: whole(10),
  burnIn: whole(0),
  seed: [value => Number.isSafeInteger(value), 'a whole number']
}

/** The full options: what is given, checked, over {@link inferenceDefaults}. */
export function checkInferenceOptions(options: Partial<InferenceOptions>): InferenceOptions {
  const full = withDefaults('inference', inferenceDefaults, options)
  for (const [name, [holds, words]] of Object.entries(RULES)) {
    const value = full[name as keyof InferenceOptions]
    if (!holds(value))
      throw new AdfaError('bad-option', `inference option "${name}" must be ${words}; got ${JSON.stringify(value)}`)
  }
  return full
}

function oneOf(...choices: readonly string[]): Rule {
  return [value => choices.some(choice => choice === value), choices.map(choice => `'${choice}'`).join(' or ')]
}

function whole(low: number, high = Number.MAX_SAFE_INTEGER): Rule {
  const words = high === Number.MAX_SAFE_INTEGER ? `a whole number from ${low} on` : `a whole number, ${low} to ${high}`
  return [value => Number.isSafeInteger(value) && Number(value) >= low && Number(value) <= high, words]
}

/** Which evidence counts, and how words speak. */
export interface EvidenceUse {
  /** 'model': as the model was learned to; 'noisy-or': by its noisy-or links, which every model has. */
  readonly wordModel: 'model' | 'noisy-or'
  /** 'hidden': whether the anchors fired is taken as unknown. */
  readonly anchors: 'used' | 'hidden'
  /** 'hidden': which words occur is taken as unknown. */
  readonly words: 'used' | 'hidden'
}

export function wordModelOf(model: Model, asked: EvidenceUse['wordModel']): WordModel {
  return asked === 'model' ? model.wordModel : {kind: 'noisy-or'}
}
