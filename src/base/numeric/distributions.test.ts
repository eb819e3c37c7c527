import fc from 'fast-check'
import {expect, test} from 'vitest'
import {betaQuantile, chiSquareTail} from './distributions.ts'

// scipy.stats.chi2.sf(x, df) of SciPy 1.17.1.
test.each([
  [1, 1e-8, 0.9999202115440526],
  [1, 0.5, 0.47950012218695337],
  [1, 10, 0.001565402258002549],
  [1, 1200, 6.099568814808675e-263],
  [3, 3.841458820694124, 0.27910046378359765],
  [3, 40, 1.065509033425585e-8],
  [5, 10, 0.07523524614651217],
  [8, 3.841458820694124, 0.8711367182214784],
  [16, 40, 0.000778590082507362],
  [31, 40, 0.12904034912939039],
  [200, 300, 5.924540335483916e-6],
  [200, 1200, 3.701894750194559e-142]
])('chiSquareTail(...) with %d degrees of freedom at %d is what SciPy has', (degrees, statistic, tail) => {
  // The exponent a log x - x - log Gamma(a) is rounded in its last place: 600 times that for the farthest of these.
  expect(Math.abs(chiSquareTail(statistic, degrees) / tail - 1)).toBeLessThan(3e-13)
})

test('chiSquareTail(...) with even degrees of freedom equals the sum of Poisson probabilities', () => {
  fc.assert(
    fc.property(fc.integer({min: 1, max: 40}), fc.double({min: 1e-3, max: 200, noNaN: true}), (half, statistic) => {
      const x = statistic / 2
      let term = Math.exp(-x)
      let sum = 0
      for (let n = 0; n < half; n++) {
        sum += term
        term *= x / (n + 1)
      }
      expect(Math.abs(chiSquareTail(statistic, 2 * half) / sum - 1)).toBeLessThan(1e-12)
    })
  )
})

test('chiSquareTail(...) is 1 at and below zero, 0 far out, and takes whole degrees of freedom only', () => {
  expect(chiSquareTail(0, 0)).toBe(1)
  expect(chiSquareTail(-1, 3)).toBe(1)
  expect(chiSquareTail(1e-9, 0)).toBe(0)
  expect(chiSquareTail(Number.POSITIVE_INFINITY, 2)).toBe(0)
  expect(chiSquareTail(1e5, 2)).toBe(0)
  expect(chiSquareTail(1e-300, 5000)).toBe(1)
  expect(() => chiSquareTail(1, 1.5)).toThrow(expect.objectContaining({code: 'bad-option'}))
})

// scipy.stats.beta.ppf(share, a, b) of SciPy 1.17.1.
test.each([
  [3.4, 0.6, 0.95, 0.9982420766962287],
  [3.4, 0.6, 0.05, 0.5113661538342326],
  [0.5, 0.5, 0.3, 0.2061073738537634],
  [1000, 2000, 0.05, 0.3192421600875256],
  [20, 1, 0.5, 0.9659363289248456],
  [0.01, 3, 0.9, 5.963655100279837e-6],
  [5, 7, 0.999, 0.8206063062753938]
])('betaQuantile(...) of %d and %d at %d is what SciPy has', (a, b, share, quantile) => {
  // Bisection stops at one unit of 1; log Gamma of some thousands is rounded a hundred times as much.
  expect(Math.abs(betaQuantile(a, b, share) - quantile)).toBeLessThan(2e-13)
})

test('betaQuantile(...) of whole numbers is where a binomial tail is the share', () => {
  const size = fc.integer({min: 1, max: 15})
  fc.assert(
    fc.property(size, size, fc.double({min: 1e-3, max: 0.999, noNaN: true}), (a, b, share) => {
      const x = betaQuantile(a, b, share)
      // P(X <= x) is the chance of at least a successes in a + b - 1 trials.
      const n = a + b - 1
      let tail = 0
      let choose = 1
      for (let k = 0; k <= n; choose = (choose * (n - k)) / ++k)
        if (k >= a) tail += choose * x ** k * (1 - x) ** (n - k)
      expect(Math.abs(tail - share)).toBeLessThan(1e-12)
    })
  )
})

test.each([
  [0, 1, 0.5],
  [1, Number.NaN, 0.5],
  [1, 1, 1]
])('betaQuantile(%d, %d, %d) is refused', (a, b, share) => {
  expect(() => betaQuantile(a, b, share)).toThrow(expect.objectContaining({code: 'bad-option'}))
})
