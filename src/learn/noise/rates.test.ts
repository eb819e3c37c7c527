import fc from 'fast-check'
import {expect, test} from 'vitest'
import {nearestUsable, oneSidedRates, weakAnchor} from './rates.ts'

test('weakAnchor(...) lets pass what is just good enough, and names each rule with what is needed and what to do', () => {
  expect(weakAnchor({truePositive: 0.05, falsePositive: 0.016})).toBe(undefined)
  expect(weakAnchor({truePositive: 0.0491, falsePositive: 0.016})).toEqual({
    rule: 'low-true-positive',
    reason: 'its anchor fires in 4.9% of the documents that have it, and 5.0% is needed; add words to the anchor'
  })
  expect(weakAnchor({truePositive: 0.3, falsePositive: 0.1})).toEqual({
    rule: 'low-ratio',
    reason:
      'its anchor fires in 30% of the documents that have it and 10% of those that do not, and it must be more than 3 ' +
      'times as common with its concept; choose narrower words, or remove the concept'
  })
})

const interval = fc.tuple(...[1, 2, 3].map(() => fc.double({min: 0.001, max: 0.999, noNaN: true}))).map(ends => {
  const [low, value, high] = ends.toSorted((a, b) => a - b)
  return {low, value, high}
})

test('nearestUsable(...) passes the rule inside the intervals, or refuses the values', () => {
  const firings = fc.double({min: 0.001, max: 0.97, noNaN: true})
  fc.assert(
    fc.property(firings, interval, interval, (firing, prevalence, precision) => {
      const {rates, refusal} = nearestUsable(firing, {prevalence, precision})
      expect(weakAnchor(rates)).toEqual(refusal)
      expect(rates.precision.value).toBeGreaterThanOrEqual(precision.value)
      expect(rates.precision.value).toBeLessThanOrEqual(refusal ? precision.value : precision.high)
      // A prevalence below what the frequency allows is raised.
      const least = (rates.precision.value * firing) / 0.98
      expect(rates.prevalence.value).toBeLessThanOrEqual(Math.max(prevalence.value, least))
      expect(rates.prevalence.value).toBeGreaterThanOrEqual(Math.min(prevalence.low, 0.9999) * (1 - 1e-12))
    })
  )
})

test('weakAnchor(...) refuses rates that no document determines', () => {
  expect(weakAnchor({truePositive: Number.NaN, falsePositive: 0})).toBeDefined()
  expect(weakAnchor({truePositive: 0.5, falsePositive: Number.NaN})).toBeDefined()
})

test('oneSidedRates(...) leaves an anchor that is rarer with its concept as it was', () => {
  expect(oneSidedRates(rates(0.1, 0.4, 0.2))).toEqual(rates(0.1, 0.4, 0.2))
})

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

test('oneSidedRates(...) raises an anchor that fires oftener than its concept occurs to 0.98, and keeps P(A) and P(Y)', () => {
  const {truePositive, falsePositive} = oneSidedRates(rates(0.9, 0.1, 0.1))
  expect(truePositive[0]).toBe(0.98)
  expect(0.1 * 0.98 + 0.9 * falsePositive[0]).toBeCloseTo(0.1 * 0.9 + 0.9 * 0.1, 14)
})

test('oneSidedRates(...) never lowers a true-positive rate that was given above 0.98', () => {
  expect(oneSidedRates(rates(0.995, 0.01, 0.1)).truePositive[0]).toBe(0.995)
})
