import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {type BinaryQuadratic, quadraticValue} from './binary-function.ts'
import {type BinaryMinimum, enumerateCubic, enumerateMinimum} from './enumerate-minimum.ts'
import {minimizeQuadratic} from './minimize-quadratic.ts'
import {searchCubic, searchMinima} from './search-minima.ts'
import {quadratics, randomQuadratic, rounding, smallestValue} from './test-functions.ts'

const options = () => ({starts: 60, rng: rng(3), keep: 1})
const noTriples = (size: number) => new Float64Array(Math.max(0, (size * (size - 1) * (size - 2)) / 6))

minimumContract('enumerateMinimum', enumerateMinimum)
minimumContract('minimizeQuadratic', q => {
  const {y, value} = minimizeQuadratic(q)
  return {y, value}
})
minimumContract('searchMinima', q => {
  const {rows, values} = searchMinima(q, options())
  return {y: rows, value: values[0]}
})
minimumContract('enumerateCubic', q => enumerateCubic({...q, cubic: noTriples(q.size)}))
minimumContract('searchCubic', q => {
  const {rows, values} = searchCubic({...q, cubic: noTriples(q.size)}, options())
  return {y: rows, value: values[0]}
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

    test(`${name}(q) refuses arrays of the wrong length and numbers that are not finite`, () => {
      const q = randomQuadratic(4, 1)
      const refused = (bad: BinaryQuadratic, message: RegExp) =>
        expect(() => minimize(bad)).toThrow(
          expect.objectContaining({code: 'bad-option', message: expect.stringMatching(message)})
        )
      refused({...q, size: 3}, /linear has 4 numbers; 3 are needed/)
      refused({...q, size: -1}, /size is -1/)
      refused({...q, quadratic: q.quadratic.slice(1)}, /quadratic has 5 numbers; 6 are needed/)
      refused({...q, linear: Float64Array.of(1, 2, Number.NaN, 4)}, /linear\[2\] is NaN/)
    })
  })
}
