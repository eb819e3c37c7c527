import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type Pull, parsePull, pullStrength} from './pull.ts'

describe('pullStrength', () => {
  test('pullStrength(number) is that number whatever the documents', () => {
    expect(pullStrength(0.01, 7)).toBe(0.01)
    expect(pullStrength(0, 1_000_000)).toBe(0)
  })

  test('pullStrength("C/N") fades as documents come in', () => {
    expect(pullStrength('10/N', 1000)).toBe(0.01)
    expect(pullStrength('2.5e1/N', 100)).toBe(0.25)
    expect(pullStrength('0/N', 100)).toBe(0)
  })

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, '10', '10/n', '-1/N', 'abc/N', '/N', 'Infinity/N', '10/N ', ''])(
    'pullStrength(%j) is refused with what a pull looks like',
    pull => {
      expect(() => pullStrength(pull as Pull, 100)).toThrow(
        expect.objectContaining({
          code: 'bad-option',
          message: `a pull is a number >= 0, or C/N with C >= 0, such as 10/N; got ${pull}`
        })
      )
    }
  )
})

describe('parsePull', () => {
  test('parsePull(...) reads what people type', () => {
    expect(parsePull('0.01')).toBe(0.01)
    expect(parsePull('1e-3')).toBe(0.001)
    expect(parsePull(' 1 ')).toBe(1)
    expect(parsePull('0')).toBe(0)
    expect(parsePull('10/N')).toBe('10/N')
    expect(parsePull('0.5/N')).toBe('0.5/N')
  })

  test.each(['abc', '-1', '', ' ', 'NaN', 'Infinity', '10/M', '-10/N', '10/', 'N', '10/N/N', '1,5'])(
    'parsePull(%j) is refused',
    text => {
      expect(() => parsePull(text)).toThrow(
        expect.objectContaining({code: 'bad-option', message: expect.stringMatching(/such as 10\/N; got/)})
      )
    }
  )

  test('parsePull(...) reads back every number it could have written', () => {
    fc.assert(
      fc.property(fc.double({min: 0, max: 1e6, noNaN: true}), value => {
        expect(parsePull(String(value))).toBe(value)
        expect(pullStrength(parsePull(`${value}/N`), 8)).toBe(value / 8)
      })
    )
  })
})
