import {describe, expect, test} from 'vitest'
import {
  coordinatesOf,
  expectInside,
  minimizeByExchange,
  objectiveByTables,
  stopAt
} from '../../../test/moment-checks.ts'
import {randomProblem} from '../../../test/problems.ts'
import {loadLinearSolver} from '../../base/linear/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {violatedHypermetrics} from '../polytopes/index.ts'
import {PairCurvature} from './curvature.ts'
import {type MarginalResult, minimizeMarginal} from './minimize-marginal.ts'
import type {MomentProblem} from './moment-problem.ts'
import {halvesProblem} from './recover-moments.contract.ts'
import {solveByConditionalGradient} from './solve-by-conditional-gradient.ts'
import {solveByNewton} from './solve-by-newton.ts'

function minimize(problem: MomentProblem, gap: number, seed = 0): MarginalResult {
  return minimizeMarginal(problem, () => new PairCurvature(problem), stopAt({gap, stepLimit: 2000}), rng(seed))
}

const many = {conceptCount: 20, order: 2, seed: 20, lambda: 0.001} as const

describe.each([
  {name: 'well specified', gap: 0.001, problem: randomProblem({...many, sampleCount: 5000})},
  {name: 'rates wrong by half', gap: 0.005, problem: randomProblem({...many, sampleCount: 1000, rateError: 0.5})},
  {name: 'few documents', gap: 0.02, problem: randomProblem({...many, sampleCount: 80, gain: 0.3})}
])('minimizeMarginal beyond enumeration, $name', ({gap, problem}) => {
  const result = minimize(problem, gap)

  test('minimizeMarginal(...) certifies the gap that was asked for', () => {
    const {objective, lowerBound, status, mu} = result
    expect(status).toBe('optimal')
    expect(objective - lowerBound).toBeLessThanOrEqual(gap)
    expect(Math.abs(objective - objectiveByTables(problem, mu))).toBeLessThan(1e-10)
    expect(result.heuristicGap).toBeDefined()
    expect(result.atoms).toBeGreaterThan(20)
  })

  test('minimizeMarginal(...) gives moments that keep to every triangle and hypermetric inequality', () => {
    const {mu} = result
    expectInside(problem.layout, 'marginal', mu)
    const worst: number[] = []
    violatedHypermetrics(20, 500, rng(1))(coordinatesOf(problem.layout, mu), violation => worst.push(violation))
    expect(worst).toEqual([])
  })

  test('minimizeMarginal(...) has a bound that the cycle polytope does not contradict', async () => {
    const cycle = (await solveByNewton(problem, 'cycle', stopAt({gap: 1e-4}), {seed: 0})).certificate
    expect(result.objective).toBeGreaterThanOrEqual(cycle.lowerBound)
  })

  test('minimizeMarginal(...) does the same again with the same seed, and within the gap with another', () => {
    expect(minimize(problem, gap)).toEqual(result)
    const other = minimize(problem, gap, 1)
    expect(other.status).toBe('optimal')
    expect(other.mu).not.toEqual(result.mu)
    expect(other.lowerBound).toBeLessThanOrEqual(result.objective)
    expect(result.lowerBound).toBeLessThanOrEqual(other.objective)
  })
})

describe('minimizeMarginal', () => {
  // 8 and fewer concepts: every assignment is an atom. 9 to 16: the best price is looked up.
  test.each([3, 8, 9, 12])(
    'minimizeMarginal(...) of %i concepts comes to the best mixture of all assignments',
    async m => {
      for (const problem of [
        halvesProblem(m, 0.15, {lambda: 0.01}),
        randomProblem({conceptCount: m, order: 2, seed: m, lambda: 0.001, sampleCount: 60, gain: 0.25})
      ]) {
        const {mu, objective, lowerBound, status, heuristicGap} = minimize(problem, 1e-5)
        expect(status).toBe('optimal')
        expect(heuristicGap).toBeUndefined()
        expectInside(problem.layout, 'marginal', mu)
        // The paper's method, with all assignments looked at every step.
        const published = (await solveByConditionalGradient(problem, 'marginal', stopAt({gap: 1e-5}), loadLinearSolver))
          .certificate
        expect(published.gap).toBeLessThanOrEqual(1e-5)
        expect(published.lowerBound).toBeLessThanOrEqual(objective)
        expect(lowerBound).toBeLessThanOrEqual(published.objective)
      }
    }
  )

  test.each([4, 8])('minimizeMarginal(...) of %i concepts has a bound that the twin does not contradict', m => {
    const problem = halvesProblem(m, 0.15, {lambda: 0.01})
    const {objective, lowerBound} = minimize(problem, 1e-5)
    const twin = minimizeByExchange(problem, 1e-4)
    expect(objective).toBeGreaterThanOrEqual(twin.objective - twin.gap)
    expect(lowerBound).toBeLessThanOrEqual(twin.objective)
  })

  test('minimizeMarginal(...) that asks for more does not prove less', () => {
    const problem = randomProblem({conceptCount: 17, order: 2, seed: 8, lambda: 0.01, sampleCount: 60})
    const [some, more] = [1e-3, 1e-5].map(gap => minimize(problem, gap))
    expect(some.status).toBe('optimal')
    expect(more.objective - more.lowerBound).toBeLessThan(1e-3)
    expect(some.lowerBound).toBeLessThanOrEqual(more.objective)
    expect(more.lowerBound).toBeLessThanOrEqual(some.objective)
  })
})
