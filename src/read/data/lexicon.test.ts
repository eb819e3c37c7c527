import {describe, expect, test} from 'vitest'
import {checkTextOptions, pickTextOptions, textDefaults, textFromJson, textOptionsOf, textToJson} from './lexicon.ts'
import {messageOf} from './test-rows.ts'

const full = {
  ...textDefaults,
  negation: true,
  category: ['sex', '__proto__'],
  number: ['age:10', 'constructor:4,7'],
  list: ['dispensed'],
  separator: ';'
}

describe('text options in files', () => {
  test('textToJson(...) names what came later only where it is used, so that older files stay as they were', () => {
    expect(JSON.stringify(textToJson(textDefaults))).toBe('{"text":["title","text"],"vocabulary":3000,"maxShare":0.5}')
    expect(Object.keys(textToJson(full)).slice(3)).toEqual(['negation', 'category', 'number', 'list', 'separator'])
    expect(Object.keys(textToJson({...textDefaults, list: ['a'], keepCase: true})).slice(3)).toEqual([
      'keepCase',
      'list'
    ])
  })

  test('textFromJson(textToJson(...)) is the same again, keys in the same order', () => {
    for (const reading of [textDefaults, full, {...textDefaults, number: full.number}]) {
      const {text, vocabulary, maxShare, ...later} = JSON.parse(JSON.stringify(textToJson(reading)))
      const read = textFromJson({...later, maxShare, vocabulary, text})
      expect(JSON.stringify(read)).toBe(JSON.stringify(reading))
    }
  })

  test('pickTextOptions(...) leaves everything else out, and writes bins in one way', () => {
    const more = {...full, number: [' age : 10.0'], minTags: 2}
    expect(JSON.stringify(pickTextOptions(more))).toBe(JSON.stringify({...full, number: ['age:10']}))
  })

  test('textOptionsOf(...) has the usual values where nothing is given, and columns without blanks around them', () => {
    expect(textOptionsOf({text: ['note'], id: ' Visit ', keepCase: undefined, ...{other: 1}})).toEqual({
      ...textDefaults,
      text: ['note'],
      id: 'Visit'
    })
  })

  test('checkTextOptions(...) refuses fields that make no sense', () => {
    checkTextOptions(full)
    expect(messageOf(() => checkTextOptions({...full, list: ['text']}))).toMatch(/"text" is named twice/)
  })
})
