import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {anyRates, largestDifference, observe, problem, productTable} from '../../../test/tables.ts'
import {applyFactors, productEntries, setFactor, setProducts, simplexObjective, TableSolver} from './table-solver.ts'

const observed = {truePositive: 1, falsePositive: 0}

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

  test('solve(...) does not mind the order of the variables', () => {
    fc.assert(
      fc.property(problem(2), ({rates: [i, k], a, w, mass}) => {
        const one = new TableSolver([i, k])
        const other = new TableSolver([k, i])
        const swap = (cells: ArrayLike<number>) => [cells[0], cells[2], cells[1], cells[3]]
        const {objective, gap} = one.solve(a, w, mass)
        const swapped = other.solve(swap(a), swap(w), mass)
        expect(Math.abs(objective - swapped.objective)).toBeLessThanOrEqual(Math.max(gap, swapped.gap) + 1e-13)
      })
    )
  })

  test('solve(...) takes few steps: no problem of four variables needs more than 60 of its 100', () => {
    fc.assert(
      fc.property(problem(4), ({rates, a, w, mass}) => {
        expect(new TableSolver(rates).solve(a, w, mass).steps).toBeLessThanOrEqual(60)
      })
    )
  })

  test('solve(...) gives the same table when a variable is added that was never seen on and is shrunk to off', () => {
    const [i, k] = fc.sample(anyRates(0.3), {numRuns: 2, seed: 5})
    const pair = new TableSolver([i, k])
    const a = observe([i, k], [0.4, 0.2, 0.1, 0.3])
    pair.solve(a, [0, 0, 0, 0], 1)
    const triple = new TableSolver([i, k, observed])
    triple.solve(
      a.flatMap(share => [share, 0]),
      Array.from({length: 8}, () => 0),
      1
    )
    const withoutWord = [0, 2, 4, 6].map(cell => triple.mu[cell])
    expect(largestDifference(withoutWord, pair.mu)).toBeLessThan(1e-6)
  })
})

describe('simplexObjective', () => {
  test('simplexObjective(...) is 0 where both the observations and the shrinkage are met', () => {
    const mu = Float64Array.from(productTable([0.2, 0.7]))
    const w = mu.map(share => 0.3 * share)
    expect(simplexObjective(mu, w, 1, mu, mu, 'kl')).toBeCloseTo(0, 14)
    expect(simplexObjective(mu, w, 1, mu, mu, 'l2')).toBeCloseTo(0, 14)
  })

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

  test("productEntries(...) has every entry of R' diag(x) R, found by adding up ternary digits", () => {
    fc.assert(
      fc.property(anyFactors, anyCells, (factors, cells) => {
        const filled = new Float64Array(4 * variableCount)
        const products = new Float64Array(6 * variableCount)
        for (let k = 0; k < variableCount; k++) {
          setFactor(filled, k, factors[4 * k], factors[4 * k + 1], factors[4 * k + 2], factors[4 * k + 3])
          setProducts(products, k, filled)
        }
        const work = () => new Float64Array(3 ** variableCount)
        const entries = productEntries(products, Float64Array.from(cells), work(), work())
        for (let s = 0; s < size; s++)
          for (let q = 0; q < size; q++) {
            const slow = cells.reduce((sum, x, c) => sum + entry(factors, c, s) * entry(factors, c, q) * x, 0)
            const at = Number.parseInt(s.toString(2), 3) + Number.parseInt(q.toString(2), 3)
            expect(Math.abs(entries[at] - slow)).toBeLessThan(1e-9)
          }
      }),
      {numRuns: 30}
    )
  })

  /** One entry of the Kronecker product of 2x2 matrices, the first most significant. */
  function entry(factors: readonly number[], row: number, column: number): number {
    let product = 1
    for (let k = 0; k < variableCount; k++) {
      const bit = variableCount - 1 - k
      product *= factors[4 * k + 2 * ((row >> bit) & 1) + ((column >> bit) & 1)]
    }
    return product
  }
})
