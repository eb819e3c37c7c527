import fc from 'fast-check'
import {expect, test} from 'vitest'
import {sigmoid} from '../../base/numeric/index.ts'
import {matchMean} from './match-mean.ts'

const entry = fc.record({z: fc.double({min: -20, max: 20, noNaN: true}), w: fc.integer({min: 1, max: 9})})

test('matchMean(...) finds the shift that gives the mean asked for', () => {
  fc.assert(
    fc.property(
      fc.array(entry, {minLength: 1, maxLength: 30}),
      fc.double({min: 1e-4, max: 0.999, noNaN: true}),
      (entries, target) => {
        const logOdds = Float64Array.from(entries, ({z}) => z)
        const weights = Float64Array.from(entries, ({w}) => w)
        const c = matchMean(logOdds, weights, target)
        const total = weights.reduce((sum, w) => sum + w, 0)
        const mean = logOdds.reduce((sum, z, d) => sum + weights[d] * sigmoid(z + c), 0) / total
        expect(Math.abs(mean - target)).toBeLessThan(1e-7 * target)
      }
    )
  )
})

test('matchMean(...) leaves entries of no weight out, and is 0 when nothing has weight', () => {
  expect(matchMean(Float64Array.of(0, 7), Float64Array.of(1, 0), 0.5)).toBeCloseTo(0, 7)
  expect(matchMean(Float64Array.of(3), Float64Array.of(0), 0.5)).toBe(0)
})
