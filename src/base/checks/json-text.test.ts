import fc from 'fast-check'
import {expect, test} from 'vitest'
import {jsonEntries, jsonFault, jsonValues} from './json-text.ts'

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: expected a comma or the closing bracket, not "b": 2'],
  ['{\r\n  "a": 1,\r\n}', 'line 3, column 1: expected a name in double quotes (is there a comma too many?), not }'],
  ["{'a': 1}", `line 1, column 2: expected a name in double quotes, or }, not 'a': 1}`],
  ['{"a": tru}', 'line 1, column 7: expected a value, not tru}'],
  ['{"a": [1, 2', 'line 1, column 12: expected a comma or the closing bracket, not the end of the file'],
  ['{"a" 1}', 'line 1, column 6: expected a colon, not 1}'],
  ['', 'line 1, column 1: expected a value, not the end of the file'],
  ['{} {}', 'line 1, column 4: expected nothing more, not {}']
])('jsonFault(%j) is %j', (text, fault) => {
  expect(jsonFault(text)).toBe(fault)
})

const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('jsonFault(...) finds a fault exactly where JSON.parse does', () => {
  const pieces = fc.constantFrom(
    ...'{}[]",:\\ \n\u0001\u0085ué',
    ...['"a"', '1', '-0.5e3', '01', 'true', 'null', '\\u00e9', '"\\n"', '"\u0085"']
  )
  const texts = fc.oneof(
    fc.json(),
    fc.array(pieces, {maxLength: 12}).map(parts => parts.join('')),
    // JSON with one character cut out.
    fc
      .tuple(fc.json(), fc.nat())
      .map(([text, at]) => text.slice(0, at % text.length) + text.slice((at % text.length) + 1))
  )
  fc.assert(
    fc.property(texts, text => {
      expect(jsonFault(text) === undefined).toBe(isJson(text))
    }),
    {numRuns: 2000}
  )
})

const layouts = fc.constantFrom(undefined, 1, '\t')

test('jsonEntries(...) cuts the entries of an object out of the text', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), layouts, (object, space) => {
      const text = ` ${JSON.stringify(object, null, space)}`
      const entries = jsonEntries(text, 1).map(({key, start, end}) => [key, JSON.parse(text.slice(start, end))])
      expect(entries).toEqual(Object.entries(JSON.parse(text)))
    })
  )
  expect(jsonEntries('{"a": 1, "a": 2}', 0).map(({key}) => key)).toEqual(['a', 'a'])
})

test('jsonValues(...) cuts the items of a list out of the text', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), layouts, (list, space) => {
      const text = JSON.stringify(list, null, space)
      expect(jsonValues(text, 0).map(({start, end}) => JSON.parse(text.slice(start, end)))).toEqual(JSON.parse(text))
    })
  )
})
