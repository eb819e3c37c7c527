import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {fit} from '../../learn/fit.ts'
import type {Model} from '../../learn/model/index.ts'
import {anchorsWithRates} from '../../learn/model/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {randomModel, sampleModel} from '../synthetic/index.ts'
import {fitIndependent} from './fit-independent.ts'

/** Documents of a random model and, fitted on half of them, a model that has a network. */
function example(): {model: Model; half: Corpus['documents']; rest: Corpus['documents']} {
  const truth = randomModel({concepts: 5, words: 30, wordsPerConcept: 8, prevalence: [0.1, 0.3]}, rng(3))
  const lexicon = {...truth.lexicon, anchors: anchorsWithRates(truth)}
  const documents = Array.from(sampleModel(truth, 3000, rng(4)), ({evidence, y}, d) => ({
    key: String(d),
    evidence,
    truth: Int8Array.from(y)
  }))
  const half = documents.slice(0, 1500)
  const model = fit(countCorpus({lexicon, documents: half}), {structure: 'tree', leakFloor: 0.17, shrinkage: 0.02})
  return {model, half, rest: documents.slice(1500)}
}

test('fitIndependent(...) keeps rates and words, drops every edge, and reads words by noisy-or', () => {
  const {model, rest} = example()
  const independent = fitIndependent(model, rest)
  expect(model.network.parents.flat()).not.toEqual([])
  expect(independent.network.parents).toEqual(model.concepts.map(() => []))
  expect(model.wordModel.kind).toBe('weights')
  expect(independent.wordModel).toEqual({kind: 'noisy-or'})
  expect(independent.lexicon.words).toEqual(model.lexicon.words)
  const rates = ({concepts}: Model) => concepts.map(({name, truePositive: t, falsePositive: e}) => [name, t, e])
  expect(rates(independent)).toEqual(rates(model))
})

test('fitIndependent(...) learns from the documents it is given, under the options of the model', () => {
  const {model, half, rest} = example()
  const independent = fitIndependent(model, rest)
  expect(independent.options).toMatchObject({leakFloor: 0.17, shrinkage: 0.02, documents: 1500})
  expect(independent.loadings).not.toEqual(fitIndependent(model, half).loadings)
  const untagged = rest.map(({key, evidence}) => ({key, evidence, truth: undefined}))
  expect(fitIndependent(model, untagged)).toEqual(independent)
})
