import {expect, test} from 'vitest'
import {hashShare, rng, shuffled} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {textDefaults} from '../../read/data/index.ts'
import {drawDocuments} from './test-documents.ts'
import {weightsFromCounts} from './weights-from-counts.ts'
import {addScores, foldCount, heldOutScores, weightsFromDocuments, wordFields} from './weights-from-documents.ts'

const options = {
  priorVariance: 0.1,
  stepLimit: 8,
  wordShare: 0.3,
  sigmas: 3,
  directions: {vectors: [], spread: 0.5},
  factorOf: () => 1
}

test('heldOutScores(...) scores each document by what is learned from other thirds alone', () => {
  const {corpus, rates} = drawDocuments(71, 400, 4, 20)
  const found = heldOutScores(corpus, rates.prevalence, {...options, seed: 5})
  const foldOf = ({key}: {readonly key: string}) => Math.floor(3 * hashShare(key, 5))
  expect(found?.documents).toEqual(
    [0, 1, 2].flatMap(fold => corpus.documents.filter(document => foldOf(document) === fold))
  )
  for (const fold of [0, 1, 2]) {
    const rest = {...corpus, documents: corpus.documents.filter(document => foldOf(document) !== fold)}
    const {weights} = weightsFromDocuments(
      rest,
      weightsFromCounts(countCorpus(rest), rates.prevalence, options),
      options
    )
    found?.documents.forEach((document, d) => {
      if (foldOf(document) !== fold) return
      const scores = new Float64Array(4)
      addScores(weights, document.words, scores)
      expect(found.scores[0].subarray(4 * d, 4 * d + 4)).toEqual(scores)
    })
  }
})

test('heldOutScores(...) stops at 2,000 documents, and foldCount(...) counts its folds', () => {
  const {corpus, rates} = drawDocuments(74, 4000, 2, 5)
  const found = heldOutScores(corpus, rates.prevalence, {...options, seed: 0})
  // Two of three folds of 1,333 documents each, within five standard errors.
  expect(Math.abs(Number(found?.documents.length) - 2667)).toBeLessThan(150)
  expect([300, 4000, 7000].map(foldCount)).toEqual([3, 2, 1])
})

test('heldOutScores(...) gives a document the same scores wherever it stands, and none where documents are too few', () => {
  const {corpus, rates} = drawDocuments(72, 200, 3, 12)
  const moved = {...corpus, documents: shuffled(corpus.documents, rng(3))}
  const [once, again] = [corpus, moved].map(one => {
    const found = heldOutScores(one, rates.prevalence, {...options, seed: 0})
    return new Map(found?.documents.map(({key}, d) => [key, found.scores[0].subarray(3 * d, 3 * d + 3)]))
  })
  expect(once.size).toBeGreaterThan(50)
  expect(again.size).toBe(once.size)
  for (const [key, scores] of once)
    scores.forEach((score, i) => {
      // The order of the documents changes that of the sums, and a few steps of a regression stop where they are.
      expect(again.get(key)?.[i]).toBeCloseTo(score, 6)
    })
  const one = {...corpus, documents: corpus.documents.slice(0, 1)}
  expect(heldOutScores(one, rates.prevalence, {...options, seed: 0})).toBeUndefined()
})

test('weightsFromDocuments(...) moves the weights further from those of the counts, the less they are shrunk', () => {
  const {corpus, counts, rates} = drawDocuments(73, 600, 3, 12)
  const centre = weightsFromCounts(counts, rates.prevalence, options)
  const distance = (priorVariance: number) =>
    weightsFromDocuments(corpus, centre, {...options, priorVariance}).weights.reduce(
      (sum, w, at) => sum + (w - centre[at]) ** 2,
      0
    )
  expect(distance(0.001)).toBeLessThan(distance(0.03))
  expect(distance(0.03)).toBeLessThan(distance(1))
})

test('wordFields(...) numbers the fields that have words, features as one of them', () => {
  const text = {...textDefaults, fields: ['title', 'abstract', 'text']}
  const words = ['age:old', 'text:fever', 'text:title:x', 'title:cough']
  expect(wordFields({words, text})).toEqual({of: Uint8Array.of(0, 2, 2, 1), count: 3})
  expect(wordFields({words: ['text:a', 'text:b'], text})).toEqual({of: new Uint8Array(2), count: 1})
  expect(wordFields({words: [], text})).toEqual({of: new Uint8Array(0), count: 0})
})
