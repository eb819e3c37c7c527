import fc from 'fast-check'
import {expect, test} from 'vitest'
import {betaQuantile} from './beta.ts'

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

test('betaQuantile(...) refuses what is no beta distribution, with its numbers', () => {
  for (const [a, b, share] of [
    [0, 1, 0.5],
    [1, -1, 0.5],
    [1, Number.NaN, 0.5],
    [1, Number.POSITIVE_INFINITY, 0.5],
    [1, 1, 0],
    [1, 1, 1]
  ])
    expect(() => betaQuantile(a, b, share)).toThrow(`beta quantile of ${a} and ${b} at ${share}`)
})
