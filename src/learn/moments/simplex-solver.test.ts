import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {largestDifference, problem} from '../../../test/tables.ts'
import {exponentiatedGradient} from './exponentiated-gradient.ts'
import {FourCellSolver} from './four-cell-solver.ts'
import {describeSimplexSolver} from './simplex-solver.contract.ts'
import {simplexSolver} from './simplex-solver.ts'
import {type Rates, type SimplexSolver, TableSolver} from './table-solver.ts'
import {TwoCellSolver} from './two-cell-solver.ts'

const newton = {gapLimit: 1e-10, alwaysOptimal: true, tableTolerance: 1e-8, leastGain: 0.02, runs: 300}

describeSimplexSolver({
  name: 'TableSolver with KL',
  make: rates => new TableSolver(rates),
  divergence: 'kl',
  variableCounts: [1, 2, 3, 4],
  ...newton
})
describeSimplexSolver({
  name: 'TableSolver with L2',
  make: rates => new TableSolver(rates, 'l2'),
  divergence: 'l2',
  variableCounts: [1, 2, 3, 4],
  ...newton
})
describeSimplexSolver({
  name: 'TwoCellSolver',
  make: ([only]) => new TwoCellSolver(only),
  divergence: 'kl',
  variableCounts: [1],
  ...newton
})
describeSimplexSolver({
  name: 'FourCellSolver',
  make: ([i, k]) => new FourCellSolver(i, k),
  divergence: 'kl',
  variableCounts: [2],
  ...newton
})
describeSimplexSolver({
  name: 'exponentiatedGradient',
  make: gradientSolver,
  divergence: 'kl',
  variableCounts: [1, 2, 3],
  gapLimit: 1e-6,
  alwaysOptimal: false,
  // A gap of 1e-6 leaves a table sqrt(1e-6 / curvature) from the optimum, and d = 0.2 thrice has a curvature of 0.2^6.
  tableTolerance: 0.125,
  leastGain: 0.2,
  runs: 60
})

describe.each([1, 2, 3])('solvers of the same problem, %i variables', variableCount => {
  test('simplexSolver(rates, "kl") finds the table that TableSolver finds', () => {
    fc.assert(
      fc.property(problem(variableCount, 0.2), ({rates, a, w, mass}) => {
        const fast = simplexSolver(rates, 'kl')
        const general = new TableSolver(rates)
        const {objective, gap} = fast.solve(a, w, mass)
        const other = general.solve(a, w, mass)
        expect(Math.abs(objective - other.objective)).toBeLessThanOrEqual(Math.max(gap, other.gap) + 1e-13)
        // Without a shrinkage a cell that was never observed may leave a whole face of optima: there only objectives agree.
        if (w.reduce((sum, weight) => sum + weight, 0) > 1e-5 * mass)
          expect(largestDifference(fast.mu, general.mu)).toBeLessThan(1e-5 * mass)
      }),
      {numRuns: 300}
    )
  })

  test('simplexSolver(rates, "kl") reaches what exponentiatedGradient reaches', () => {
    fc.assert(
      fc.property(problem(variableCount, 0.2), ({rates, a, w, mass}) => {
        const {objective, gap} = simplexSolver(rates, 'kl').solve(a, w, mass)
        const slow = gradientSolver(rates).solve(a, w, mass)
        expect(Math.abs(objective - slow.objective)).toBeLessThanOrEqual(Math.max(gap, slow.gap) + 1e-13)
      }),
      {numRuns: 40}
    )
  })
})

test('simplexSolver(...) chooses the scalar solvers for one and two variables and KL alone', () => {
  const one = {truePositive: 0.7, falsePositive: 0.1}
  expect(simplexSolver([one], 'kl')).toBeInstanceOf(TwoCellSolver)
  expect(simplexSolver([one, one], 'kl')).toBeInstanceOf(FourCellSolver)
  expect(simplexSolver([one, one, one], 'kl')).toBeInstanceOf(TableSolver)
  expect(simplexSolver([one], 'l2')).toBeInstanceOf(TableSolver)
  expect(simplexSolver([one, one], 'l2')).toBeInstanceOf(TableSolver)
})

/** The slow twin as a solver. It knows tables of mass 1 only; a mass c adds -sum(a) log c to the objective. */
function gradientSolver(rates: readonly Rates[]): SimplexSolver {
  const mu = new Float64Array(2 ** rates.length)
  return {
    size: mu.length,
    mu,
    solve(a, w, mass) {
      const found = exponentiatedGradient(rates, a, w, {tolerance: 1e-6 * mass, stepLimit: 3000})
      mu.set(found.mu.map(share => mass * share))
      const observed = Array.from(a).reduce((sum, share) => sum + share, 0)
      return {...found.certificate, objective: found.certificate.objective - observed * Math.log(mass)}
    }
  }
}
