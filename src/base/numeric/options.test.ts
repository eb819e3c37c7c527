import {expect, test} from 'vitest'
import {withDefaults} from './options.ts'

const defaults = {labelShare: 0.5, seed: 3, name: 'x'}
const filled = (given: Record<string, unknown>) => withDefaults('countCorpus', defaults, given)

test('withDefaults(...) fills up what is missing, undefined included, and keeps 0, null and empty text', () => {
  expect(withDefaults('countCorpus', defaults, undefined)).toEqual(defaults)
  expect(filled({seed: 0, name: ''})).toEqual({labelShare: 0.5, seed: 0, name: ''})
  expect(filled({seed: undefined})).toEqual(defaults)
  expect(filled({name: null})).toEqual({...defaults, name: null})
})

test('withDefaults(...) leaves defaults and options as they were', () => {
  const given = Object.freeze({seed: 9})
  withDefaults('countCorpus', Object.freeze(defaults), given)
  expect(given).toEqual({seed: 9})
  expect(defaults.seed).toBe(3)
})

test('withDefaults(...) refuses an unknown key with the nearest match and the list of keys', () => {
  expect(() => filled({labelsShare: 1})).toThrow(expect.objectContaining({code: 'bad-option'}))
  expect(() => filled({labelsShare: 1})).toThrow(/countCorpus has no option "labelsShare".*did you mean "labelShare"/)
  expect(() => filled({labelsShare: 1})).toThrow(/labelShare, seed, name/)
})

test('withDefaults(...) suggests nothing when nothing is near, and refuses unknown keys that are undefined', () => {
  expect(() => filled({temperature: 1})).toThrow(/has no option "temperature"/)
  expect(() => filled({temperature: 1})).not.toThrow(/did you mean/)
  expect(() => filled({sead: undefined})).toThrow(/did you mean "seed"/)
})

test.each(['constructor', 'toString', 'hasOwnProperty'])('withDefaults(...) refuses the inherited name %s', key => {
  expect(() => filled({[key]: 1})).toThrow(expect.objectContaining({code: 'bad-option'}))
})

test('withDefaults(...) refuses an own key __proto__ and leaves prototypes alone', () => {
  expect(() => filled(JSON.parse('{"__proto__": {"seed": 1}}'))).toThrow(/has no option "__proto__"/)
})
