import fc from 'fast-check'
import {beforeAll, expect, test} from 'vitest'
import {type LinearSolver, loadLinearSolver} from '../../base/linear/index.ts'
import {topologicalOrder} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {searchInteger} from './search-integer.ts'
import {searchExact} from './search-orders.ts'
import {anyScores, bestByBruteForce, randomScores, scoreOf} from './test-scores.ts'

let solver: LinearSolver

beforeAll(async () => {
  solver = await loadLinearSolver()
})

test('searchInteger(...) equals trying all graphs, and gives a graph without a cycle that has the score it says', () => {
  fc.assert(
    fc.property(anyScores(4), scores => {
      const {parents, score, gap, status} = searchInteger(scores, solver)
      expect(score).toBeCloseTo(bestByBruteForce(scores), 5)
      expect(topologicalOrder(parents)).toBeDefined()
      expect(scoreOf(scores, parents)).toBeCloseTo(score, 8)
      expect({gap, status}).toEqual({gap: 0, status: 'optimal'})
    }),
    {numRuns: 40}
  )
})

test.each([
  [6, 3, 0.8],
  [8, 2, 1],
  [10, 2, 0.5],
  [10, 2, 0.1],
  [10, 3, 0.1],
  [12, 2, 0.3],
  [14, 2, 0.2]
])('searchInteger(...) equals dynamic programming on random scores of %i concepts', (m, maxParents, share) => {
  for (let seed = 0; seed < 2; seed++) {
    const scores = randomScores(m, maxParents, share, rng(seed))
    const found = searchInteger(scores, solver)
    expect(found.status).toBe('optimal')
    expect(found.score).toBeCloseTo(searchExact(scores).score, 5)
  }
})

test('searchInteger(...) stops when asked, with a graph and a bound on either side of the best', () => {
  const scores = randomScores(14, 2, 0.5, rng(1))
  const best = searchExact(scores).score
  for (const limit of [0, 20, 60, 200]) {
    let asked = 0
    const {parents, score, gap, status} = searchInteger(scores, solver, {stop: () => asked++ >= limit})
    expect(status).toBe('stopped')
    expect(topologicalOrder(parents)).toBeDefined()
    expect(scoreOf(scores, parents)).toBeCloseTo(score, 8)
    expect(score).toBeLessThanOrEqual(best + 1e-9)
    expect(score + gap).toBeGreaterThanOrEqual(best - 1e-6)
  }
})

test('searchInteger(..., {workLimit}) stops by its work, tells how far it has come, and proves more with more', () => {
  const scores = randomScores(14, 2, 0.5, rng(1))
  const best = searchExact(scores).score
  const gaps = [1, 4e4, 1e5].map(workLimit => {
    const told: number[] = []
    const onProgress = ({steps}: {steps: number}) => told.push(steps)
    const found = searchInteger(scores, solver, {workLimit, onProgress})
    expect(found.status).toBe('stopped')
    expect(found.score + found.gap).toBeGreaterThanOrEqual(best - 1e-6)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(searchInteger(scores, solver, {workLimit})).toEqual(found)
    return found.gap
  })
  expect(gaps).toEqual(gaps.toSorted((a, b) => b - a))
  expect(gaps[2]).toBeLessThan(gaps[0])
})

test('searchInteger(...) refuses families that allow no graph, and takes no concepts', () => {
  const cycle = [[{parents: [1], score: 1}], [{parents: [0], score: 1}]]
  expect(() => searchInteger(cycle, solver)).toThrow('no graph without a cycle')
  expect(searchInteger([], solver)).toMatchObject({parents: [], score: 0, status: 'optimal'})
})
