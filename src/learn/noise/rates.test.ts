import fc from 'fast-check'
import {expect, test} from 'vitest'
import {oneSidedRates, rateRefusals, weakAnchor} from './rates.ts'

const sound = {truePositive: 0.05, falsePositive: 0.016, precision: {value: 0.45}, prevalence: {low: 0.01, high: 0.06}}

test('rateRefusals(...) lets pass what is just good enough', () => {
  expect(rateRefusals(sound, 30)).toEqual([])
})

test('rateRefusals(...) names each rule with what was found, what is needed and what to do', () => {
  expect(rateRefusals(sound, 29)).toEqual([
    {rule: 'few-anchored', reason: 'its anchor fires in 29 documents, and 30 are needed; add words to the anchor'}
  ])
  expect(rateRefusals({...sound, truePositive: 0.0491}, 30)).toEqual([
    {
      rule: 'low-true-positive',
      reason: 'its anchor fires in 4.9% of the documents that have it, and 5.0% is needed; add words to the anchor'
    }
  ])
  expect(rateRefusals({...sound, truePositive: 0.3, falsePositive: 0.1}, 30)).toEqual([
    {
      rule: 'low-ratio',
      reason:
        'its anchor fires in 30% of the documents that have it and 10% of those that do not, and it must be more than 3 ' +
        'times as common with its concept; choose narrower words, or remove the concept'
    }
  ])
  expect(rateRefusals({...sound, precision: {value: 0.449}}, 30)).toEqual([
    {
      rule: 'low-precision',
      reason:
        '45% of the documents where its anchor fires have it, and 45% is needed; ' +
        'choose narrower words, or veto with "not"'
    }
  ])
  expect(rateRefusals({...sound, prevalence: {low: 0.01, high: 0.061}}, 30)).toEqual([
    {
      rule: 'wide-interval',
      reason: 'its prevalence is uncertain by a factor of 6.1; at most 6 is allowed; label more documents'
    }
  ])
})

test('rateRefusals(...) gives all the rules that are broken', () => {
  const bad = {truePositive: 0, falsePositive: 0, precision: {value: 0}, prevalence: {low: 0.01, high: 1}}
  expect(rateRefusals(bad, 0).map(({rule}) => rule)).toEqual([
    'low-true-positive',
    'few-anchored',
    'low-precision',
    'wide-interval'
  ])
})

test('weakAnchor(...) refuses rates that no document determines', () => {
  expect(weakAnchor({truePositive: Number.NaN, falsePositive: 0})).toHaveLength(1)
  expect(weakAnchor({truePositive: 0.5, falsePositive: Number.NaN})).toHaveLength(1)
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
