import {rng} from '../../base/numeric/index.ts'
import {type Counts, countCorpus} from '../../read/counts/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {randomModel, sampleModel} from '../../use/synthetic/index.ts'
import type {Model} from '../model/index.ts'
import type {NoiseRates} from '../noise/index.ts'

export interface Drawn {
  readonly model: Model
  readonly corpus: Corpus
  readonly counts: Counts
  readonly rates: NoiseRates
}

/** Draws documents with labels from a random tree model, with the true rates of its anchors. */
export function drawDocuments(seed: number, documents: number, concepts = 6, words = 40): Drawn {
  const model = randomModel({concepts, words, wordsPerConcept: Math.ceil(words / 4)}, rng(seed))
  const corpus = {
    lexicon: model.lexicon,
    documents: Array.from(sampleModel(model, documents, rng(seed)), ({y, evidence}, d) => ({
      key: `document-${d}`,
      ...evidence,
      labels: Int8Array.from(y)
    }))
  }
  return {model, corpus, counts: countCorpus(corpus), rates: ratesOf(model)}
}

export function ratesOf({concepts}: Model): NoiseRates {
  return {
    truePositive: Float64Array.from(concepts, concept => concept.truePositive),
    falsePositive: Float64Array.from(concepts, concept => concept.falsePositive),
    prevalence: Float64Array.from(concepts, concept => concept.prevalence)
  }
}

export function mean(values: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < values.length; at++) sum += values[at]
  return sum / values.length
}
