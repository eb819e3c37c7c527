import fc from 'fast-check'
import {expect, test} from 'vitest'
import {gammaTail, logGamma} from './gamma.ts'

test('gammaTail(...) with shape 1 is the exponential tail, and one more shape adds one Poisson probability', () => {
  fc.assert(
    fc.property(fc.double({min: 0.1, max: 60, noNaN: true}), fc.double({min: 0.01, max: 80, noNaN: true}), (a, x) => {
      expect(Math.abs(gammaTail(1, x) - Math.exp(-x))).toBeLessThan(1e-13)
      const added = Math.exp(a * Math.log(x) - x - logGamma(a + 1))
      expect(Math.abs(gammaTail(a + 1, x) - gammaTail(a, x) - added)).toBeLessThan(1e-12)
    })
  )
})

test('gammaTail(...) is 1 up to zero and 0 at infinity', () => {
  expect(gammaTail(2.5, -1)).toBe(1)
  expect(gammaTail(2.5, 0)).toBe(1)
  expect(gammaTail(2.5, Number.POSITIVE_INFINITY)).toBe(0)
})

test('logGamma(...) is the logarithm of the factorial before, and of the root of pi at one half', () => {
  let factorial = 1
  for (let n = 1; n < 60; n++) {
    expect(Math.abs(logGamma(n) - Math.log(factorial))).toBeLessThan(1e-13 * Math.max(1, Math.log(factorial)))
    factorial *= n
  }
  expect(logGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 13)
})
