import {logPrior} from '../../base/network/index.ts'
import type {EvidenceUse} from '../../learn/inference/index.ts'
import {createInference} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {createLastTagScorer} from './last-tag.ts'

/** Anything that can be asked the three questions of Section 5. */
export interface Predictor {
  /** P(Y_i = 1 | document) of every concept. */
  posterior(evidence: Evidence): ArrayLike<number>
  /** A score for each concept as the one missing tag; the highest that is not given wins. */
  lastTag(evidence: Evidence, given: readonly number[]): ArrayLike<number>
  /** log P(y) of a document's tags. */
  logTags(y: ArrayLike<number>): number
  /** The probability from which on a concept is best reported, if F1 is what counts; found without any tag. */
  readonly threshold?: number
}

/** A model as a predictor, its anchors and words used or not. */
export function modelPredictor(model: Model, use: Partial<EvidenceUse> = {}): Predictor {
  const inference = createInference(model, use)
  const scorer = createLastTagScorer(model, use)
  const threshold = ownThreshold(model, use)
  return {
    posterior: evidence => inference.posterior(evidence).probabilities,
    lastTag: (evidence, given) => scorer.score(evidence, given),
    logTags: y => logPrior(model.network, y),
    ...(threshold === undefined ? {} : {threshold})
  }
}

/** A model's threshold was learned for predictions with everything in sight. */
function ownThreshold({wordModel}: Model, use: Partial<EvidenceUse>): number | undefined {
  const isWhole = use.wordModel !== 'noisy-or' && use.anchors !== 'hidden' && use.words !== 'hidden'
  return isWhole && wordModel.kind === 'weights' ? wordModel.threshold : undefined
}
