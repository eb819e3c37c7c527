import {clamp} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {modelPredictor, type Predictor} from '../prediction/index.ts'

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
    wordModel: {kind: 'noisy-or'},
    network: {
      parents: model.concepts.map(() => []),
      cpt: model.concepts.map(({prevalence}) => Float64Array.of(clamp(prevalence, 1e-6, 1 - 1e-6)))
    }
  }
}
