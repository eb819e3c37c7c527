import fc from 'fast-check'
import {expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {varianceInflation} from './variance-inflation.ts'

test('varianceInflation(...) is 1 for a concept that is its own anchor, and more for any noise', () => {
  expect(varianceInflation({truePositive: 1, falsePositive: 0}, 0.3)).toBe(1)
  expect(varianceInflation({truePositive: 0.5, falsePositive: 0.1}, 0)).toBeLessThan(1e5)
  const share = fc.double({min: 0.01, max: 0.99, noNaN: true})
  fc.assert(
    fc.property(share, share, share, (p, low, gain) => {
      const e = low * 0.5
      const inflation = varianceInflation({truePositive: e + gain * (1 - e), falsePositive: e}, p)
      expect(inflation).toBeGreaterThanOrEqual(1 - 1e-12)
    })
  )
})

test('varianceInflation(...) multiplied over two concepts is what recovery adds to the variance of their covariance', () => {
  const concepts = [
    {t: 0.6, e: 0.05, p: 0.2},
    {t: 0.8, e: 0.02, p: 0.3}
  ]
  const random = rng(7)
  const samples = 200
  const recovered: number[] = []
  const seen: number[] = []
  for (let repeat = 0; repeat < 2000; repeat++) {
    const sums = {y: [0, 0, 0], a: [0, 0, 0]}
    for (let n = 0; n < samples; n++) {
      const y = concepts.map(({p}) => Number(random.next() < p))
      const a = concepts.map(({t, e}, i) => Number(random.next() < (y[i] ? t : e)))
      for (const [list, sum] of [
        [y, sums.y],
        [a, sums.a]
      ]) {
        sum[0] += list[0] / samples
        sum[1] += list[1] / samples
        sum[2] += (list[0] * list[1]) / samples
      }
    }
    seen.push(sums.y[2] - sums.y[0] * sums.y[1])
    recovered.push((sums.a[2] - sums.a[0] * sums.a[1]) / (0.55 * 0.78))
  }
  const [first, second] = concepts.map(({t, e, p}) => varianceInflation({truePositive: t, falsePositive: e}, p))
  // A variance of 2,000 draws has a relative standard error of about 3.2%, a ratio of two 4.5%: five of them.
  expect(variance(recovered) / variance(seen) / (first * second)).toBeGreaterThan(0.77)
  expect(variance(recovered) / variance(seen) / (first * second)).toBeLessThan(1.23)
})

function variance(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
}
