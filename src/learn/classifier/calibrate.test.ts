import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng, sigmoid} from '../../base/numeric/index.ts'
import {calibrate, calibrated} from './calibrate.ts'

const anyScored = fc
  .array(fc.record({score: fc.integer({min: -4, max: 4}), label: fc.constantFrom(0, 1)}), {minLength: 1, maxLength: 14})
  .map(pairs => ({scores: pairs.map(({score}) => score / 2), labels: pairs.map(({label}) => label)}))

/**
 * Isotonic regression by the min-max formula: at the g-th score, the greatest over a <= g of the least over b >= g of the
 * share of 1 among the scores a to b.
 */
function minMax(scores: readonly number[], labels: readonly number[]): number[] {
  const distinct = [...new Set(scores)].sort((a, b) => a - b)
  const share = (a: number, b: number) => {
    const within = labels.filter((_, d) => scores[d] >= distinct[a] && scores[d] <= distinct[b])
    return within.reduce((sum, label) => sum + label, 0) / within.length
  }
  const values = distinct.map((_, g) => {
    const worst = Array.from({length: g + 1}, (_, a) =>
      Math.min(...Array.from({length: distinct.length - g}, (_, more) => share(a, g + more)))
    )
    return Math.max(...worst)
  })
  return scores.map(score => values[distinct.indexOf(score)])
}

describe('calibrate', () => {
  test('calibrate(...) equals the min-max formula of isotonic regression at every score', () => {
    fc.assert(
      fc.property(anyScored, ({scores, labels}) => {
        const calibration = calibrate(scores, labels)
        const expected = minMax(scores, labels)
        scores.forEach((score, d) => {
          expect(calibrated(calibration, score)).toBeCloseTo(expected[d], 12)
        })
      }),
      {numRuns: 500}
    )
  })

  test('calibrate(...) gives blocks in order, strictly rising, that hold every row', () => {
    fc.assert(
      fc.property(anyScored, ({scores, labels}) => {
        const {lows, highs, values, counts} = calibrate(scores, labels)
        values.forEach((value, b) => {
          expect(lows[b]).toBeLessThanOrEqual(highs[b])
          if (b === 0) return
          expect(value).toBeGreaterThan(values[b - 1])
          expect(lows[b]).toBeGreaterThan(highs[b - 1])
        })
        counts.forEach((count, b) => {
          expect(scores.filter(score => score >= lows[b] && score <= highs[b])).toHaveLength(count)
        })
        const ones = values.reduce((sum, value, b) => sum + value * counts[b], 0)
        expect(ones).toBeCloseTo(labels.filter(label => label === 1).length, 9)
      })
    )
  })

  test('calibrate(...) depends on the order of the scores alone', () => {
    fc.assert(
      fc.property(anyScored, ({scores, labels}) => {
        const cubes = scores.map(score => 7 * score ** 3 - 2)
        expect(calibrate(cubes, labels).values).toEqual(calibrate(scores, labels).values)
      })
    )
  })

  test('calibrate(...) pools equal scores before it compares neighbours', () => {
    const {values, counts} = calibrate([0, 0, 1, 1, 1], [0, 1, 0, 1, 1])
    expect([...values]).toEqual([1 / 2, 2 / 3])
    expect([...counts]).toEqual([2, 3])
  })

  test('calibrate(...) finds the chances that drew the labels, with a plateau below 1 too', () => {
    const random = rng(11)
    const plateau = (score: number) => 0.6 * sigmoid(2 * score + 1)
    const scores = Array.from({length: 40_000}, () => 8 * random.next() - 4)
    const labels = scores.map(score => (random.next() < plateau(score) ? 1 : 0))
    const calibration = calibrate(scores, labels)
    // The mean over a bin of 5,000 scores: 5 binomial standard errors.
    for (let low = -4; low < 4; low++) {
      const inside = scores.filter(score => score >= low && score < low + 1)
      const mean = (f: (score: number) => number) => inside.reduce((sum, score) => sum + f(score), 0) / inside.length
      const truth = mean(plateau)
      const error = Math.sqrt((truth * (1 - truth)) / inside.length)
      expect(Math.abs(mean(score => calibrated(calibration, score)) - truth)).toBeLessThan(5 * error)
    }
  })

  test('calibrate(...) refuses lengths that differ, nothing at all, and odd numbers', () => {
    expect(() => calibrate([1, 2], [1])).toThrow('got 2 scores and 1 labels')
    expect(() => calibrate([], [])).toThrow(expect.objectContaining({code: 'mismatch'}))
    expect(() => calibrate([1, Number.NaN], [1, 0])).toThrow('the score of row 1 must be a finite number')
    expect(() => calibrate([1, 2], [1, 0.5])).toThrow('the label of row 1 must be 0 or 1; got 0.5')
  })
})

test('calibrated(...) is flat inside a block and beyond the ends, and a straight line between blocks', () => {
  const calibration = calibrate([0, 1, 3, 4, 6], [0, 0, 1, 0, 1])
  expect(calibration).toEqual({
    lows: Float64Array.of(0, 3, 6),
    highs: Float64Array.of(1, 4, 6),
    values: Float64Array.of(0, 0.5, 1),
    counts: Uint32Array.of(2, 2, 1)
  })
  const places = [-9, 0, 0.5, 1, 2, 3, 3.5, 4, 5, 6, 9]
  expect(places.map(score => calibrated(calibration, score))).toEqual([0, 0, 0, 0, 0.25, 0.5, 0.5, 0.5, 0.75, 1, 1])
})
