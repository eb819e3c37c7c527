import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  anyRates,
  largestDifference,
  objectiveOf,
  observe,
  problem,
  productTable,
  randomTable,
  towards
} from '../../../test/tables.ts'
import {clamp, rng} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'
import {exponentiatedGradient, tableSolver} from './table.ts'
import {
  applyFactors,
  type Divergence,
  type SimplexSolver,
  simplexObjective,
  TableSolver,
  TwoCellSolver
} from './table-solver.ts'

const observed = {truePositive: 1, falsePositive: 0}

interface SolverCase {
  readonly name: string
  readonly make: (rates: readonly Rates[]) => SimplexSolver
  readonly divergence: Divergence
  readonly variableCounts: readonly number[]
  /** The gap that a solved problem may have, as a share of the mass. */
  readonly gapLimit: number
  /** Whether every problem is solved; a slow method may also stop at its step limit, if it says so. */
  readonly alwaysOptimal: boolean
  /** How close to the truth the table of exact observations comes, as a share of the mass. */
  readonly tableTolerance: number
  readonly leastGain: number
  readonly runs: number
}

/** What every minimiser of D(a, R mu) + lambda KL(independent, mu) over the simplex promises. */
function describeSimplexSolver(solver: SolverCase): void {
  const {name, make, divergence, gapLimit, alwaysOptimal, tableTolerance, leastGain, runs} = solver
  describe.each(solver.variableCounts)(`${name}, %i variables`, variableCount => {
    const problems = problem(variableCount, leastGain)
    const numRuns = Math.max(10, Math.ceil(runs / 2 ** variableCount))

    test('solve(...) gives a table without negative cells, of the mass that was asked for', () => {
      fc.assert(
        fc.property(problems, ({rates, a, w, mass}) => {
          const made = make(rates)
          made.solve(a, w, mass)
          expect(made.mu).toHaveLength(2 ** variableCount)
          expect(made.size).toBe(2 ** variableCount)
          expect(Math.min(...made.mu)).toBeGreaterThanOrEqual(0)
          expect(Math.abs(made.mu.reduce((sum, share) => sum + share, 0) - mass)).toBeLessThan(1e-11 * mass)
        }),
        {numRuns}
      )
    })

    test('solve(...) reports the objective of its table, and is optimal when the gap is within its limit', () => {
      fc.assert(
        fc.property(problems, given => {
          const made = make(given.rates)
          const {objective, gap, status, steps} = made.solve(given.a, given.w, given.mass)
          const twin = objectiveOf(given, made.mu, divergence)
          expect(Math.abs(objective - twin)).toBeLessThan(1e-12 * (1 + Math.abs(twin)))
          expect(status).toBe(alwaysOptimal || gap <= gapLimit * given.mass ? 'optimal' : 'step-limit')
          if (status === 'optimal') expect(gap).toBeLessThanOrEqual(gapLimit * given.mass)
          // A gap below 0 can only be rounding.
          expect(gap).toBeGreaterThan(-1e-13)
          expect(Number.isInteger(steps)).toBe(true)
        }),
        {numRuns}
      )
    })

    test('solve(...) is right that no table is better by more than the gap', () => {
      const random = rng(variableCount)
      fc.assert(
        fc.property(problems, given => {
          const made = make(given.rates)
          const {objective, gap} = made.solve(given.a, given.w, given.mass)
          const others = Array.from({length: 30}, () => randomTable(made.size, given.mass, random))
          for (let s = 0; s < made.size; s++)
            for (const h of [1e-6, 1e-4, 0.01, 0.3, 1]) others.push(towards(made.mu, s, h, given.mass))
          for (const table of others)
            expect(objectiveOf(given, table, divergence)).toBeGreaterThanOrEqual(
              objective - gap - 1e-13 * (1 + Math.abs(objective))
            )
        }),
        {numRuns}
      )
    })

    test('solve(...) gives the true table when the observations are exact and there is no shrinkage', () => {
      const random = rng(variableCount + 10)
      fc.assert(
        fc.property(problem(variableCount, 0.2), ({rates, mass}) => {
          const truth = randomTable(2 ** variableCount, mass, random)
          const made = make(rates)
          const none = truth.map(() => 0)
          const {objective} = made.solve(observe(rates, truth), none, mass)
          expect(Math.abs(objective)).toBeLessThanOrEqual(gapLimit * mass)
          expect(largestDifference(made.mu, truth)).toBeLessThan(tableTolerance * mass)
        }),
        {numRuns}
      )
    })
  })
}

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
  test.runIf(variableCount === 1)('tableSolver(rates, "kl") finds the table that TableSolver finds', () => {
    fc.assert(
      fc.property(problem(variableCount, 0.2), ({rates, a, w, mass}) => {
        const fast = tableSolver(rates, 'kl')
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

  test('tableSolver(rates, "kl") reaches what exponentiatedGradient reaches', () => {
    fc.assert(
      fc.property(problem(variableCount, 0.2), ({rates, a, w, mass}) => {
        const {objective, gap} = tableSolver(rates, 'kl').solve(a, w, mass)
        const slow = gradientSolver(rates).solve(a, w, mass)
        expect(Math.abs(objective - slow.objective)).toBeLessThanOrEqual(Math.max(gap, slow.gap) + 1e-13)
      }),
      {numRuns: 40}
    )
  })
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
})

describe('TableSolver', () => {
  test('solve(...) of an observed variable gives the mean of what was seen and the shrinkage, weighted 1 to lambda', () => {
    const solver = new TableSolver([observed, observed])
    const a = [0.5, 0.2, 0.3, 0]
    const independent = productTable([0.3, 0.4])
    for (const lambda of [0.01, 1]) {
      solver.solve(
        a,
        independent.map(share => lambda * share),
        1
      )
      const mean = a.map((share, s) => (share + lambda * independent[s]) / (1 + lambda))
      expect(largestDifference(solver.mu, mean)).toBeLessThan(1e-9)
    }
  })

  test('solve(...) with a huge shrinkage gives the independent table, whatever was seen', () => {
    const independent = productTable([0.3, 0.4, 0.1])
    const w = independent.map(share => 1e6 * share)
    for (const divergence of ['kl', 'l2'] as const) {
      const solver = new TableSolver([observed, {truePositive: 0.8, falsePositive: 0.1}, observed], divergence)
      solver.solve([0, 0, 0, 0, 0, 0, 0, 1], w, 1)
      expect(largestDifference(solver.mu, independent)).toBeLessThan(1e-5)
    }
  })

  test('solve(...) with L2 gives the nearest point of the simplex when nothing is hidden', () => {
    const solver = new TableSolver([observed, observed], 'l2')
    // Of mass 1.3 where 1 is asked for: every cell gives 0.1, and the last, which had nothing, gives nothing.
    const {objective} = solver.solve([0.6, 0.4, 0.3, 0], [0, 0, 0, 0], 1)
    expect(largestDifference(solver.mu, [0.5, 0.3, 0.2, 0])).toBeLessThan(1e-8)
    expect(objective).toBeCloseTo(0.03, 9)
  })
})

describe('simplexObjective', () => {
  test('simplexObjective(...) is KL(a, r) + lambda KL(independent, mu), worked out by hand', () => {
    const kl = simplexObjective([0.5, 0.5], [0.1, 0.1], 1, Float64Array.of(0.25, 0.75), Float64Array.of(0.2, 0.8), 'kl')
    // 0.5 log(0.5/0.2) + 0.5 log(0.5/0.8) + 0.2 (0.5 log(0.5/0.25) + 0.5 log(0.5/0.75))
    expect(kl).toBeCloseTo(0.5 * Math.log(25 / 16) + 0.1 * Math.log(4 / 3), 14)
    const l2 = simplexObjective([0.5, 0.5], [0, 0], 1, Float64Array.of(0.25, 0.75), Float64Array.of(0.2, 0.8), 'l2')
    expect(l2).toBeCloseTo(0.18, 14)
  })
})

describe.each([1, 2, 3, 4])('butterflies of %i variables', variableCount => {
  const size = 2 ** variableCount
  const anyFactors = fc.array(fc.double({min: -2, max: 2, noNaN: true}), {
    minLength: 4 * variableCount,
    maxLength: 4 * variableCount
  })
  const anyCells = fc.array(fc.double({min: -2, max: 2, noNaN: true}), {minLength: size, maxLength: size})

  test('applyFactors(...) multiplies by the Kronecker product', () => {
    fc.assert(
      fc.property(anyFactors, anyCells, (factors, cells) => {
        const x = Float64Array.from(cells)
        applyFactors(Float64Array.from(factors), x)
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
