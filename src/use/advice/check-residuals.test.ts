import {expect, test} from 'vitest'
import {anchorStatistics} from './anchor-statistics.ts'
import {checkResiduals, pairResiduals} from './check-residuals.ts'
import {countRows, exactRates} from './test-faults.ts'

const half = (concept: string) =>
  exactRates(concept, {prevalence: 0.4, precision: 0.99, truePositive: 0.5, falsePositive: 0.005})

test('checkResiduals(statistics, residuals) warns of the worst pairs, each concept once', async () => {
  const findings = checkResiduals(tied, await pairResiduals(tied, ['one', 'two', 'three'].map(half)))
  expect(findings).toMatchObject([
    {concept: 'one', severity: 'warning', kind: 'residual', evidence: {other: 'two', together: 200}}
  ])
})

test('checkResiduals(statistics, residuals) says so when anchors shut each other out', async () => {
  const apart = anchorStatistics(
    countRows({one: ['a'], two: ['b']}, [
      [450, 'a'],
      [450, 'b'],
      [100, 'x']
    ])
  )
  const findings = checkResiduals(apart, await pairResiduals(apart, ['one', 'two'].map(half)))
  expect(findings[0].evidence).toMatchObject({other: 'two', isTogether: false, observed: 900})
})

/** Two anchors fire in 200 of 1,000 documents, always together; of documents with both concepts a quarter would. */
const tied = anchorStatistics(
  countRows({one: ['a'], two: ['b'], three: ['c']}, [
    [200, 'a b'],
    [100, 'c'],
    [700, 'x']
  ])
)

test('pairResiduals(statistics, rates) is 0 where the rates allow the tables, and grows where they do not', async () => {
  const residuals = await pairResiduals(tied, ['one', 'two', 'three'].map(half))
  expect(residuals.map(({concepts}) => concepts)).toEqual([
    [0, 1],
    [0, 2],
    [1, 2]
  ])
  const [worst, ...others] = residuals
  // Nearest on a grid: P(both concepts), P(one alone), twice.
  let least = Number.POSITIVE_INFINITY
  let best = 0
  for (let q = 0; q <= 1; q += 0.002)
    for (let p = 0; p <= (1 - q) / 2; p += 0.002) {
      const mu = [1 - q - 2 * p, p, p, q]
      const on = (y: number) => (y === 1 ? 0.5 : 0.005)
      const both = mu.reduce((sum, share, y) => sum + share * on(y >> 1) * on(y & 1), 0)
      const one = (q + p) * 0.5 + (1 - q - p) * 0.005
      const divergence = 2 * (200 * Math.log(0.2 / both) + 800 * Math.log(0.8 / (1 - 2 * one + both)))
      if (divergence < least) [least, best] = [divergence, both]
    }
  expect(worst.divergence).toBeCloseTo(least, 0)
  expect(worst.together.expected / 1000).toBeCloseTo(best, 2)
  expect(worst.chance).toBeLessThan(1e-6)
  // These never fire together, which is less than their false positives make.
  for (const {divergence} of others) expect(divergence).toBeLessThan(0.1 * worst.divergence)
})

test('pairResiduals(statistics, rates) leaves out concepts without rates', async () => {
  expect((await pairResiduals(tied, [half('one'), undefined, half('three')])).map(({concepts}) => concepts)).toEqual([
    [0, 2]
  ])
  const useless = {...half('one'), truePositive: 0.1, falsePositive: 0.2}
  expect((await pairResiduals(tied, [useless, half('two'), half('three')])).map(({concepts}) => concepts)).toEqual([
    [1, 2]
  ])
})
