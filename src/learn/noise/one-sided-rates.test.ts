import fc from 'fast-check'
import {expect, test} from 'vitest'
import {oneSidedRates} from './one-sided-rates.ts'

const rates = (t: number, e: number, p: number) => ({
  truePositive: Float64Array.of(t),
  falsePositive: Float64Array.of(e),
  prevalence: Float64Array.of(p)
})

test('oneSidedRates(...) has P(A) / P(Y) beside a false-positive rate of 0.0001', () => {
  const {truePositive, falsePositive, prevalence} = oneSidedRates(rates(0.4, 0.02, 0.1))
  expect(truePositive[0]).toBeCloseTo((0.1 * 0.4 + 0.9 * 0.02) / 0.1, 14)
  expect([...falsePositive]).toEqual([1e-4])
  expect([...prevalence]).toEqual([0.1])
})

test('oneSidedRates(...) leaves an anchor that never fires falsely as it was', () => {
  fc.assert(
    fc.property(
      fc.double({min: 0.01, max: 0.98, noNaN: true}),
      fc.double({min: 1e-4, max: 0.9, noNaN: true}),
      (t, p) => {
        // t p / p is t to rounding.
        expect(oneSidedRates(rates(t, 0, p)).truePositive[0]).toBeCloseTo(t, 12)
      }
    )
  )
})

test('oneSidedRates(...) raises an anchor that fires oftener than its concept occurs to 0.98, and keeps P(A) and P(Y)', () => {
  const {truePositive, falsePositive} = oneSidedRates(rates(0.9, 0.1, 0.1))
  expect(truePositive[0]).toBe(0.98)
  expect(0.1 * 0.98 + 0.9 * falsePositive[0]).toBeCloseTo(0.1 * 0.9 + 0.9 * 0.1, 14)
})

test('oneSidedRates(...) never lowers a true-positive rate that was given above 0.98', () => {
  expect(oneSidedRates(rates(0.995, 0.01, 0.1)).truePositive[0]).toBe(0.995)
})
