import type {Corpus} from '../data/index.ts'
import {type Model, randomModel, sampleModel} from '../model/index.ts'
import {rng} from '../numeric/index.ts'
import {learnable} from '../test-learnable.ts'

/** A model that can be learned, with enough words to tell its concepts apart. */
export function learnableModel(seed = 2): Model {
  return randomModel({...learnable, words: 40, wordsPerConcept: 12}, rng(seed))
}

/** Documents of a model; their tags are all known. */
export function corpusOf(model: Model, count: number, seed = 1): Corpus {
  const samples = [...sampleModel(model, count, rng(seed))]
  return {
    lexicon: model.lexicon,
    documents: samples.map(({y, evidence}, d) => ({key: String(d), evidence, truth: Int8Array.from(y)}))
  }
}
