import {learnable} from '../../../test/learnable.ts'
import type {BayesNetwork} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {randomModel, sampleModel} from '../synthetic/index.ts'

/** A model that can be learned, with enough words to tell its concepts apart. */
export function learnableModel(seed = 2): Model<BayesNetwork> {
  return randomModel({...learnable, words: 40, wordsPerConcept: 12}, rng(seed))
}

/** Tagged documents of a model. */
export function corpusOf(model: Model, count: number, seed = 1): Corpus {
  const samples = [...sampleModel(model, count, rng(seed))]
  return {
    lexicon: model.lexicon,
    documents: samples.map(({y, evidence}, d) => ({key: String(d), ...evidence, labels: Int8Array.from(y)}))
  }
}
