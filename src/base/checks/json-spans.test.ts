import fc from 'fast-check'
import {expect, test} from 'vitest'
import {jsonEntries, jsonValues} from './json-spans.ts'

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
