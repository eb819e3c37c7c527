import {describe, expect, test} from 'vitest'
import {expectSound, stopAt} from '../../../test/moment-checks.ts'
import {randomProblem} from '../../../test/problems.ts'
import type {MomentSolution, SolveControl, SolveProgress, StopLimits} from './certificate.ts'
import type {PolytopeName} from './oracles.ts'
import type {MomentProblem} from './problem.ts'
import {expectOverlap, halvesProblem} from './recover-moments.contract.ts'
import {solveMoments} from './recover-moments.ts'

const few = {sampleCount: 60, gain: 0.2, lambda: 0.001} as const
const stopped: readonly {polytope: PolytopeName; m: number; gap: number; problem: MomentProblem}[] = [
  {polytope: 'simplex', m: 40, gap: 1e-4, problem: randomProblem({...few, conceptCount: 40, seed: 1})},
  {polytope: 'local', m: 12, gap: 1e-6, problem: randomProblem({...few, conceptCount: 12, seed: 2})},
  {polytope: 'cycle', m: 12, gap: 1e-5, problem: randomProblem({...few, conceptCount: 12, seed: 3})},
  {polytope: 'marginal', m: 8, gap: 1e-5, problem: halvesProblem(8, 0.1)},
  {polytope: 'marginal', m: 12, gap: 1e-4, problem: randomProblem({...few, conceptCount: 12, seed: 4})},
  {polytope: 'marginal', m: 17, gap: 1e-2, problem: randomProblem({...few, conceptCount: 17, seed: 5})}
]

describe.each(stopped)('solveMoments over $polytope, stopped, m = $m', async ({polytope, gap, problem}) => {
  const whole = await solve({gap})

  async function solve(limits: Partial<StopLimits>, stop?: SolveControl): Promise<MomentSolution> {
    return solveMoments(problem, stopAt(limits, stop), {solver: 'newton', polytope, seed: 0})
  }

  /** Whatever stopped it, the point is one of the polytope and the bound is one on the optimum. */
  function expectTrue(solution: MomentSolution, asked: number): void {
    expectSound(problem, polytope, solution, asked)
    expectOverlap(solution, whole)
  }

  test('solveMoments(...) reaches the gap that was asked for', () => {
    expectTrue(whole, gap)
    expect(['optimal', 'tolerance']).toContain(whole.certificate.status)
  })

  test('solveMoments(...) ends with "gap" when no more can be done', async () => {
    const solution = await solve({gap: 1e-300, stepLimit: 1000})
    expectTrue(solution, 1e-300)
    // Unless rounding makes the two bounds one.
    const {status, gap: left} = solution.certificate
    expect(status).toBe(left === 0 ? 'optimal' : 'gap')
    expect(left).toBeLessThan(gap)
  })

  test('solveMoments(...) ends with "step-limit" after so many steps', async () => {
    for (const stepLimit of polytope === 'simplex' ? [0] : [0, 1, 4]) {
      const solution = await solve({gap: gap / 100, stepLimit})
      expectTrue(solution, gap / 100)
      expect(solution.certificate.status).toBe('step-limit')
    }
  })

  test('solveMoments(...) ends with "time-limit" when the time is over', async () => {
    for (const timeLimit of polytope === 'simplex' ? [0, 2] : [0, 2, 5]) {
      let now = 0
      const solution = await solve({gap: gap / 100, timeLimit}, {clock: () => now++})
      expectTrue(solution, gap / 100)
      expect(solution.certificate.status).toBe('time-limit')
      expect(solution.certificate.seconds).toBeGreaterThan(timeLimit)
    }
  })

  test('solveMoments(...) ends with "cancelled" as soon as the signal says so', async () => {
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

  test('solveMoments(...) tells how the gap closes', async () => {
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
