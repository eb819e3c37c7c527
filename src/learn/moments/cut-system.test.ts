import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {matrixOf, solveDense} from '../../../test/dense.ts'
import {product} from '../../../test/moment-checks.ts'
import {randomProblem} from '../../../test/problems.ts'
import {largestDifference} from '../../../test/tables.ts'
import {type Rng, rng} from '../../base/numeric/index.ts'
import type {CutRow} from '../polytopes/index.ts'
import {type Curvature, PairCurvature} from './curvature.ts'
import {CutSet, CutSystem} from './cut-system.ts'
import {insidePoint} from './moment-problem.ts'

const m = 7
const problem = randomProblem({conceptCount: m, order: 2, seed: 7, lambda: 0.01})

function curvature(conceptCount = m): Curvature {
  const problem = randomProblem({conceptCount, order: 2, seed: 7, lambda: 0.01})
  const model = new PairCurvature(problem)
  model.update(insidePoint(problem), new Float64Array(problem.layout.size).fill(0.5))
  return model
}

/** The same curvature, with a count of the products that it was asked for. */
function countingProducts(model: Curvature): {counted: Curvature; products: () => number} {
  let count = 0
  const counted: Curvature = {
    slope: model.slope,
    update: (x, weights) => model.update(x, weights),
    factor: extra => model.factor(extra),
    solve: (b, out) => model.solve(b, out),
    diagonal: out => model.diagonal(out),
    multiply(v, out) {
      count++
      model.multiply(v, out)
    }
  }
  return {counted, products: () => count}
}

/** Rows of four entries of +-1, as those of triangles are. */
function randomCuts(count: number, length: number, random: Rng): CutSet {
  const cuts = new CutSet()
  for (let row = 0; row < count; row++) {
    const first = Math.floor((length - 9) * random.next())
    const values = Array.from({length: 4}, () => (random.next() < 0.5 ? -1 : 1))
    cuts.add({indices: [first, first + 2, first + 3, first + 7], values, lower: 0})
  }
  return cuts
}

/** H + sum of omega a a', written out. */
function denseSystem(model: Curvature, cuts: CutSet, omega: Float64Array): number[][] {
  const n = model.slope.length
  const matrix = matrixOf((v, out) => model.multiply(v, out), n)
  for (let row = 0; row < cuts.size; row++) {
    const values = new Float64Array(n)
    cuts.addTo(values, row, 1)
    for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) matrix[a][b] += omega[row] * values[a] * values[b]
  }
  return matrix
}

describe('CutSystem', () => {
  // Below the number of rows that are solved for exactly, rounding; above, what conjugate gradients leave: 0.001 of b in
  // the norm of the preconditioner, which is within a small factor of that of the system.
  test.each([
    {rows: 1, tolerance: 1e-9},
    {rows: 40, tolerance: 1e-9},
    {rows: 300, tolerance: 1e-9},
    {rows: 301, tolerance: 0.01},
    {rows: 500, tolerance: 0.01}
  ])('CutSystem.solve(...) solves as elimination does with $rows rows', ({rows, tolerance}) => {
    const random = rng(rows)
    const model = curvature()
    const n = model.slope.length
    const cuts = randomCuts(rows, n, random)
    // Weights from light to heavy, as slacks from wide to tight make them.
    const omega = Float64Array.from({length: rows}, () => 10 ** (8 * random.next() - 5))
    const system = new CutSystem(model, cuts)
    expect(system.factor(omega)).toBe(true)
    const matrix = denseSystem(model, cuts, omega)
    for (let trial = 0; trial < 3; trial++) {
      const b = Float64Array.from({length: n}, () => random.next() - 0.5)
      const x = new Float64Array(n)
      system.solve(b, x)
      const exact = solveDense(matrix, b)
      const error = Float64Array.from(x, (value, at) => value - exact[at])
      const norm = (v: ArrayLike<number>) =>
        Math.sqrt(
          product(
            matrix.map(row => product(row, v)),
            v
          )
        )
      expect(norm(error)).toBeLessThan(tolerance * norm(exact))
    }
  })

  test('CutSystem.solve(...) needs few products when most rows are light', () => {
    const random = rng(2)
    const {counted, products} = countingProducts(curvature(20))
    const n = counted.slope.length
    const cuts = randomCuts(900, n, random)
    // Heavy rows on the first 30 columns; the light ones of the others weigh the more the later they stand.
    const omega = Float64Array.from({length: 900}, (_, row) => {
      const columns = new Float64Array(n)
      cuts.addTo(columns, row, 1)
      const first = columns.findIndex(value => value !== 0)
      return first < 30 ? 1e5 : 10 ** ((4 * first) / n)
    })
    const system = new CutSystem(counted, cuts)
    system.factor(omega)
    system.solve(
      Float64Array.from({length: n}, () => random.next() - 0.5),
      new Float64Array(n)
    )
    expect(products()).toBeGreaterThan(0)
    expect(products()).toBeLessThan(20)
  })

  test('CutSystem.factor(...) can be asked again, with other weights and other rows', () => {
    const random = rng(5)
    const model = curvature()
    const n = model.slope.length
    const cuts = randomCuts(60, n, random)
    const system = new CutSystem(model, cuts)
    const b = Float64Array.from({length: n}, () => random.next() - 0.5)
    const x = new Float64Array(n)
    system.factor(new Float64Array(60).fill(3))
    cuts.retain(row => row % 3 === 0)
    const omega = Float64Array.from({length: 20}, () => random.next())
    expect(system.factor(omega)).toBe(true)
    system.solve(b, x)
    expect(largestDifference(x, solveDense(denseSystem(model, cuts, omega), b))).toBeLessThan(1e-9)
  })

  test('CutSystem.factor(...) says so when the matrix is not positive definite', () => {
    const model = new PairCurvature(problem)
    // No weights at all, and cells that shrinkage the wrong way.
    model.update(insidePoint(problem), new Float64Array(problem.layout.size).fill(-1e6))
    const cuts = randomCuts(3, model.slope.length, rng(1))
    expect(new CutSystem(model, cuts).factor(new Float64Array(3).fill(1))).toBe(false)
  })
})

const COLUMNS = 6
/** Small whole numbers, so that sums are exact. */
const whole = fc.integer({min: -9, max: 9})
const row: fc.Arbitrary<CutRow> = fc
  .tuple(fc.uniqueArray(fc.nat({max: COLUMNS - 1})), fc.array(whole, {minLength: COLUMNS, maxLength: COLUMNS}), whole)
  .map(([indices, values, lower]) => ({indices, values: values.slice(0, indices.length), lower}))
const rows = fc.array(row, {maxLength: 12})
const point = fc.array(whole, {minLength: COLUMNS, maxLength: COLUMNS}).map(values => Float64Array.from(values))

function cutSet(list: readonly CutRow[]): CutSet {
  const cuts = new CutSet()
  for (const each of list) cuts.add(each)
  return cuts
}

function dense({indices, values}: CutRow): number[] {
  const out = Array.from({length: COLUMNS}, () => 0)
  indices.forEach((column, at) => {
    out[column] += values[at]
  })
  return out
}

describe('CutSet', () => {
  test('CutSet has the products and slacks of its rows', () => {
    fc.assert(
      fc.property(rows, point, (list, x) => {
        const cuts = cutSet(list)
        expect(cuts.size).toBe(list.length)
        list.forEach((each, at) => {
          expect(cuts.product(at, x)).toBe(product(dense(each), x))
          expect(cuts.slack(at, x)).toBe(product(dense(each), x) - each.lower)
        })
      })
    )
  })

  test('CutSet.addTo(...) and addSquaresTo(...) add a multiple of a row, and of its squares', () => {
    fc.assert(
      fc.property(row, row, point, whole, (first, second, x, factor) => {
        const cuts = cutSet([first, second])
        const [sum, squares] = [x.slice(), x.slice()]
        cuts.addTo(sum, 1, factor)
        cuts.addSquaresTo(squares, 1, factor)
        const values = dense(second)
        expect([...sum]).toEqual(values.map((value, at) => x[at] + factor * value))
        expect([...squares]).toEqual(values.map((value, at) => x[at] + factor * value * value))
      })
    )
  })

  test('CutSet.retain(...) keeps the rows that are wanted, in order, and rows can be added after it', () => {
    fc.assert(
      fc.property(rows, fc.array(fc.boolean(), {minLength: 12, maxLength: 12}), row, point, (list, wanted, next, x) => {
        const cuts = cutSet(list)
        cuts.retain(at => wanted[at])
        cuts.add(next)
        const left = [...list.filter((_, at) => wanted[at]), next]
        expect(cuts.size).toBe(left.length)
        left.forEach((each, at) => {
          expect(cuts.slack(at, x)).toBe(product(dense(each), x) - each.lower)
        })
      })
    )
  })
})
