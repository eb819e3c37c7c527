import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parseShrinkage, type Shrinkage, shrinkageStrength} from './shrinkage.ts'

describe('shrinkageStrength', () => {
  test('shrinkageStrength(number) is that number whatever the documents', () => {
    expect(shrinkageStrength(0.01, 7)).toBe(0.01)
    expect(shrinkageStrength(0, 1_000_000)).toBe(0)
  })

  test('shrinkageStrength("C/N") fades as documents come in', () => {
    expect(shrinkageStrength('10/N', 1000)).toBe(0.01)
    expect(shrinkageStrength('2.5e1/N', 100)).toBe(0.25)
    expect(shrinkageStrength('0/N', 100)).toBe(0)
  })

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, '10', '10/n', '-1/N', 'abc/N', '/N', 'Infinity/N', '10/N ', ''])(
    'shrinkageStrength(%j) is refused with what a shrinkage looks like',
    shrinkage => {
      expect(() => shrinkageStrength(shrinkage as Shrinkage, 100)).toThrow(
        expect.objectContaining({
          code: 'bad-option',
          message: `a shrinkage is a number >= 0, or C/N with C >= 0, such as 10/N; got ${shrinkage}`
        })
      )
    }
  )
})

describe('parseShrinkage', () => {
  test('parseShrinkage(...) reads what people type', () => {
    expect(parseShrinkage('0.01')).toBe(0.01)
    expect(parseShrinkage('1e-3')).toBe(0.001)
    expect(parseShrinkage(' 1 ')).toBe(1)
    expect(parseShrinkage('0')).toBe(0)
    expect(parseShrinkage('10/N')).toBe('10/N')
    expect(parseShrinkage('0.5/N')).toBe('0.5/N')
  })

  test.each(['abc', '-1', '', ' ', 'NaN', 'Infinity', '10/M', '-10/N', '10/', 'N', '10/N/N', '1,5'])(
    'parseShrinkage(%j) is refused',
    text => {
      expect(() => parseShrinkage(text)).toThrow(
        expect.objectContaining({code: 'bad-option', message: expect.stringMatching(/such as 10\/N; got/)})
      )
    }
  )

  test('parseShrinkage(...) echoes what was typed', () => {
    expect(() => parseShrinkage('much')).toThrow(/; got "much"$/)
  })

  test('parseShrinkage(...) reads back every number it could have written', () => {
    fc.assert(
      fc.property(fc.double({min: 0, max: 1e6, noNaN: true}), value => {
        expect(parseShrinkage(String(value))).toBe(value)
        expect(shrinkageStrength(parseShrinkage(`${value}/N`), 8)).toBe(value / 8)
      })
    )
  })
})
