import type {Model} from './model.ts'
import {validateModel} from './validate-model.ts'

/**
 * P(X, Y) = P(Y) P(X|Y) (Algorithm 1, line 4): put the parts together and check that they fit. The rates that anchors
 * were given move to the concepts, so that they stand in one place.
 */
export function composeModel(parts: Omit<Model, 'wordModel'> & Partial<Pick<Model, 'wordModel'>>): Model {
  const lexicon = {...parts.lexicon, anchors: parts.lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))}
  const model: Model = {wordModel: {kind: 'noisy-or'}, ...parts, lexicon}
  validateModel(model, 'model')
  return model
}
