import fc from 'fast-check'
import {expect, test} from 'vitest'
import {choleskyFactor, choleskySolve} from './cholesky.ts'

/** B B' + I / 10 with the upper triangle set to NaN: positive definite, and spoilt wherever it must not be read. */
const anyMatrix = fc.integer({min: 1, max: 8}).chain(size =>
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

test('choleskyFactor(...) gives the factor known by hand', () => {
  const A = Float64Array.of(4, 0, 0, 12, 37, 0, -16, -43, 98)
  expect(choleskyFactor(A, 3)).toBe(true)
  expect([...A]).toEqual([2, 0, 0, 6, 1, 0, -8, 5, 3])
  const b = Float64Array.of(2 * 2, 2 * 6, 2 * -8)
  choleskySolve(A, 3, b)
  expect([...b]).toEqual([1, 0, 0])
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
