import fc from 'fast-check'
import {expect, test} from 'vitest'
import {readRates, typedRates} from './rates-form.tsx'

test('percents become shares without a rounding error', () => {
  expect(readRates('shares', ['3.6', '92 %'])).toEqual({kind: 'shares', prevalence: 0.036, precision: 0.92})
  expect(readRates('rates', ['41', '0,5'])).toEqual({kind: 'rates', truePositive: 0.41, falsePositive: 0.005})
})

test.each(['', '0', '100', '-1', 'many', '1e1', '.', '1.2.3'])('"%s" is not a share', typed => {
  expect(readRates('shares', [typed, '50'])).toMatch(/^share of documents.*above 0/)
  expect(readRates('shares', ['50', typed])).toMatch(/^share of its anchor.*above 0/)
})

test('two shares that are equal say nothing', () => {
  expect(readRates('rates', ['5', '5.0'])).toContain('must differ')
})

test('what was read is shown as it was typed', () => {
  fc.assert(
    fc.property(fc.integer({min: 1, max: 99_999}), fc.integer({min: 1, max: 99_999}), (first, second) => {
      fc.pre(first !== second)
      const typed = [String(first / 1000), String(second / 1000)] as const
      const read = readRates('shares', typed)
      expect(typeof read !== 'string' && typedRates(read)).toEqual(typed)
    })
  )
})
