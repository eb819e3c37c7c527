import fc from 'fast-check'
import {expect, test} from 'vitest'
import {topologicalOrder} from '../../base/network/index.ts'
import {exactSearchLimit, searchExact} from './search-exact.ts'
import {anyScores, bestByBruteForce, scoreOf} from './test-scores.ts'

test('searchExact(...) equals trying all graphs, and gives a graph without a cycle that has the score it says', () => {
  fc.assert(
    fc.property(anyScores(4), scores => {
      const {parents, score, bound, gap, status} = searchExact(scores)
      expect(score).toBeCloseTo(bestByBruteForce(scores), 9)
      expect(topologicalOrder(parents)).toBeDefined()
      expect(scoreOf(scores, parents)).toBeCloseTo(score, 9)
      expect({bound, gap, status}).toEqual({bound: score, gap: 0, status: 'optimal'})
    }),
    {numRuns: 100}
  )
})

test('searchExact(...) takes no concepts, and refuses families that allow no graph and more concepts than fit', () => {
  expect(searchExact([])).toMatchObject({parents: [], score: 0})
  const cycle = [[{parents: [1], score: 1}], [{parents: [0], score: 1}]]
  expect(() => searchExact(cycle)).toThrow(expect.objectContaining({code: 'bad-option'}))
  expect(() => searchExact([[]])).toThrow('no graph without a cycle')
  const many = Array.from({length: exactSearchLimit + 1}, () => [{parents: [], score: 0}])
  expect(() => searchExact(many)).toThrow('at most 22')
})
