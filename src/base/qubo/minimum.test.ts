import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {type BinaryQuadratic, pairIndex, quadraticValue} from './binary-quadratic.ts'
import {type BinaryMinimum, enumerateMinimum} from './enumerate-minimum.ts'
import {searchMinima} from './search-minima.ts'
import {quadratics, randomQuadratic, rounding, smallestValue} from './test-functions.ts'

minimumContract('enumerateMinimum', enumerateMinimum)
minimumContract('searchMinima', q => {
  const {rows, values} = searchMinima(q, {starts: 60, rng: rng(3), keep: 1})
  return {y: rows, value: values[0]}
})

test('pairIndex(i, k, m) counts the pairs row by row', () => {
  for (const m of [2, 3, 7]) {
    const places: number[] = []
    for (let i = 0; i < m; i++) for (let k = i + 1; k < m; k++) places.push(pairIndex(i, k, m))
    expect(places).toEqual(places.map((_, at) => at))
    expect(places).toHaveLength((m * (m - 1)) / 2)
  }
})

test('quadraticValue(q, y) adds the coefficients of the variables that are on, and of their pairs', () => {
  const q = {size: 3, linear: Float64Array.of(1, 2, 4), quadratic: Float64Array.of(10, 20, 40)}
  expect(quadraticValue(q, [0, 0, 0])).toBe(0)
  expect(quadraticValue(q, [1, 0, 1])).toBe(1 + 4 + 20)
  expect(quadraticValue(q, [0, 1, 1])).toBe(2 + 4 + 40)
  expect(quadraticValue(q, [1, 1, 1])).toBe(7 + 70)
})

test('enumerateMinimum(q) equals a look at every point, also where sums are made anew on the way', () => {
  for (let seed = 1; seed <= 4; seed++) {
    const q = randomQuadratic(14, seed)
    const {y, value} = enumerateMinimum(q)
    expect(value).toBe(smallestValue(14, x => quadraticValue(q, x)))
    expect(quadraticValue(q, y)).toBe(value)
  }
})

/** What every minimiser of quadratic functions must do on functions small enough to enumerate. */
export function minimumContract(name: string, minimize: (q: BinaryQuadratic) => BinaryMinimum): void {
  describe(name, () => {
    test(`${name}(q) finds the smallest value of any function, and a point that has it`, () => {
      fc.assert(
        fc.property(quadratics(9), q => {
          const {y, value} = minimize(q)
          const tolerance = rounding(q.linear, q.quadratic)
          expect(y).toHaveLength(q.size)
          expect(value).toBe(quadraticValue(q, y))
          expect(value).toBeLessThanOrEqual(smallestValue(q.size, x => quadraticValue(q, x)) + tolerance)
        }),
        {numRuns: 150, seed: 11}
      )
    })

    test(`${name}(q) gives 0 for a function that is 0 everywhere, of no variable or of some`, () => {
      for (const size of [0, 1, 5]) {
        const zero = {size, linear: new Float64Array(size), quadratic: new Float64Array((size * (size - 1)) / 2)}
        expect(minimize(zero).value).toBe(0)
      }
    })

    test(`${name}(q) leaves the function as it was and gives the same answer twice`, () => {
      const q = randomQuadratic(12, 5)
      const [linear, quadratic] = [q.linear.slice(), q.quadratic.slice()]
      const first = minimize(q)
      expect(minimize(q)).toEqual(first)
      expect(q.linear).toEqual(linear)
      expect(q.quadratic).toEqual(quadratic)
    })
  })
}
