import {expect, test} from 'vitest'
import {drawDocuments, mean} from './test-documents.ts'
import {learnWordLength, lengthFactor} from './word-weights.ts'

test('learnWordLength(...) is the mean number of words a document', () => {
  const {corpus, counts} = drawDocuments(5, 200)
  const {power, typical} = learnWordLength(counts, 0.3)
  expect(power).toBe(0.3)
  expect(typical).toBeCloseTo(mean(corpus.documents.map(({words}) => words.length)), 12)
})

test('lengthFactor(...) is 1 at the typical length, less beyond it, and finite where there is no word', () => {
  const length = {power: 0.5, typical: 4}
  expect(lengthFactor(length, 4)).toBeCloseTo(1, 12)
  expect(lengthFactor(length, 16)).toBeCloseTo(0.5, 12)
  expect(lengthFactor(length, 0)).toBeCloseTo(2, 12)
  expect(lengthFactor({power: 0, typical: 4}, 100)).toBe(1)
})
