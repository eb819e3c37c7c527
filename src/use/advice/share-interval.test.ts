import fc from 'fast-check'
import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {shareInterval} from './share-interval.ts'

test('shareInterval(...) holds the shares whose own normal 90% range reaches the one seen', () => {
  // Wilson's limits solve |k/n - p| = z sqrt(p (1 - p) / n) for p.
  fc.assert(
    fc.property(fc.integer({min: 1, max: 5000}), fc.double({min: 0, max: 1, noNaN: true}), (trials, part) => {
      const hits = Math.round(part * trials)
      const {value, low, high} = shareInterval(hits, trials)
      expect(value).toBe(hits / trials)
      expect(low).toBeLessThanOrEqual(value)
      expect(high).toBeGreaterThanOrEqual(value)
      for (const limit of [low, high]) {
        if (limit === 0 || limit === 1) continue
        expect(Math.abs(value - limit)).toBeCloseTo(1.6448536 * Math.sqrt((limit * (1 - limit)) / trials), 6)
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

test('shareInterval(...) covers the truth in about nine samples of ten', () => {
  const random = rng(1)
  for (const p of [0.05, 0.3, 0.8]) {
    let covered = 0
    for (let sample = 0; sample < 1000; sample++) {
      let hits = 0
      for (let trial = 0; trial < 60; trial++) if (random.next() < p) hits++
      const {low, high} = shareInterval(hits, 60)
      if (low <= p && p <= high) covered++
    }
    // Whole numbers of hits alone move the coverage by some 3 points; five standard errors of 1,000 samples are 4.7.
    expect(Math.abs(covered / 1000 - 0.9)).toBeLessThan(0.08)
  }
})
