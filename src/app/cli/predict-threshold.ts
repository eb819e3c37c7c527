import {InvalidArgumentError} from 'commander'
import type {EvidenceUse} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {evenRule, type TagRule, tagRule} from '../../use/prediction/index.ts'
import {share, usageError} from './common-options.ts'

/** A probability, or the rule of the model. */
export type Threshold = 'best' | number

export interface ThresholdOptions {
  readonly threshold?: Threshold
  readonly words: EvidenceUse['wordModel']
}

export function parseThreshold(text: string): Threshold {
  if (text === 'best') return text
  try {
    return share(text)
  } catch {
    throw new InvalidArgumentError('It must be "best" or a probability from 0 to 1.')
  }
}

/** The rule of tags: a probability for all concepts, or the rule of the model. */
export function readRule(model: Model, asked: Threshold | undefined, {words}: ThresholdOptions): TagRule {
  if (typeof asked === 'number') return evenRule(model.concepts.length, asked)
  const otherwise = 'give a probability, such as --threshold 0.5'
  if (asked === 'best' && model.wordModel.threshold === undefined)
    throw usageError(
      `--threshold best: this model has no threshold; only models fitted with --words weights have one; ${otherwise}`
    )
  if (words !== 'noisy-or' || model.wordModel.kind === 'noisy-or') return tagRule(model)
  if (asked === 'best')
    throw usageError(
      `--threshold best: the threshold of the model is for its word weights, not for its noisy-or links; leave --words out, or ${otherwise}`
    )
  return evenRule(model.concepts.length, 0.5)
}
