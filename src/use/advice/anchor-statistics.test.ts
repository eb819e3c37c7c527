import fc from 'fast-check'
import {expect, test} from 'vitest'
import {anchorStatistics, excessErrors, knownRates, shareInterval} from './anchor-statistics.ts'
import {countRows} from './test-faults.ts'
import {anchorOf, countFeatures} from './test-words.ts'

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

test('shareInterval(...) holds the shares whose own normal range, by default of 90%, reaches the one seen', () => {
  // Wilson's limits solve |k/n - p| = z sqrt(p (1 - p) / n) for p.
  const share = fc.double({min: 0, max: 1, noNaN: true})
  fc.assert(
    fc.property(fc.integer({min: 1, max: 5000}), share, fc.constantFrom(undefined, 3.5), (trials, part, errors) => {
      const hits = Math.round(part * trials)
      const {value, low, high} = shareInterval(hits, trials, errors)
      expect(value).toBe(hits / trials)
      expect(low).toBeLessThanOrEqual(value)
      expect(high).toBeGreaterThanOrEqual(value)
      for (const limit of [low, high]) {
        if (limit === 0 || limit === 1) continue
        expect(Math.abs(value - limit)).toBeCloseTo(
          (errors ?? 1.6448536) * Math.sqrt((limit * (1 - limit)) / trials),
          6
        )
      }
    })
  )
})

test('shareInterval(...) holds 0 and 1 where nothing or everything was hit, and everything where nothing was tried', () => {
  expect(shareInterval(0, 20).low).toBe(0)
  expect(shareInterval(0, 20).high).toBeCloseTo(2.7055 / 22.7055, 4)
  expect(shareInterval(20, 20).high).toBe(1)
  expect(shareInterval(20, 20).low).toBeCloseTo(20 / 22.7055, 4)
  expect(shareInterval(0, 0)).toEqual({value: 0, low: 0, high: 1})
})

test('knownRates(...) takes the rates of the anchors file, and leaves out concepts of which nothing is known', () => {
  const counts = countFeatures(
    [
      {...anchorOf('fever', ['A']), rates: {kind: 'shares', prevalence: 0.2, precision: 0.9}},
      {...anchorOf('cough', ['C']), rates: {kind: 'rates', truePositive: 0.5, falsePositive: 0.02}},
      anchorOf('fall', ['B'])
    ],
    [
      [10, 'A'],
      [10, 'B'],
      [10, 'C'],
      [70, '']
    ]
  )
  const [fever, cough, ...others] = knownRates(counts)
  expect(others).toEqual([])
  expect(fever).toMatchObject({concept: 'fever', prevalence: {value: 0.2}, precision: {value: 0.9}})
  expect(fever.truePositive).toBeCloseTo((0.9 * 0.1) / 0.2, 12)
  expect(fever.falsePositive).toBeCloseTo((0.1 * 0.1) / 0.8, 12)
  expect([cough.concept, cough.truePositive, cough.falsePositive]).toEqual([
    'cough',
    expect.closeTo(0.5, 12),
    expect.closeTo(0.02, 12)
  ])
})

test('knownRates(...) leaves out rates that the frequency of the anchor makes impossible', () => {
  const counts = countFeatures(
    [{...anchorOf('fever', ['A']), rates: {kind: 'shares', prevalence: 0.1, precision: 0.9}}],
    [
      [50, 'A'],
      [50, '']
    ]
  )
  expect(knownRates(counts)).toEqual([])
})
