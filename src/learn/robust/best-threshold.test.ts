import fc from 'fast-check'
import {expect, test} from 'vitest'
import {bestThreshold, expectedF1At} from './best-threshold.ts'

const chances = fc.array(fc.double({min: 0, max: 1, noNaN: true}), {minLength: 1, maxLength: 20})

test('bestThreshold(...) expects the F1 that trying every probability as the threshold finds, and is half of it', () => {
  fc.assert(
    fc.property(chances, chances, fc.integer({min: 1, max: 5}), (first, second, weight) => {
      const probabilities = [Float64Array.from(first), Float64Array.from(second)]
      const weights = [new Float64Array(first.length).fill(1), new Float64Array(second.length).fill(weight)]
      const tried = [...first, ...second].map(threshold => expectedF1At(probabilities, weights, threshold))
      const {threshold, expectedF1} = bestThreshold(probabilities, weights)
      expect(expectedF1).toBeCloseTo(Math.max(...tried), 10)
      expect(threshold).toBeCloseTo(expectedF1 / 2, 12)
    })
  )
})

test('expectedF1At(...) counts what probabilities expect: hits twice over reported and present', () => {
  const probabilities = [Float64Array.of(0.9, 0.4, 0.1)]
  expect(expectedF1At(probabilities, [Float64Array.of(1, 1, 1)], 0.4)).toBeCloseTo((2 * 1.3) / (2 + 1.4), 14)
  expect(expectedF1At(probabilities, [Float64Array.of(2, 1, 0)], 0.5)).toBeCloseTo((2 * 1.8) / (2 + 2.2), 14)
  expect(expectedF1At([Float64Array.of(0)], [Float64Array.of(0)], 0.5)).toBe(0)
})
