import {expect, test} from 'vitest'
import {type Counts, countCorpus, isLabelled} from '../../read/counts/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {drawDocuments, mean} from './test-documents.ts'
import {documentSample, drawSample, trainingDocuments, type WordSample} from './word-sample.ts'

const {model, corpus, rates} = drawDocuments(31, 400)
const [m, n] = [6, 40]
/** Weights of which some are 0. */
const weights = Float64Array.from({length: m * n}, (_, at) => (at % 3 === 0 ? 0 : Math.sin(at)))

/** The scores of documents by the weights. */
function scoresOf({documents}: Corpus): Float64Array {
  return Float64Array.from(
    documents.flatMap(({words}) =>
      Array.from({length: m}, (_, i) => words.reduce((total, j) => total + weights[i * n + j], 0))
    )
  )
}

/** Documents of which no two have the same anchors: each is a pattern of its own. */
const distinct: Corpus = {
  ...corpus,
  documents: Array.from({length: 2 ** m}, (_, state) => {
    // Each anchor has one member, of its own number.
    const anchors = Array.from({length: m}, (_, i) => i).filter(i => (state >> i) & 1)
    return {...corpus.documents[state], anchors, members: anchors}
  })
}

/** Of the scores of one concept where its anchor has a state. */
function momentsOf({documents, scores, fired}: WordSample, i: number, state: 0 | 1) {
  const found = Array.from({length: documents}, (_, d) => d).filter(d => fired[d * m + i] === state)
  const values = found.map(d => scores[d * m + i])
  const centre = mean(values)
  return {count: values.length, mean: centre, variance: mean(values.map(value => (value - centre) ** 2))}
}

test('drawSample(...) has each pattern as often as the documents do, and the means of their scores', () => {
  const big = drawDocuments(33, 3000)
  const drawn = drawSample(big.counts, rates, model.network, weights, 1)
  const whole = documentSample(big.corpus, scoresOf(big.corpus))
  expect(drawn.documents).toBe(3000)
  for (let i = 0; i < m; i++)
    for (const state of [0, 1] as const) {
      const [found, wanted] = [momentsOf(drawn, i, state), momentsOf(whole, i, state)]
      expect(found.count).toBe(wanted.count)
      // Both have the same patterns, and the draws of one scatter around its mean: 5 standard errors.
      expect(Math.abs(found.mean - wanted.mean)).toBeLessThan(5 * Math.sqrt(wanted.variance / wanted.count))
    }
})

test('drawSample(...) draws at most 8,000 documents, evenly over the patterns', () => {
  const many = countCorpus({...corpus, documents: Array.from({length: 20}, () => distinct.documents).flat()})
  const tenfold: Counts = {
    ...many,
    documentCount: many.documentCount * 10,
    patternDocuments: many.patternDocuments.map(count => count * 10),
    wordCounts: many.wordCounts.map(count => count * 10)
  }
  const drawn = drawSample(tenfold, rates, model.network, weights, 1)
  expect(drawn.documents).toBe(8000)
  // Each of the 64 patterns is 125 of 8,000; each anchor fires in half of them.
  for (let i = 0; i < m; i++) expect(momentsOf(drawn, i, 1).count).toBe(4000)
})

test('drawSample(...) from released tables fires each anchor as often as the model does, and has the mean scores of the documents', () => {
  const big = drawDocuments(34, 4000)
  const tables = {maxOrder: 2, numbers: 0, withheld: 0, sites: []}
  const drawn = drawSample({...big.counts, tables}, big.rates, big.model.network, weights, 1)
  const whole = documentSample(big.corpus, scoresOf(big.corpus))
  expect(drawn.documents).toBe(4000)
  for (let i = 0; i < m; i++) {
    const [t, e, p] = [big.rates.truePositive[i], big.rates.falsePositive[i], big.rates.prevalence[i]]
    const firing = e + (t - e) * p
    const counts = [0, 1].map(state => momentsOf(drawn, i, state as 0 | 1))
    // 5 standard errors of a share of 4,000 draws.
    expect(Math.abs(counts[1].count / 4000 - firing)).toBeLessThan(5 * Math.sqrt((firing * (1 - firing)) / 4000))
    for (const state of [0, 1] as const) {
      const wanted = momentsOf(whole, i, state)
      const error = Math.sqrt(counts[state].variance / counts[state].count)
      expect(Math.abs(counts[state].mean - wanted.mean)).toBeLessThan(5 * error)
    }
  }
})

test('trainingDocuments(...) keeps the tags of labelled documents only', () => {
  for (const labelShare of [0, 0.5, 1]) {
    const labelled = countCorpus(corpus, {labelShare})
    const {documents} = trainingDocuments(labelled, corpus.documents)
    const kept = documents.filter(({labels}) => labels !== undefined).map(({key}) => key)
    expect(kept).toEqual(documents.map(({key}) => key).filter(key => isLabelled(labelled, key)))
  }
})
