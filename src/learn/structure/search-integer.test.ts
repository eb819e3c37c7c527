import fc from 'fast-check'
import {beforeAll, describe, expect, test} from 'vitest'
import {type LinearSolver, loadLinearSolver} from '../../base/linear/index.ts'
import {topologicalOrder} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {searchGraph} from './search.ts'
import {searchExact} from './search-exact.ts'
import {searchInteger} from './search-integer.ts'
import {anyScores, bestByBruteForce, randomScores, scoreOf} from './test-scores.ts'

let solver: LinearSolver

beforeAll(async () => {
  solver = await loadLinearSolver()
})

describe('searchInteger(...)', () => {
  test('searchInteger(...) equals trying all graphs, and gives a graph without a cycle that has the score it says', () => {
    fc.assert(
      fc.property(anyScores(4), fc.integer(), (scores, seed) => {
        const {parents, score, bound, gap, status} = searchInteger(scores, solver, rng(seed), {restarts: 1})
        expect(score).toBeCloseTo(bestByBruteForce(scores), 5)
        expect(topologicalOrder(parents)).toBeDefined()
        expect(scoreOf(scores, parents)).toBeCloseTo(score, 8)
        expect({bound, gap, status}).toEqual({bound: score, gap: 0, status: 'optimal'})
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
      const found = searchInteger(scores, solver, rng(seed), {restarts: 1})
      expect(found.status).toBe('optimal')
      expect(found.score).toBeCloseTo(searchExact(scores).score, 5)
    }
  })

  test('searchInteger(...) stops when asked, with a graph and a bound on either side of the best', () => {
    const scores = randomScores(14, 2, 0.5, rng(1))
    const best = searchExact(scores).score
    for (const limit of [0, 20, 60, 200]) {
      let asked = 0
      const {parents, score, bound, gap, status} = searchInteger(scores, solver, rng(1), {
        restarts: 1,
        stop: () => asked++ >= limit
      })
      expect(status).toBe('stopped')
      expect(topologicalOrder(parents)).toBeDefined()
      expect(scoreOf(scores, parents)).toBeCloseTo(score, 8)
      expect(score).toBeLessThanOrEqual(best + 1e-9)
      expect(bound).toBeGreaterThanOrEqual(best - 1e-6)
      expect(gap).toBe(bound - score)
    }
  })

  test('searchInteger(..., {workLimit}) stops by its work, tells how far it has come, and proves more with more', () => {
    const scores = randomScores(14, 2, 0.5, rng(1))
    const best = searchExact(scores).score
    const gaps = [1, 4e4, 1e5].map(workLimit => {
      const told: number[] = []
      const onProgress = ({steps}: {steps: number}) => told.push(steps)
      const found = searchInteger(scores, solver, rng(1), {restarts: 1, workLimit, onProgress})
      expect(found.status).toBe('stopped')
      expect(found.bound).toBeGreaterThanOrEqual(best - 1e-6)
      expect(told).toEqual(told.toSorted((a, b) => a - b))
      expect(searchInteger(scores, solver, rng(1), {restarts: 1, workLimit})).toEqual(found)
      return found.gap
    })
    expect(gaps).toEqual(gaps.toSorted((a, b) => b - a))
    expect(gaps[2]).toBeLessThan(gaps[0])
  })

  test('searchGraph(...) of more than 22 concepts says that its work was over, and what it has proven', async () => {
    const options = {search: 'exact', workLimit: 1, timeLimit: undefined, seed: 0} as const
    const {gap, ...found} = await searchGraph(randomScores(23, 2, 0.3, rng(1)), options, {})
    expect(found).toMatchObject({method: 'integer-program', status: 'stopped', stoppedBy: 'work'})
    expect(gap).toBeGreaterThan(0)
  })

  test('searchInteger(...) refuses families that allow no graph, and takes no concepts', () => {
    const cycle = [[{parents: [1], score: 1}], [{parents: [0], score: 1}]]
    expect(() => searchInteger(cycle, solver, rng(1))).toThrow('no graph without a cycle')
    expect(searchInteger([], solver, rng(1))).toMatchObject({parents: [], score: 0, status: 'optimal'})
  })
})
