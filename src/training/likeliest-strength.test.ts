import {expect, test} from 'vitest'
import type {CorpusDocument} from '../data/index.ts'
import type {Model} from '../model/index.ts'
import {anchorScores} from './anchor-score.ts'
import {likeliestStrength} from './likeliest-strength.ts'
import {drawCorpus, smallModel} from './test-corpora.ts'
import {weakenWords} from './weaken-words.ts'

const truth = smallModel(3, 4, 12)
const {documents} = drawCorpus(truth, 2000, 4)

test('likeliestStrength(...) is near 1 where the documents come from the model', () => {
  const {strength, score, scoreAtOne, scoreWithoutWords} = likeliestStrength({documents}, () => truth)
  // 1,000 documents: the score is flat to a thousandth or so from 0.8 on.
  expect(strength).toBeGreaterThan(0.8)
  expect(score).toBeGreaterThanOrEqual(scoreAtOne)
  expect(score).toBeGreaterThan(scoreWithoutWords + 0.05)
})

test('likeliestStrength(...) is far below 1 where every word stands for three', () => {
  const {strength} = likeliestStrength({documents: documents.map(tripled)}, () => tripledModel(truth))
  // Not a third: a power s of f takes a third of what absent words say, but less of what present ones do.
  expect(strength).toBeGreaterThan(0.3)
  expect(strength).toBeLessThan(0.7)
})

/** Words 3j, 3j + 1 and 3j + 2 occur where word j did. */
function tripled({evidence, ...document}: CorpusDocument): CorpusDocument {
  return {...document, evidence: {...evidence, words: evidence.words.flatMap(j => [3 * j, 3 * j + 1, 3 * j + 2])}}
}

function tripledModel(model: Model): Model {
  const {latentCount, wordCount, failure, leak} = model.loadings
  const thrice = (values: Float64Array) =>
    Float64Array.from({length: 3 * values.length}, (_, at) => values[Math.floor(at / 3)])
  return {
    ...model,
    lexicon: {...model.lexicon, words: model.lexicon.words.flatMap(word => [`${word}a`, `${word}b`, `${word}c`])},
    loadings: {latentCount, wordCount: 3 * wordCount, failure: thrice(failure), leak: thrice(leak)}
  }
}

test('likeliestStrength(...) beats its neighbours by the score it states, on documents the model did not learn from', () => {
  const thirds = documents.slice(0, 300).map(tripled)
  const model = tripledModel(truth)
  const learned: number[] = []
  const found = likeliestStrength({documents: thirds}, others => {
    learned.push(others.length)
    return model
  })
  expect(learned).toHaveLength(3)
  expect(learned.reduce((sum, count) => sum + count, 0)).toBe(600)
  const scoreAt = (strength: number) =>
    anchorScores(weakenWords(model, strength), thirds).reduce((sum, score) => sum + score / 300, 0)
  expect(found.documents).toBe(300)
  expect(found.score).toBeCloseTo(scoreAt(found.strength), 10)
  expect(found.scoreAtOne).toBeCloseTo(scoreAt(1), 10)
  expect(found.scoreWithoutWords).toBeCloseTo(scoreAt(0), 10)
  for (const other of [0.1, 0.2, 0.9, 1]) expect(found.score).toBeGreaterThan(scoreAt(other))
})

test('likeliestStrength(...) refuses folds and documents that make no sense', () => {
  const learn = () => truth
  expect(() => likeliestStrength({documents}, learn, {folds: 1})).toThrow(/"folds" must be a whole number from 2 on/)
  expect(() => likeliestStrength({documents}, learn, {documents: 0})).toThrow(
    /"documents" must be a whole number from 1/
  )
  expect(() => likeliestStrength({documents}, learn, {seed: 0.5})).toThrow(/"seed" must be a whole number/)
  expect(() => likeliestStrength({documents: documents.slice(0, 2)}, learn)).toThrow(/at least 3 documents.*got 2/)
})
