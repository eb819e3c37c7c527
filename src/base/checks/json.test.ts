import fc from 'fast-check'
import {expect, test} from 'vitest'
import {distinctAt, parseJson, shownValue, wholeAt} from './json.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

test('parseJson(...) is JSON.parse up to 100 levels', () => {
  fc.assert(
    fc.property(fc.json(), text => {
      expect(parseJson(text)).toEqual(JSON.parse(text))
    })
  )
  expect(parseJson(nested(100))).toEqual(JSON.parse(nested(100)))
  expect(() => parseJson(nested(102))).toThrow(/nested more than 100 deep/)
  expect(() => parseJson(`${'{"a":'.repeat(1e6)}1${'}'.repeat(1e6)}`)).toThrow(/nested more than 100 deep/)
  expect(() => parseJson('{')).toThrow(SyntaxError)
})

test('shownValue(...) is the JSON of short values', () => {
  fc.assert(
    fc.property(fc.jsonValue({maxDepth: 3}), value => {
      const text = JSON.stringify(value)
      fc.pre(text.length < 500 && !Object.is(value, -0) && !text.includes('-0'))
      expect(JSON.parse(shownValue(value, 1000))).toEqual(JSON.parse(text))
    })
  )
})

test('shownValue(...) is short and quick, however large or deep the value is', () => {
  const values = [JSON.parse(nested(1e6)), 'x'.repeat(1e8), Array(1e6).fill('x'.repeat(1000)), {['k'.repeat(1e7)]: 1}]
  for (const value of values) expect(shownValue(value).length).toBeLessThanOrEqual(83)
  expect(shownValue(JSON.parse(nested(1e6)))).toBe('[[[[[[[[[[[...]]]]]]]]]]]')
})

test('wholeAt(...) and distinctAt(...) name the place and what they found', () => {
  expect(wholeAt(3, 'seed')).toBe(3)
  for (const odd of [-1, 1.5, '3', null, Number.NaN, 2 ** 53])
    expect(() => wholeAt(odd, 'seed')).toThrow(/^seed must be/)
  expect(distinctAt(['__proto__', 'constructor'], 'words')).toEqual(['__proto__', 'constructor'])
  expect(() => distinctAt(['a', 'b', 'a'], 'words')).toThrow('words names "a" twice')
})
