import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  largestDifference,
  objectiveOf,
  observe,
  type Problem,
  problem,
  productTable,
  randomTable,
  towards
} from '../../../test/tables.ts'
import {rng} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'
import {type Divergence, multiplyKronecker, oneTable, type TableProblem} from './objective.ts'
import {exponentiatedGradient, type RecoveredTable, TableSolver} from './table-solver.ts'

const observed = {truePositive: 1, falsePositive: 0}

const tableProblem = (
  rates: readonly Rates[],
  a: readonly number[],
  w: readonly number[],
  divergence: Divergence = 'kl'
): TableProblem => ({
  layout: oneTable(rates.length),
  rates,
  observed: Float64Array.from(a),
  shrinkageWeights: Float64Array.from(w),
  lambda: w.reduce((sum, weight) => sum + weight, 0),
  divergence
})

const newton = (given: TableProblem) => new TableSolver(given).solve()

interface SolverCase {
  readonly name: string
  readonly solve: (problem: TableProblem) => RecoveredTable
  readonly divergence: Divergence
  readonly variableCounts: readonly number[]
  /** The gap that a solved problem may have. */
  readonly gapLimit: number
  /** Whether every problem is solved; a slow method may also stop at its step limit, if it says so. */
  readonly alwaysOptimal: boolean
  /** How close to the truth the table of exact observations comes. */
  readonly tableTolerance: number
  readonly leastGain: number
  readonly runs: number
}

/** What every minimiser of D(a, R mu) + lambda KL(independent, mu) over the simplex promises. */
function describeTableSolver(solver: SolverCase): void {
  const {name, solve, divergence, gapLimit, alwaysOptimal, tableTolerance, leastGain, runs} = solver
  describe.each(solver.variableCounts)(`${name}, %i variables`, variableCount => {
    const size = 2 ** variableCount
    const problems = problem(variableCount, leastGain)
    const numRuns = Math.max(10, Math.ceil(runs / size))
    const solved = ({rates, a, w}: Problem) => solve(tableProblem(rates, a, w, divergence))

    test('solve() gives a table of mass 1 with its objective, and no table is better by more than the gap', () => {
      const random = rng(variableCount)
      fc.assert(
        fc.property(problems, given => {
          const {mu, certificate} = solved(given)
          const {objective, gap, status, steps} = certificate
          expect(mu).toHaveLength(size)
          expect(Math.min(...mu)).toBeGreaterThanOrEqual(0)
          expect(Math.abs(mu.reduce((sum, share) => sum + share, 0) - 1)).toBeLessThan(1e-11)
          const twin = objectiveOf(given, mu, divergence)
          expect(Math.abs(objective - twin)).toBeLessThan(1e-12 * (1 + Math.abs(twin)))
          expect(status).toBe(alwaysOptimal || gap <= gapLimit ? 'optimal' : 'step-limit')
          if (status === 'optimal') expect(gap).toBeLessThanOrEqual(gapLimit)
          // A gap below 0 can only be rounding.
          expect(gap).toBeGreaterThan(-1e-13)
          expect(Number.isInteger(steps)).toBe(true)
          const others = Array.from({length: 30}, () => randomTable(size, 1, random))
          for (let s = 0; s < size; s++) for (const h of [1e-6, 1e-4, 0.01, 0.3, 1]) others.push(towards(mu, s, h))
          for (const table of others)
            expect(objectiveOf(given, table, divergence)).toBeGreaterThanOrEqual(
              objective - gap - 1e-13 * (1 + Math.abs(objective))
            )
        }),
        {numRuns}
      )
    })

    test('solve() gives the true table when the observations are exact and there is no shrinkage', () => {
      const random = rng(variableCount + 10)
      fc.assert(
        fc.property(problem(variableCount, 0.2), ({rates}) => {
          const truth = randomTable(size, 1, random)
          const a = observe(rates, truth)
          const {mu, certificate} = solved({rates, a, w: truth.map(() => 0)})
          expect(Math.abs(certificate.objective)).toBeLessThanOrEqual(gapLimit)
          expect(largestDifference(mu, truth)).toBeLessThan(tableTolerance)
        }),
        {numRuns}
      )
    })
  })
}

const exact = {gapLimit: 1e-10, alwaysOptimal: true, tableTolerance: 1e-8, leastGain: 0.02, runs: 300}
const slow = (given: TableProblem) => exponentiatedGradient(given, 1e-6, 3000)
const coarse = {gapLimit: 1e-6, alwaysOptimal: false, leastGain: 0.2, runs: 60}

for (const divergence of ['kl', 'l2'] as const) {
  describeTableSolver({
    name: `TableSolver with ${divergence}`,
    solve: newton,
    divergence,
    variableCounts: [1, 2, 3, 4],
    ...exact
  })
  // A gap of 1e-6 leaves a table sqrt(1e-6 / curvature) from the optimum, and d = 0.2 thrice has a curvature of 0.2^6.
  describeTableSolver({
    name: `exponentiatedGradient with ${divergence}`,
    solve: slow,
    divergence,
    variableCounts: [1, 2, 3],
    tableTolerance: 0.125,
    ...coarse
  })
}

describe.each([1, 2, 3])('solvers of the same problem, %i variables', variableCount => {
  test('TableSolver reaches what exponentiatedGradient reaches', () => {
    fc.assert(
      fc.property(problem(variableCount, 0.2), fc.constantFrom('kl', 'l2'), ({rates, a, w}, divergence) => {
        const given = tableProblem(rates, a, w, divergence)
        const [fast, twin] = [newton(given).certificate, slow(given).certificate]
        expect(Math.abs(fast.objective - twin.objective)).toBeLessThanOrEqual(Math.max(fast.gap, twin.gap) + 1e-13)
      }),
      {numRuns: 40}
    )
  })
})

describe('TableSolver', () => {
  test('solve() of observed variables gives the mean of what was seen and the shrinkage, weighted 1 to lambda', () => {
    const a = [0.5, 0.2, 0.3, 0]
    const independent = productTable([0.3, 0.4])
    for (const lambda of [0.01, 1]) {
      const w = independent.map(share => lambda * share)
      const mean = a.map((share, s) => (share + w[s]) / (1 + lambda))
      expect(largestDifference(newton(tableProblem([observed, observed], a, w)).mu, mean)).toBeLessThan(1e-9)
    }
  })

  test('solve() with a huge shrinkage gives the independent table, whatever was seen', () => {
    const independent = productTable([0.3, 0.4, 0.1])
    const w = independent.map(share => 1e6 * share)
    const rates = [observed, {truePositive: 0.8, falsePositive: 0.1}, observed]
    for (const divergence of ['kl', 'l2'] as const) {
      const {mu} = newton(tableProblem(rates, [0, 0, 0, 0, 0, 0, 0, 1], w, divergence))
      expect(largestDifference(mu, independent)).toBeLessThan(1e-5)
    }
  })

  test('solve() with L2 gives the nearest point of the simplex when nothing is hidden', () => {
    // Of mass 1.3 where 1 is asked for: every cell gives 0.1, and the last, which had nothing, gives nothing.
    const {mu, certificate} = newton(tableProblem([observed, observed], [0.6, 0.4, 0.3, 0], [0, 0, 0, 0], 'l2'))
    expect(largestDifference(mu, [0.5, 0.3, 0.2, 0])).toBeLessThan(1e-8)
    expect(certificate.objective).toBeCloseTo(0.03, 9)
  })
})

describe.each([1, 2, 3, 4])('butterflies of %i variables', variableCount => {
  const size = 2 ** variableCount
  const anyFactors = fc.array(fc.double({min: -2, max: 2, noNaN: true}), {
    minLength: 4 * variableCount,
    maxLength: 4 * variableCount
  })
  const anyCells = fc.array(fc.double({min: -2, max: 2, noNaN: true}), {minLength: size, maxLength: size})

  test('multiplyKronecker(...) multiplies by the Kronecker product', () => {
    fc.assert(
      fc.property(anyFactors, anyCells, (factors, cells) => {
        const x = Float64Array.from(cells)
        multiplyKronecker(Float64Array.from(factors), x)
        const slow = cells.map((_, row) =>
          cells.reduce((sum, value, column) => sum + entry(factors, row, column) * value, 0)
        )
        expect(largestDifference(x, slow)).toBeLessThan(1e-11)
      }),
      {numRuns: 30}
    )
  })

  function entry(factors: readonly number[], row: number, column: number): number {
    let product = 1
    for (let k = 0; k < variableCount; k++) {
      const bit = variableCount - 1 - k
      product *= factors[4 * k + 2 * ((row >> bit) & 1) + ((column >> bit) & 1)]
    }
    return product
  }
})
