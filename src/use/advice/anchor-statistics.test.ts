import {expect, test} from 'vitest'
import {anchorStatistics, excessErrors, shareLimits} from './anchor-statistics.ts'
import {countRows} from './test-faults.ts'

test('anchorStatistics(counts) holds the documents of anchors, pairs, words and words beside anchors', () => {
  const counts = countRows({a: ['a1', 'a2'], b: ['b']}, [
    [3, 'a1 b x'],
    [2, 'a2 y'],
    [4, 'x y']
  ])
  const {m, n, N, fired, pairs, words, anchoredWords} = anchorStatistics(counts)
  expect([m, n, N]).toEqual([2, 2, 9])
  expect([...fired]).toEqual([5, 3])
  expect([...pairs]).toEqual([5, 3, 3, 3])
  expect([...words]).toEqual([7, 6])
  expect([...anchoredWords]).toEqual([3, 2, 3, 0])
})

test('excessErrors(together, first, second, N) is the signed root of the chi-square of the table', () => {
  const [together, first, second, N] = [30, 100, 200, 1000]
  const observed = [together, first - together, second - together, N - first - second + together]
  const expected = [20, 80, 180, 720]
  const chiSquare = observed.reduce((sum, documents, c) => sum + (documents - expected[c]) ** 2 / expected[c], 0)
  expect(excessErrors(together, first, second, N) ** 2).toBeCloseTo(chiSquare, 10)
  expect(excessErrors(10, first, second, N)).toBeLessThan(0)
  expect(excessErrors(1, 1, 1000, 1000)).toBe(0)
})

test('shareLimits(hits, total, errors) are the shares that lie just so many standard errors of their own away', () => {
  for (const [hits, total, errors] of [
    [3, 40, 2],
    [0, 10, 3],
    [10, 10, 3],
    [500, 1000, 5]
  ]) {
    const {low, high} = shareLimits(hits, total, errors)
    const away = (share: number) => (hits / total - share) ** 2 - (errors ** 2 * share * (1 - share)) / total
    expect(away(low)).toBeCloseTo(0, 12)
    expect(away(high)).toBeCloseTo(0, 12)
    expect(low).toBeLessThanOrEqual(hits / total)
    expect(high).toBeGreaterThanOrEqual(hits / total)
  }
  expect(shareLimits(0, 0, 2)).toEqual({low: 0, high: 1})
})
