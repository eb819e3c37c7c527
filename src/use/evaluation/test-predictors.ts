import type {Model} from '../../learn/model/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Predictor} from '../prediction/index.ts'

/** A document in which nothing fired and no word occurs. */
export const nothing: Evidence = {words: [], anchors: [], members: []}

/** A predictor that always gives the same answers. */
export function constantPredictor(posterior: readonly number[], lastTag: readonly number[], logTags = -1): Predictor {
  return {posterior: () => posterior, lastTag: () => lastTag, logTags: () => logTags}
}

/** The model with these prevalences in place of its own; its network stays as it is. */
export function withPrevalences(model: Model, prevalences: readonly number[]): Model {
  return {...model, concepts: model.concepts.map((concept, i) => ({...concept, prevalence: prevalences[i]}))}
}
