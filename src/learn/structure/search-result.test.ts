import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {bestFamilyBefore, packFamilies} from './search-result.ts'
import {randomScores} from './test-scores.ts'

test('packFamilies(...) holds every family with its concept, score and parents', () => {
  const scores = randomScores(5, 2, 0.6, rng(1))
  const {starts, scores: values, parentStarts, parents, children} = packFamilies(scores)
  const unpacked = scores.map((_, i) =>
    Array.from({length: starts[i + 1] - starts[i]}, (_, at) => {
      const n = starts[i] + at
      expect(children[n]).toBe(i)
      return {parents: [...parents.subarray(parentStarts[n], parentStarts[n + 1])], score: values[n]}
    })
  )
  expect(unpacked).toEqual(scores)
})

test('bestFamilyBefore(...) gives the first family of which all parents stand before, or -1', () => {
  const family = (...parents: number[]) => ({parents, score: 0})
  const families = packFamilies([[family(1, 2), family(2)], [family()], [family()]])
  expect(bestFamilyBefore(families, 0, [2, 0, 1])).toBe(0)
  expect(bestFamilyBefore(families, 0, [1, 2, 0])).toBe(1)
  expect(bestFamilyBefore(families, 0, [0, 1, 2])).toBe(-1)
  expect(bestFamilyBefore(families, 2, [0, 1, 2])).toBe(3)
})
