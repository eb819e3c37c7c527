import {describe, expect, test} from 'vitest'
import {expectSound, stopAt} from '../../../test/moment-checks.ts'
import {randomProblem} from '../../../test/problems.ts'
import {
  forEachTable,
  type MomentOrder,
  type PolytopeName,
  type SolveControl,
  type SolveProgress,
  type StopLimits
} from '../polytopes/index.ts'
import type {MomentProblem} from './moment-problem.ts'
import type {MomentSolution} from './moments.ts'
import {describeMomentSolver, expectOverlap, halvesProblem} from './recover-moments.contract.ts'
import {defaultGaps} from './recover-moments.ts'
import {simplexSolver} from './simplex-solver.ts'
import {solveByNewton, solveTables} from './solve-by-newton.ts'

const control = {seed: 0}

describeMomentSolver({
  name: 'solveByNewton',
  load: async () => (problem, polytope, rule) => solveByNewton(problem, polytope, rule, control),
  gap: 1e-4,
  goldenGap: 1e-7
})

const few = {order: 2, sampleCount: 60, gain: 0.2, lambda: 0.001} as const
const stopped: readonly {polytope: PolytopeName; m: number; gap: number; problem: MomentProblem}[] = [
  {polytope: 'simplex', m: 40, gap: 1e-4, problem: randomProblem({...few, conceptCount: 40, seed: 1})},
  {polytope: 'local', m: 12, gap: 1e-6, problem: randomProblem({...few, conceptCount: 12, seed: 2})},
  {polytope: 'cycle', m: 12, gap: 1e-5, problem: randomProblem({...few, conceptCount: 12, seed: 3})},
  {polytope: 'marginal', m: 8, gap: 1e-5, problem: halvesProblem(8, 0.1)},
  {polytope: 'marginal', m: 12, gap: 1e-4, problem: randomProblem({...few, conceptCount: 12, seed: 4})},
  {polytope: 'marginal', m: 17, gap: 1e-2, problem: randomProblem({...few, conceptCount: 17, seed: 5})}
]

describe.each(stopped)('solveByNewton over $polytope, stopped, m = $m', async ({polytope, gap, problem}) => {
  const whole = await solve({gap})

  async function solve(limits: Partial<StopLimits>, stop?: SolveControl): Promise<MomentSolution> {
    return solveByNewton(problem, polytope, stopAt(limits, stop), control)
  }

  /** Whatever stopped it, the point is one of the polytope and the bound is one on the optimum. */
  function expectTrue(solution: MomentSolution, asked: number): void {
    expectSound(problem, polytope, solution, asked)
    expectOverlap(solution, whole)
  }

  test('solveByNewton(...) is "optimal" with the gap that was asked for', () => {
    expectTrue(whole, gap)
    expect(whole.certificate.status).toBe('optimal')
  })

  test('solveByNewton(...) ends with "gap" when no more can be done', async () => {
    const solution = await solve({gap: 1e-300, stepLimit: 1000})
    expectTrue(solution, 1e-300)
    // Unless rounding makes the two bounds one.
    const {status, gap: left} = solution.certificate
    expect(status).toBe(left === 0 ? 'optimal' : 'gap')
    expect(left).toBeLessThan(gap)
  })

  test('solveByNewton(...) ends with "step-limit" after so many steps', async () => {
    for (const stepLimit of polytope === 'simplex' ? [0] : [0, 1, 4]) {
      const solution = await solve({gap: gap / 100, stepLimit})
      expectTrue(solution, gap / 100)
      expect(solution.certificate.status).toBe('step-limit')
    }
  })

  test('solveByNewton(...) ends with "time-limit" when the time is over', async () => {
    for (const timeLimit of polytope === 'simplex' ? [0, 2] : [0, 2, 5]) {
      let now = 0
      const solution = await solve({gap: gap / 100, timeLimit}, {clock: () => now++})
      expectTrue(solution, gap / 100)
      expect(solution.certificate.status).toBe('time-limit')
      expect(solution.certificate.seconds).toBeGreaterThan(timeLimit)
    }
  })

  test('solveByNewton(...) ends with "cancelled" as soon as the signal says so', async () => {
    for (const looks of [0, 1, 3]) {
      let left = looks
      const signal = {
        get aborted() {
          return left-- <= 0
        }
      }
      const solution = await solve({gap: gap / 100}, {signal})
      expectTrue(solution, gap / 100)
      expect(solution.certificate.status).toBe('cancelled')
    }
  })

  test('solveByNewton(...) tells how the gap closes', async () => {
    const told: SolveProgress[] = []
    const {certificate} = await solve({gap}, {onProgress: progress => told.push(progress)})
    expect(told.length).toBeGreaterThan(0)
    for (const {objective, gap, steps} of told) {
      expect(Number.isFinite(objective)).toBe(true)
      expect(gap).toBeGreaterThanOrEqual(0)
      expect(Number.isInteger(steps)).toBe(true)
    }
    const steps = told.map(progress => progress.steps)
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
    const [first, last] = [told[0], told[told.length - 1]]
    expect(last.gap).toBeLessThanOrEqual(gap)
    if (polytope !== 'simplex') expect(last.gap).toBeLessThan(first.gap)
    expect(last.objective).toBeCloseTo(certificate.objective, 4)
  })
})

describe('solveByNewton over local triples', () => {
  // Rare concepts, whose shrinkage weights are next to nothing, make cells of 1e-7.
  test.each([
    {conceptCount: 4, seed: 6, gain: 0.25, lambda: 0.01},
    {conceptCount: 6, seed: 0, gain: 0.25, lambda: 0.01, divergence: 'l2'},
    {conceptCount: 9, seed: 9, gain: 0.25, lambda: 0.01},
    {conceptCount: 9, seed: 7, gain: 0.05, lambda: 0.001, sampleCount: 30, rateError: 0.5},
    {conceptCount: 12, seed: 5, gain: 0.25, lambda: 0.01}
  ] as const)('solveByNewton(...) reaches its default gap for triples too, %o', async spec => {
    const problem = randomProblem({order: 3, sampleCount: 60, ...spec})
    const solution = await solveByNewton(problem, 'local', stopAt({gap: defaultGaps.local}), control)
    expectSound(problem, 'local', solution, defaultGaps.local)
    expect(solution.certificate.status).toBe('optimal')
  })
})

const orders: readonly MomentOrder[] = [1, 2, 3]

describe.each(orders)('solveTables of order %i', order => {
  const problem = randomProblem({conceptCount: 6, order, seed: 6, lambda: 0.01, sampleCount: 100})

  test('solveTables(...) has the table that each problem of its own has', () => {
    const solution = solveTables(problem, stopAt({gap: 1e-4}))
    expectSound(problem, 'simplex', solution, 1e-4)
    expect(solution.certificate.status).toBe('optimal')
    const {rates, observed, shrinkageWeights, divergence} = problem
    forEachTable(problem.layout, (concepts, start) => {
      const solver = simplexSolver(
        concepts.map(i => rates[i]),
        divergence
      )
      const end = start + solver.size
      solver.solve(observed.subarray(start, end), shrinkageWeights.subarray(start, end), 1)
      expect(solution.mu.subarray(start, end)).toEqual(Float64Array.from(solver.mu))
    })
  })

  test('solveTables(...) tells what it came to', () => {
    const told: SolveProgress[] = []
    const {certificate} = solveTables(problem, stopAt({gap: 1e-4}, {onProgress: progress => told.push(progress)}))
    const {objective, steps} = certificate
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({objective, steps})
    expect(told[0].gap).toBeCloseTo(certificate.gap, 12)
  })
})

describe('solveTables', () => {
  // 820 tables, with a look at the clock every 256.
  const problem = randomProblem({conceptCount: 40, order: 2, seed: 4, lambda: 0.01, sampleCount: 50})

  test('solveTables(...) stopped early leaves independent concepts in the tables that it did not reach', () => {
    const whole = solveTables(problem, stopAt({gap: 1e-3}))
    expect(whole.certificate.status).toBe('optimal')
    const gaps = [0, 1, 2, 3].map(looks => {
      let left = looks
      const signal = {
        get aborted() {
          return left-- <= 0
        }
      }
      const solution = solveTables(problem, stopAt({gap: 1e-3}, {signal}))
      expectSound(problem, 'simplex', solution, 1e-3)
      expect(solution.certificate.status).toBe('cancelled')
      expect(solution.certificate.lowerBound).toBeLessThan(whole.certificate.objective)
      return solution.certificate.gap
    })
    // The more of them were solved, the smaller is the gap.
    expect(gaps).toEqual([...gaps].sort((a, b) => b - a))
    expect(gaps[3]).toBeLessThan(gaps[0] / 2)
  })

  test('solveTables(...) says "gap" when the tables are solved and their sum is not as exact as was asked', () => {
    const {certificate} = solveTables(problem, stopAt({gap: 1e-300}))
    expect(certificate.status).toBe('gap')
    expect(certificate.gap).toBeLessThan(1e-6)
  })
})
