import {InvalidArgumentError} from 'commander'
import {percent} from '../../base/text/index.ts'
import type {EvidenceUse} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {exclusiveGroups} from '../../read/data/index.ts'
import {share, usageError} from './common-options.ts'

/** A probability, or the threshold of the model. */
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

/** The threshold of the model, or of a model without one the probability from which a concept is more likely than not. */
export function usualThreshold({wordModel}: Model, {words}: ThresholdOptions): Threshold {
  const isOwn = words !== 'noisy-or' || wordModel.kind === 'noisy-or'
  return isOwn && wordModel.threshold !== undefined ? 'best' : 0.5
}

export function readThreshold(model: Model, threshold: Threshold, {words}: ThresholdOptions): number {
  if (threshold !== 'best') return threshold
  const otherwise = 'give a probability, such as --threshold 0.5'
  if (model.wordModel.threshold === undefined)
    throw usageError(
      `--threshold best: this model has no threshold; only models fitted with --words weights have one; ${otherwise}`
    )
  if (words === 'noisy-or' && model.wordModel.kind !== 'noisy-or')
    throw usageError(
      `--threshold best: the threshold of the model is for its word weights, not for its noisy-or links; leave --words out, or ${otherwise}`
    )
  return model.wordModel.threshold
}

/** Which concepts are tags, in words: "from a probability of 44% on", or "by the most probable class". */
export function tagRule({lexicon: {anchors}}: Model, threshold: number): string {
  const groups = exclusiveGroups(anchors)
  const classes = groups.reduce((sum, {concepts}) => sum + concepts.length, 0)
  if (classes === anchors.length) return `by the most probable class${groups.length > 1 ? ' of each group' : ''}`
  const others = classes === 0 ? '' : ', of an exclusive group by the most probable class'
  return `from a probability of ${percent(threshold)} on${others}`
}
