import type {Evidence} from '../data/index.ts'
import {createInference, createLastTagScorer, type EvidenceUse} from '../inference/index.ts'
import type {Model} from '../model/index.ts'
import {clamp} from '../numeric/index.ts'
import {logPrior} from '../structure/index.ts'

/** Anything that can be asked the three questions of Section 5. */
export interface Predictor {
  /** P(Y_i = 1 | document) of every concept. */
  posterior(evidence: Evidence): ArrayLike<number>
  /** A score for each concept as the one missing tag; the highest that is not given wins. */
  lastTag(evidence: Evidence, given: readonly number[]): ArrayLike<number>
  /** log P(y) of a document's tags. */
  logTags(y: ArrayLike<number>): number
}

/** A model as a predictor, its anchors and words used or not. */
export function modelPredictor(model: Model, use: EvidenceUse = {anchors: 'used', words: 'used'}): Predictor {
  const inference = createInference(model, use)
  const scorer = createLastTagScorer(model, use)
  return {
    posterior: evidence => inference.posterior(evidence).probabilities,
    lastTag: (evidence, given) => scorer.score(evidence, given),
    logTags: y => logPrior(model.network, y)
  }
}

/** What needs no learning beyond the rates: the prior alone, and the anchors with it; concepts independent in both. */
export function simpleBaselines(model: Model): Record<'prior' | 'anchors-only', Predictor> {
  const independent = independentModel(model)
  return {
    prior: modelPredictor(independent, {anchors: 'hidden', words: 'hidden'}),
    'anchors-only': modelPredictor(independent, {anchors: 'used', words: 'hidden'})
  }
}

/** The same concepts and anchors, without any edge between the concepts. */
function independentModel(model: Model): Model {
  return {
    ...model,
    network: {
      parents: model.latents.map(() => []),
      cpt: model.latents.map(({prevalence}) => Float64Array.of(clamp(prevalence, 1e-6, 1 - 1e-6)))
    }
  }
}
