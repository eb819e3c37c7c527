import fc from 'fast-check'
import {expect, test} from 'vitest'
import {gammaQuantile, gammaTail, logGamma} from './gamma.ts'

// scipy.stats.gamma.ppf(share, shape) of SciPy 1.17.1.
test.each([
  [3, 0.05, 0.8176914471639534],
  [3, 0.95, 6.295793621871988],
  [0.5, 0.9, 1.352771727047702],
  [2.5, 0.3, 1.4999540663799533],
  [12.5, 0.5, 12.168293348942147],
  [0.01, 0.05, 4.465535018910624e-131],
  [0.001, 0.5, 5.244206408274974e-302],
  [1000, 0.05, 948.5598493836511],
  [1e5, 0.95, 100520.7162815659],
  [3, 1e-12, 0.0001817203146263742],
  [3, 0.999999999, 26.672286589132256]
])('gammaQuantile(...) of shape %d at %d is what SciPy has', (shape, share, quantile) => {
  // The error of log Gamma is divided by the shape; the smallest of these is rounded 700 times as much.
  expect(Math.abs(gammaQuantile(shape, share) / quantile - 1)).toBeLessThan(1e-11)
})

test('gammaQuantile(...) is where the tail is the rest of the share', () => {
  const share = fc.double({min: 1e-6, max: 1 - 1e-6, noNaN: true})
  fc.assert(
    fc.property(fc.double({min: 0.05, max: 2000, noNaN: true}), share, (shape, below) => {
      expect(Math.abs(gammaTail(shape, gammaQuantile(shape, below)) - (1 - below))).toBeLessThan(1e-12)
    })
  )
})

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

test('gammaQuantile(...) refuses shapes and shares outside their range, with both numbers', () => {
  for (const [shape, share] of [
    [0, 0.5],
    [Number.NaN, 0.5],
    [Number.POSITIVE_INFINITY, 0.5],
    [1, 0],
    [1, 1],
    [1, Number.NaN]
  ])
    expect(() => gammaQuantile(shape, share)).toThrow(`gamma quantile of shape ${shape} at ${share}`)
})
