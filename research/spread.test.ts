import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {chanceText, differenceOf, intervalOf, signed, spreadOf, spreadText} from './spread.ts'

describe('spreadOf', () => {
  test('spreadOf([1, 2, 3, 6]) has the mean 3 and its standard error sqrt(14 / 3 / 4)', () => {
    expect(spreadOf([1, 2, 3, 6])).toEqual({mean: 3, error: Math.sqrt(14 / 3 / 4), splits: 4})
  })

  test('spreadOf([x]) has no error, and so no interval', () => {
    expect(spreadOf([0.5])).toEqual({mean: 0.5, error: undefined, splits: 1})
    expect(intervalOf(spreadOf([0.5]))).toEqual({})
  })

  test('spreadOf(...) moves with its values, and its error does not', () => {
    const values = fc.array(fc.integer({min: -1000, max: 1000}), {minLength: 2, maxLength: 9})
    fc.assert(
      fc.property(values, fc.integer({min: -1000, max: 1000}), (some, shift) => {
        const [here, there] = [some, some.map(value => value + shift)].map(spreadOf)
        expect(there.mean).toBeCloseTo(here.mean + shift, 9)
        expect(there.error).toBeCloseTo(here.error ?? Number.NaN, 9)
      })
    )
  })
})

test('intervalOf(...) of a share stays between 0 and 1', () => {
  const wide = spreadOf([0, 1])
  expect(intervalOf(wide)).toEqual({low: -0.5, high: 1.5})
  expect(intervalOf(wide, true)).toEqual({low: 0, high: 1})
})

describe('differenceOf', () => {
  test('differenceOf(...) pairs the splits: what all find hard in one does not count', () => {
    const found = differenceOf([0.3, 0.5, 0.9], [0.2, 0.4, 0.8])
    expect(found.mean).toBeCloseTo(0.1, 12)
    expect(found.error).toBeCloseTo(0, 12)
    expect(found).toMatchObject({above: 3, below: 0, verdict: 'above'})
  })

  test('differenceOf(...) is clear only beyond two standard errors, and for one split by its sign', () => {
    expect(differenceOf([1, 3], [0, 0])).toMatchObject({mean: 2, error: 1, verdict: 'unclear', above: 2})
    expect(differenceOf([1.1, 3], [0, 0]).verdict).toBe('above')
    expect(differenceOf([0, 0], [1.1, 3])).toMatchObject({verdict: 'below', below: 2, above: 0})
    expect(differenceOf([0.4], [0.3]).verdict).toBe('above')
    expect(differenceOf([0.3], [0.3]).verdict).toBe('unclear')
  })
})

test('spreadText(...) has the error in units of the last digit, and a dash for nothing', () => {
  expect(spreadText({mean: 0.5984, error: 0.0046})).toBe('0.598 (5)')
  expect(spreadText({mean: -34.5678, error: 0.1}, 2)).toBe('-34.57 (10)')
  expect(spreadText(spreadOf([0.25]))).toBe('0.250')
  expect(spreadText(spreadOf([]))).toBe('-')
})

test('signed(...) has a sign, unless what is shown is 0; chanceText(...) warns of a single split', () => {
  expect([signed(-9.31, 1), signed(5, 1), signed(-0.04, 1)]).toEqual(['-9.3', '+5.0', '0.0'])
  expect(chanceText(1)).toMatch(/one split.* due to chance is unknown/)
  expect(chanceText(8)).toMatch(/8 random splits/)
})
