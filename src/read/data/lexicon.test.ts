import {describe, expect, test} from 'vitest'
import {checkTextOptions, pickTextOptions, textDefaults, textFromJson, textToJson} from './lexicon.ts'
import {messageOf} from './test-rows.ts'

const full = {
  ...textDefaults,
  negation: true,
  categories: ['sex', '__proto__'],
  numbers: [
    {field: 'age', width: 10},
    {field: 'constructor', edges: [4, 7]}
  ],
  lists: ['dispensed'],
  separator: ';'
}

describe('text options in files', () => {
  test('textToJson(...) names what came later only where it is used, so that older files stay as they were', () => {
    expect(JSON.stringify(textToJson(textDefaults))).toBe(
      '{"fields":["title","text"],"vocabulary":3000,"maxShare":0.5,"lowerCase":true}'
    )
    expect(Object.keys(textToJson(full)).slice(4)).toEqual(['negation', 'categories', 'numbers', 'lists', 'separator'])
    expect(Object.keys(textToJson({...textDefaults, lists: ['a']})).slice(4)).toEqual(['lists'])
  })

  test('textFromJson(textToJson(...)) is the same again, keys in the same order', () => {
    for (const text of [textDefaults, full, {...textDefaults, numbers: full.numbers}]) {
      const {fields, vocabulary, maxShare, lowerCase, ...later} = JSON.parse(JSON.stringify(textToJson(text)))
      const read = textFromJson({...later, lowerCase, maxShare, vocabulary, fields})
      expect(JSON.stringify(read)).toBe(JSON.stringify(text))
    }
  })

  test('pickTextOptions(...) leaves everything else out', () => {
    const numbers = [{field: 'age', width: 10, note: 'x'}]
    const more = {...full, numbers, minTags: 2}
    expect(JSON.stringify(pickTextOptions(more))).toBe(JSON.stringify({...full, numbers: [{field: 'age', width: 10}]}))
  })

  test('checkTextOptions(...) refuses fields that make no sense', () => {
    checkTextOptions(full)
    expect(messageOf(() => checkTextOptions({...full, lists: ['text']}))).toMatch(/"text" is named twice/)
  })
})
