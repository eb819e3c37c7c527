import {expect, test} from 'vitest'
import {hashShare, rng, shuffled} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {textDefaults} from '../../read/data/index.ts'
import {drawDocuments} from './test-documents.ts'
import {weightsFromCounts} from './weights-from-counts.ts'
import {addScores, heldOutScores, weightsFromDocuments, wordFields} from './weights-from-documents.ts'

const options = {
  priorVariance: 0.1,
  stepLimit: 8,
  wordShare: 0.3,
  sigmas: 3,
  directions: {vectors: [], spread: 0.5},
  factorOf: () => 1
}

test('heldOutScores(...) scores a share of the documents by what is learned from the others alone', () => {
  const {corpus, rates} = drawDocuments(71, 400, 4, 20)
  const found = heldOutScores(corpus, rates.prevalence, {...options, heldOut: 0.25, seed: 5})
  const isHeld = (key: string) => hashShare(key, 5) < 0.25
  const rest = {...corpus, documents: corpus.documents.filter(({key}) => !isHeld(key))}
  const held = corpus.documents.filter(({key}) => isHeld(key))
  // A quarter of 400, within five standard errors.
  expect(Math.abs(held.length - 100)).toBeLessThan(44)
  expect(found?.documents).toEqual(held)
  const weights = weightsFromDocuments(rest, weightsFromCounts(countCorpus(rest), rates.prevalence, options), options)
  held.forEach(({words}, d) => {
    const scores = new Float64Array(4)
    addScores(weights, words, scores)
    expect(found?.scores[0].subarray(4 * d, 4 * d + 4)).toEqual(scores)
  })
})

test('heldOutScores(...) gives a document the same scores wherever it stands, and none where documents are too few', () => {
  const {corpus, rates} = drawDocuments(72, 200, 3, 12)
  const moved = {...corpus, documents: shuffled(corpus.documents, rng(3))}
  const [once, again] = [corpus, moved].map(one => {
    const found = heldOutScores(one, rates.prevalence, {...options, heldOut: 0.5, seed: 0})
    return new Map(found?.documents.map(({key}, d) => [key, found.scores[0].subarray(3 * d, 3 * d + 3)]))
  })
  expect(once.size).toBeGreaterThan(50)
  expect(again.size).toBe(once.size)
  for (const [key, scores] of once)
    scores.forEach((score, i) => {
      expect(again.get(key)?.[i]).toBeCloseTo(score, 8)
    })
  const one = {...corpus, documents: corpus.documents.slice(0, 1)}
  expect(heldOutScores(one, rates.prevalence, {...options, heldOut: 0.5, seed: 0})).toBeUndefined()
})

test('weightsFromDocuments(...) moves the weights further from those of the counts, the less they are shrunk', () => {
  const {corpus, counts, rates} = drawDocuments(73, 600, 3, 12)
  const centre = weightsFromCounts(counts, rates.prevalence, options)
  const distance = (priorVariance: number) =>
    weightsFromDocuments(corpus, centre, {...options, priorVariance}).reduce(
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
