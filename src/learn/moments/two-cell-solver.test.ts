import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {anyRates, problem} from '../../../test/tables.ts'
import {clamp} from '../../base/numeric/index.ts'
import {TwoCellSolver} from './two-cell-solver.ts'

describe('TwoCellSolver', () => {
  test('solve(...) without a shrinkage inverts the rates, and stops at 0 or 1 where that leads outside', () => {
    fc.assert(
      fc.property(anyRates(), fc.integer({min: 0, max: 1000}), (anchor, hits) => {
        const solver = new TwoCellSolver(anchor)
        const {truePositive: t, falsePositive: e} = anchor
        const {status, steps} = solver.solve([1 - hits / 1000, hits / 1000], [0, 0], 1)
        expect(solver.mu[1]).toBeCloseTo(clamp((hits / 1000 - e) / (t - e), 0, 1), 12)
        expect(status).toBe('optimal')
        expect(steps).toBe(0)
      })
    )
  })

  test('solve(...) of an observed variable gives the mean of what was seen and the shrinkage, weighted 1 to lambda', () => {
    const solver = new TwoCellSolver({truePositive: 1, falsePositive: 0})
    solver.solve([0.9, 0.1], [0.5 * 0.4, 0.5 * 0.6], 1)
    expect(solver.mu[1]).toBeCloseTo((0.1 + 0.5 * 0.6) / 1.5, 9)
  })

  test('solve(...) lies between the answer without a shrinkage and the target of the shrinkage', () => {
    fc.assert(
      fc.property(problem(1), ({rates: [anchor], a, w, mass}) => {
        const solver = new TwoCellSolver(anchor)
        solver.solve(a, [0, 0], mass)
        const free = solver.mu[1]
        solver.solve(a, w, mass)
        const lambda = (w[0] + w[1]) / mass
        const target = lambda > 0 ? w[1] / lambda : free
        // The gap of 1e-10 leaves weakly curved problems a little outside.
        const slack = 1e-4 * mass
        expect(solver.mu[1]).toBeGreaterThanOrEqual(Math.min(free, target) - slack)
        expect(solver.mu[1]).toBeLessThanOrEqual(Math.max(free, target) + slack)
      })
    )
  })
})
