import fc from 'fast-check'
import {expect, test} from 'vitest'
import {topologicalOrder} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {exactSearchLimit, searchExact, searchGreedy} from './search-orders.ts'
import {anyScores, bestByBruteForce, randomScores, scoreOf} from './test-scores.ts'

test('searchExact(...) equals trying all graphs, and gives a graph without a cycle that has the score it says', () => {
  fc.assert(
    fc.property(anyScores(4), scores => {
      const {parents, score, gap, status} = searchExact(scores)
      expect(score).toBeCloseTo(bestByBruteForce(scores), 9)
      expect(topologicalOrder(parents)).toBeDefined()
      expect(scoreOf(scores, parents)).toBeCloseTo(score, 9)
      expect({gap, status}).toEqual({gap: 0, status: 'optimal'})
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

test('searchGreedy(...) gives a graph without a cycle that has the score it says, between the best and its bound', () => {
  fc.assert(
    fc.property(anyScores(7), fc.integer(), (scores, seed) => {
      const best = searchExact(scores).score
      const {parents, score, gap} = searchGreedy(scores, rng(seed), {climbs: 1})
      expect(topologicalOrder(parents)).toBeDefined()
      expect(scoreOf(scores, parents)).toBeCloseTo(score, 8)
      expect(score).toBeLessThanOrEqual(best + 1e-9)
      expect(score + gap).toBeGreaterThanOrEqual(best - 1e-9)
    }),
    {numRuns: 100}
  )
})

test('searchGreedy(...) keeps required edges, though most orders have no graph with them', () => {
  const scores = randomScores(8, 3, 1, rng(2))
  const kept = scores.map((families, i) => families.filter(({parents}) => i === 7 || parents.includes(i + 1)))
  const {parents, score} = searchGreedy(kept, rng(3), {climbs: 3})
  expect(parents.slice(0, 7).every((list, i) => list.includes(i + 1))).toBe(true)
  expect(score).toBeCloseTo(searchExact(kept).score, 9)
})

test('searchGreedy(...) is proven optimal where the best families have no cycle, and heuristic otherwise', () => {
  const family = (score: number, ...parents: number[]) => ({parents, score})
  expect(searchGreedy([[family(2)], [family(5, 0), family(1)]], rng(1))).toEqual({
    parents: [[], [0]],
    score: 7,
    gap: 0,
    status: 'optimal',
    method: 'greedy',
    steps: 1
  })
  const cycle = [
    [family(5, 1), family(2)],
    [family(5, 0), family(1)]
  ]
  expect(searchGreedy(cycle, rng(1))).toMatchObject({score: 7, gap: 3, status: 'heuristic'})
})

test('searchGreedy(...) stops when asked, with the graph it has', () => {
  const scores = randomScores(12, 2, 0.5, rng(4))
  let asked = 0
  const {status, parents} = searchGreedy(scores, rng(1), {climbs: 1000, stop: () => ++asked > 50})
  expect(status).toBe('stopped')
  expect(topologicalOrder(parents)).toBeDefined()
  expect(asked).toBeLessThan(100)
})

test('searchGreedy(...) refuses families that allow no graph, and takes no concepts', () => {
  const cycle = [[{parents: [1], score: 1}], [{parents: [0], score: 1}]]
  expect(() => searchGreedy(cycle, rng(1))).toThrow('no graph without a cycle')
  expect(() => searchGreedy([[]], rng(1))).toThrow('no graph without a cycle')
  expect(searchGreedy([], rng(1))).toMatchObject({parents: [], score: 0})
})
