import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {largestDifference, problem, productTable} from '../../../test/tables.ts'
import {FourCellSolver} from './four-cell-solver.ts'
import {TableSolver} from './table-solver.ts'

describe('FourCellSolver', () => {
  test('solve(...) takes the very steps of TableSolver', () => {
    fc.assert(
      fc.property(problem(2), ({rates, a, w, mass}) => {
        const fast = new FourCellSolver(rates[0], rates[1])
        const general = new TableSolver(rates)
        const {steps, gap, objective} = fast.solve(a, w, mass)
        const twin = general.solve(a, w, mass)
        // Rounding may end one of them a step earlier.
        expect(Math.abs(steps - twin.steps)).toBeLessThanOrEqual(1)
        expect(Math.abs(objective - twin.objective)).toBeLessThanOrEqual(Math.max(gap, twin.gap) + 1e-13)
      }),
      {numRuns: 500}
    )
  })

  test('solve(...) does not mind which concept comes first', () => {
    fc.assert(
      fc.property(problem(2, 0.2), ({rates: [i, k], a, w, mass}) => {
        const one = new FourCellSolver(i, k)
        const other = new FourCellSolver(k, i)
        const swap = (cells: ArrayLike<number>) => [cells[0], cells[2], cells[1], cells[3]]
        const {steps} = one.solve(a, w, mass)
        const swapped = other.solve(swap(a), swap(w), mass)
        if (steps === swapped.steps) expect(largestDifference(one.mu, swap(other.mu))).toBeLessThan(1e-6 * mass)
      }),
      {numRuns: 500}
    )
  })

  test('solve(...) of two observed variables gives the mean of what was seen and the shrinkage, weighted 1 to lambda', () => {
    const observed = {truePositive: 1, falsePositive: 0}
    const solver = new FourCellSolver(observed, observed)
    const a = [0.5, 0.2, 0.3, 0]
    const independent = productTable([0.3, 0.4])
    solver.solve(
      a,
      independent.map(share => 0.25 * share),
      1
    )
    const mean = a.map((share, s) => (share + 0.25 * independent[s]) / 1.25)
    expect(largestDifference(solver.mu, mean)).toBeLessThan(1e-9)
  })
})
