import {describe, expect, it, test} from 'vitest'
import {above, atLeast, checkOptions, oneOf, optional, trueOrFalse, whole, withDefaults, within} from './options.ts'

const defaults = {labelShare: 0.5, seed: 3, name: 'x'}
const filled = (given: Record<string, unknown>) => withDefaults('countCorpus', defaults, given)

test('withDefaults(...) fills up what is missing, undefined included, and keeps 0, null and empty text', () => {
  expect(withDefaults('countCorpus', defaults, undefined)).toEqual(defaults)
  expect(filled({seed: 0, name: ''})).toEqual({labelShare: 0.5, seed: 0, name: ''})
  expect(filled({seed: undefined})).toEqual(defaults)
  expect(filled({name: null})).toEqual({...defaults, name: null})
})

test('withDefaults(...) refuses an unknown key, undefined or inherited too, with the nearest match or all keys', () => {
  for (const key of ['sead', 'constructor', 'toString'])
    expect(() => filled({[key]: undefined})).toThrow(expect.objectContaining({code: 'bad-option'}))
  expect(() => filled({labelsShare: 1})).toThrow(
    /countCorpus has no option "labelsShare"; did you mean "labelShare"\?$/
  )
  expect(() => filled({temperature: 1})).toThrow(/has no option "temperature"; it has labelShare, seed, name$/)
})

describe('checkOptions', () => {
  const defaults = {steps: 3, kind: 'a', share: 0.5, scale: undefined as number | undefined, loud: false, gap: 0.1}
  const rules = {
    steps: whole(0, 9),
    kind: oneOf('a', 'b'),
    share: within(0, 1),
    scale: optional(above(0)),
    loud: trueOrFalse,
    gap: atLeast(0)
  }
  const check = (given: object) => checkOptions('solve', defaults, rules, given)

  it('checkOptions(...) fills up what is left out and takes what keeps its rule', () => {
    expect(check({})).toEqual(defaults)
    const given = {steps: 9, kind: 'b', share: 1, scale: 2, loud: true, gap: 0}
    expect(check(given)).toEqual(given)
  })

  it.each([
    [{steps: 10}, 'solve: `steps` must be a whole number from 0 to 9; got 10'],
    [{kind: 'c'}, "solve: `kind` must be 'a' or 'b'; got \"c\""],
    [{share: Number.NaN}, 'solve: `share` must be a number from 0 to 1; got NaN'],
    [{scale: 0}, 'solve: `scale` must be a number above 0; got 0'],
    [{loud: 1}, 'solve: `loud` must be true or false; got 1'],
    [{gap: Number.POSITIVE_INFINITY}, 'solve: `gap` must be a number, at least 0; got Infinity']
  ])('checkOptions(...) refuses %j by name', (given, message) => {
    const option = Object.keys(given)[0]
    expect(() => check(given)).toThrow(expect.objectContaining({code: 'bad-option', message, details: {option}}))
  })
})
