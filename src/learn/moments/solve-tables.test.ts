import {describe, expect, test} from 'vitest'
import {expectSound, stopAt} from '../../../test/moment-checks.ts'
import {randomProblem} from '../../../test/problems.ts'
import {forEachTable, type MomentOrder, type SolveProgress} from '../polytopes/index.ts'
import {simplexSolver} from './simplex-solver.ts'
import {solveTables} from './solve-tables.ts'

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
