import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {anyRates, largestDifference, problem, productTable} from '../../../test/tables.ts'
import {clamp} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'
import {exponentiatedGradient} from './recover-table.ts'
import {describeSimplexSolver} from './simplex-solver.contract.ts'
import {FourCellSolver, simplexSolver, TwoCellSolver} from './simplex-solver.ts'
import {type SimplexSolver, TableSolver} from './table-solver.ts'

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
