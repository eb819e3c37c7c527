import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {observe, randomTable} from '../../../test/tables.ts'
import {rng} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'
import {independenceTest} from './independence-test.ts'
import {noisyRates} from './test-anchored.ts'

const OBSERVED: Rates = {truePositive: 1, falsePositive: 0}

const seeds = fc.integer().map(seed => rng(seed))
const otherCounts = fc.integer({min: 0, max: 3})

describe('independenceTest(...) of observed concepts', () => {
  test("independenceTest(...) without noise is Pearson's, summed over the settings of the others", () => {
    fc.assert(
      fc.property(otherCounts, seeds, (others, random) => {
        const table = randomTable(2 ** (others + 2), 1, random)
        const found = independenceTest(table, Array(others + 2).fill(OBSERVED), 1e5)
        const twin = pearson(table, 1e5)
        expect(found.degreesOfFreedom).toBe(2 ** others)
        expect(Math.abs(found.statistic / twin - 1)).toBeLessThan(1e-9)
      })
    )
  })
})

describe('independenceTest(...) of anchored concepts', () => {
  test('independenceTest(...) equals the quadratic form with the whole covariance written out', () => {
    fc.assert(
      fc.property(otherCounts, seeds, (others, random) => {
        const rates = Array.from({length: others + 2}, () => noisyRates(random))
        const table = randomTable(2 ** (others + 2), 1, random)
        const found = independenceTest(table, rates, 1e12)
        expect(found.degreesOfFreedom).toBe(2 ** others)
        expect(Math.abs(found.statistic / writtenOut(table, rates, 1e12) - 1)).toBeLessThan(1e-6)
      }),
      {numRuns: 60}
    )
  })
})

describe('independenceTest(...) at the boundary', () => {
  test('independenceTest(...) of any table, with cells of 0 or almost, is a number with a p-value', () => {
    const cell = fc.oneof(
      fc.constant(0),
      fc.constant(1e-300),
      fc.constant(1e-12),
      fc.double({min: 0, max: 1, noNaN: true})
    )
    const extreme = fc.constantFrom(
      OBSERVED,
      {truePositive: 0.4, falsePositive: 0},
      {truePositive: 1, falsePositive: 0.1}
    )
    const any = otherCounts.chain(others =>
      fc.tuple(
        fc.array(cell, {minLength: 2 ** (others + 2), maxLength: 2 ** (others + 2)}).filter(cells => sum(cells) > 0.01),
        fc.array(fc.oneof(extreme, seeds.map(noisyRates)), {minLength: others + 2, maxLength: others + 2})
      )
    )
    fc.assert(
      fc.property(any, fc.constantFrom(1, 100, 1e9), ([cells, rates], N) => {
        const {statistic, degreesOfFreedom, pValue} = independenceTest(
          cells.map(value => value / sum(cells)),
          rates,
          N
        )
        expect(statistic).toBeGreaterThanOrEqual(0)
        expect(statistic).toBeLessThan(Number.POSITIVE_INFINITY)
        expect(degreesOfFreedom).toBeLessThanOrEqual(cells.length / 4)
        expect(pValue).toBeGreaterThanOrEqual(0)
        expect(pValue).toBeLessThanOrEqual(1)
        if (degreesOfFreedom === 0) expect({statistic, pValue}).toEqual({statistic: 0, pValue: 1})
      }),
      {numRuns: 500}
    )
  })

  test('independenceTest(...) does not use settings that are empty, too rare, or have a constant concept', () => {
    const rates = [0.5, 0.6, 0.7].map(truePositive => ({truePositive, falsePositive: 0.01}))
    const table = (inSecond: readonly number[]) => [0.3, 0.1, 0.1, 0.3].flatMap((p, at) => [p, inSecond[at]])
    const scaled = (cells: readonly number[]) => cells.map(value => value / sum(cells))
    const freedom = (cells: readonly number[], N: number) => independenceTest(scaled(cells), rates, N).degreesOfFreedom
    expect(freedom(table([0.05, 0.05, 0.05, 0.05]), 1e4)).toBe(2)
    expect(freedom(table([0.05, 0.05, 0.05, 0.05]), 10)).toBe(0)
    expect(freedom(table([0, 0, 0, 0]), 1e9)).toBe(1)
    expect(freedom(table([1e-4, 1e-4, 1e-4, 1e-4]), 1e4)).toBe(1)
    expect(freedom(table([0.05, 0.15, 0, 0]), 1e9)).toBe(1)
  })
})

function pearson(table: readonly number[], N: number): number {
  const quarter = table.length / 4
  let statistic = 0
  for (let s = 0; s < quarter; s++) {
    const cells = [0, 1, 2, 3].map(at => table[at * quarter + s])
    const mass = sum(cells)
    cells.forEach((share, at) => {
      const row = at < 2 ? cells[0] + cells[1] : cells[2] + cells[3]
      const column = at % 2 === 0 ? cells[0] + cells[2] : cells[1] + cells[3]
      const expected = (row * column) / mass
      statistic += (N * (share - expected) ** 2) / expected
    })
  }
  return statistic
}

/** theta' C^-1 theta with C = g' R^-1 (diag(a) - a a') R^-T g / N, all matrices in full. */
function writtenOut(table: readonly number[], rates: readonly Rates[], N: number): number {
  const size = table.length
  const quarter = size / 4
  const cell = (at: number, s: number) => at * quarter + s
  const mu0 = new Array<number>(size).fill(0)
  const theta: number[] = []
  for (let s = 0; s < quarter; s++) {
    const [p00, p01, p10, p11] = [0, 1, 2, 3].map(at => table[cell(at, s)])
    const mass = p00 + p01 + p10 + p11
    theta.push(p11 * p00 - p10 * p01)
    mu0[cell(0, s)] = ((p00 + p01) * (p00 + p10)) / mass
    mu0[cell(1, s)] = ((p00 + p01) * (p01 + p11)) / mass
    mu0[cell(2, s)] = ((p10 + p11) * (p00 + p10)) / mass
    mu0[cell(3, s)] = ((p10 + p11) * (p01 + p11)) / mass
  }
  const unit = (at: number) => Array.from({length: size}, (_, to) => (to === at ? 1 : 0))
  const R = transposed(unit(0).map((_, at) => observe(rates, unit(at))))
  const a = observe(rates, mu0)
  const multinomial = a.map((p, c) => a.map((q, d) => ((c === d ? p : 0) - p * q) / N))
  const g = theta.map((_, s) => {
    const row = new Array<number>(size).fill(0)
    row[cell(0, s)] = mu0[cell(3, s)]
    row[cell(1, s)] = -mu0[cell(2, s)]
    row[cell(2, s)] = -mu0[cell(1, s)]
    row[cell(3, s)] = mu0[cell(0, s)]
    return row
  })
  // R' h = g gives h = R^-T g.
  const h = g.map(row => solved(transposed(R), row))
  const C = h.map(x =>
    h.map(y => sum(x.map((value, c) => value * sum(multinomial[c].map((entry, d) => entry * y[d])))))
  )
  return sum(solved(C, theta).map((value, s) => value * theta[s]))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function transposed(A: readonly (readonly number[])[]): number[][] {
  return A[0].map((_, column) => A.map(row => row[column]))
}

/** A x = b by Gauss's method with pivots. */
function solved(A: readonly (readonly number[])[], b: readonly number[]): number[] {
  const rows = A.map((row, at) => [...row, b[at]])
  for (let column = 0; column < rows.length; column++) {
    const pivot = rows
      .slice(column)
      .reduce((best, row) => (Math.abs(row[column]) > Math.abs(best[column]) ? row : best))
    rows.splice(rows.indexOf(pivot), 1)
    rows.splice(column, 0, pivot)
    for (const row of rows) {
      if (row === pivot) continue
      const factor = row[column] / pivot[column]
      for (let at = column; at <= rows.length; at++) row[at] -= factor * pivot[at]
    }
  }
  return rows.map((row, at) => row[rows.length] / row[at])
}
