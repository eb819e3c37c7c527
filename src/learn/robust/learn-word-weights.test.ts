import {expect, test} from 'vitest'
import {rng, shuffled} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {createInference} from '../inference/index.ts'
import {anchorFacts} from './evidence.ts'
import {learnPairs} from './learn-pairs.ts'
import {learnWordWeights} from './learn-word-weights.ts'
import {type Drawn, drawDocuments, mean} from './test-documents.ts'
import {type WordWeights, weightRange} from './word-weights.ts'

/** Whether a mean is the one wanted, but for 5 standard errors of two samples of this size and a step not taken. */
function expectMean(values: readonly number[], wanted: number, residual: number): void {
  const centre = mean(values)
  const error = Math.sqrt((2 * mean(values.map(value => (value - centre) ** 2))) / Math.min(1000, values.length))
  expect(Math.abs(centre - wanted)).toBeLessThan(5 * error + residual)
}

test.each([
  ['a tree', (drawn: Drawn) => drawn.model.network],
  ['pairs', ({counts, rates}: Drawn) => learnPairs(counts, rates).network]
])(
  'learnWordWeights(...) matches mean probabilities of new documents to the rates, in all states of the anchor, over %s',
  (_, networkOf) => {
    const drawn = drawDocuments(51, 4000)
    const {model, corpus, counts, rates} = drawn
    const known = {...corpus, documents: corpus.documents.slice(0, 2000)}
    const fresh = corpus.documents.slice(2000)
    const network = networkOf(drawn)
    const wordModel = learnWordWeights(counts, rates, network, known)
    const {residual} = wordModel.certificate
    // The ties of these concepts are strong.
    expect(residual).toBeLessThan(0.01)
    const read = (anchors: 'used' | 'hidden') => {
      const inference = createInference({...model, network, wordModel}, {anchors})
      return fresh.map(document => inference.posterior(document).probabilities)
    }
    const [used, hidden] = [read('used'), read('hidden')]
    anchorFacts(rates).forEach(({precision, missed, prevalence}, i) => {
      const where = (fired: boolean) => used.filter((_, d) => fresh[d].anchors.includes(i) === fired).map(row => row[i])
      expectMean(where(true), precision, residual)
      expectMean(where(false), missed, residual)
      expectMean(
        hidden.map(row => row[i]),
        prevalence,
        residual
      )
    })
  }
)

test('learnWordWeights(...) reports its progress, and stops when it is cancelled', () => {
  const {model, corpus, counts, rates} = drawDocuments(58, 100)
  const told: number[] = []
  learnWordWeights(counts, rates, model.network, corpus, 0, {onProgress: ({share}) => told.push(share)})
  // All documents, and those without each of three folds.
  expect(told).toEqual([0.25, 0.5, 0.75, 1])
  const signal = AbortSignal.abort()
  expect(() => learnWordWeights(counts, rates, model.network, corpus, 0, {signal})).toThrow(/cancel/i)
})

test('learnWordWeights(...) does not depend on the order of the documents, nor on when it is called', () => {
  const {model, corpus, counts, rates} = drawDocuments(53, 400)
  const once = learnWordWeights(counts, rates, model.network, corpus)
  expect(learnWordWeights(counts, rates, model.network, corpus)).toEqual(once)
  const other = learnWordWeights(counts, rates, model.network, {
    ...corpus,
    documents: shuffled(corpus.documents, rng(1))
  })
  expect(other).toEqual(once)
})

test('learnWordWeights(...) has intervals of weights that lists may show, and none from counts alone', () => {
  const {model, corpus, counts, rates} = drawDocuments(64, 300)
  const learned = learnWordWeights(counts, rates, model.network, corpus)
  learned.weights.forEach((row, i) => {
    row.forEach((weight, j) => {
      const range = weightRange(learned, i, j)
      expect(range !== undefined).toBe(Math.abs(weight) >= 0.1)
      if (range !== undefined) expect((range[0] + range[1]) / 2).toBeCloseTo(weight, 12)
    })
  })
  const wordModel = learnWordWeights(counts, rates, model.network, undefined)
  expect(wordModel.errors).toBeUndefined()
  expect(weightRange(wordModel, 0, 0)).toBeUndefined()
})

test('learnWordWeights(...) learns from the labels that the counts have, and from no other tags', () => {
  const {model, corpus, rates} = drawDocuments(55, 1200)
  const known = {...corpus, documents: corpus.documents.slice(0, 600)}
  const fresh = corpus.documents.slice(600)
  const untagged = {...known, documents: known.documents.map(document => ({...document, labels: undefined}))}
  const brier = (wordModel: WordWeights) => {
    const inference = createInference({...model, wordModel})
    return mean(
      fresh.flatMap(document => {
        const {probabilities} = inference.posterior(document)
        return Array.from(document.labels ?? [], (label, i) => (probabilities[i] - label) ** 2)
      })
    )
  }
  const [plain, labelled] = [0, 1].map(labelShare =>
    learnWordWeights(countCorpus(known, {labelShare, seed: 0}), rates, model.network, known)
  )
  expect(learnWordWeights(countCorpus(untagged), rates, model.network, untagged)).toEqual(plain)
  expect(brier(labelled)).toBeLessThan(brier(plain))
})

test('learnWordWeights(...) refuses an empty corpus', () => {
  const {model, corpus, counts, rates} = drawDocuments(56, 100)
  const empty = {...corpus, documents: []}
  expect(() => learnWordWeights(counts, rates, model.network, empty)).toThrow(/got an empty corpus/)
})
