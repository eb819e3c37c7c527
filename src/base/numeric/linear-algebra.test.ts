import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {solveDense} from '../../../test/dense.ts'
import {product} from '../../../test/moment-checks.ts'
import {largestDifference} from '../../../test/tables.ts'
import {choleskyFactor, choleskySolve, conjugateGradients} from './linear-algebra.ts'
import {rng} from './rng.ts'

/** B B' + I / 10 with the upper triangle set to NaN: positive definite, and spoilt wherever it must not be read. */
const anyMatrix = fc.integer({min: 1, max: 11}).chain(size =>
  fc.array(fc.double({min: -2, max: 2, noNaN: true}), {minLength: size * size, maxLength: size * size}).map(B => {
    const full = Float64Array.from({length: size * size}, (_, at) => {
      const [row, column] = [Math.floor(at / size), at % size]
      let sum = row === column ? 0.1 : 0
      for (let k = 0; k < size; k++) sum += B[row * size + k] * B[column * size + k]
      return sum
    })
    const lower = full.map((value, at) => (at % size > Math.floor(at / size) ? Number.NaN : value))
    return {size, full, lower}
  })
)

test('choleskyFactor(...) multiplies back to the matrix and reads the lower triangle only', () => {
  fc.assert(
    fc.property(anyMatrix, ({size, full, lower}) => {
      const L = lower.slice()
      expect(choleskyFactor(L, size)).toBe(true)
      for (let row = 0; row < size; row++)
        for (let column = 0; column <= row; column++) {
          let product = 0
          for (let k = 0; k <= column; k++) product += L[row * size + k] * L[column * size + k]
          expect(product).toBeCloseTo(full[row * size + column], 11)
        }
    }),
    {seed: 1}
  )
})

test('choleskySolve(...) finds the vector whose product with the matrix is the right-hand side', () => {
  fc.assert(
    fc.property(
      anyMatrix,
      fc.infiniteStream(fc.double({min: -1, max: 1, noNaN: true})),
      ({size, full, lower}, draws) => {
        const wanted = Float64Array.from({length: size}, () => draws.next().value ?? 0)
        const b = Float64Array.from(wanted, (_, row) =>
          wanted.reduce((sum, value, column) => sum + full[row * size + column] * value, 0)
        )
        const L = lower.slice()
        choleskyFactor(L, size)
        choleskySolve(L, size, b)
        // The smallest eigenvalue is 0.1 or more and the largest under 8 * 8 * 4, so 14 digits lose at most 4.
        b.forEach((value, row) => {
          expect(value).toBeCloseTo(wanted[row], 9)
        })
      }
    ),
    {seed: 2}
  )
})

test.each([
  ['a negative pivot', [-1], 1],
  ['a zero matrix', [0, 0, 0, 0], 2],
  ['an indefinite matrix', [1, 2, 2, 1], 2],
  ['a singular matrix', [1, 1, 1, 1], 2],
  ['NaN', [1, 0, Number.NaN, 1], 2]
])('choleskyFactor(...) says false to %s', (_, values, size) => {
  expect(choleskyFactor(Float64Array.from(values), size)).toBe(false)
})

describe('conjugateGradients', () => {
  const n = 20
  const random = rng(2)
  const factor = Array.from({length: n}, () => Array.from({length: n}, () => random.next() - 0.5))
  // F F' + a diagonal that makes the scales of the unknowns differ by a factor of a thousand.
  const matrix = factor.map((row, a) => factor.map((other, b) => product(row, other) + (a === b ? 1 + a ** 3 / 8 : 0)))
  const b = Float64Array.from({length: n}, () => random.next() - 0.5)
  const multiply = (v: Float64Array, out: Float64Array) => out.set(matrix.map(row => product(row, v)))
  const plain = (r: Float64Array, out: Float64Array) => out.set(r)
  const byDiagonal = (r: Float64Array, out: Float64Array) => out.set(r.map((value, at) => value / matrix[at][at]))

  test('conjugateGradients(...) solves as elimination does, with either preconditioner', () => {
    const exact = solveDense(matrix, b)
    for (const precondition of [plain, byDiagonal]) {
      const x = new Float64Array(n).fill(9)
      conjugateGradients(b, x, {multiply, precondition, residual: 1e-12, stepLimit: 1000})
      expect(largestDifference(x, exact)).toBeLessThan(1e-10)
    }
  })

  test('conjugateGradients(...) stops at the step limit', () => {
    const options = {multiply, precondition: plain, residual: 1e-12, stepLimit: 3}
    expect(conjugateGradients(b, new Float64Array(n), options)).toBe(3)
  })
})
