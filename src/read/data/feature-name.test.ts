import {describe, expect, test} from 'vitest'
import {readFeatureName} from './feature-name.ts'
import {textDefaults} from './lexicon.ts'

const lower = textDefaults

describe('readFeatureName', () => {
  test.each([
    ['python', undefined, ['python']],
    ['title:python', 0, ['python']],
    ['text:Chest Pain', 1, ['chest', 'pain']],
    ['ruby-on-rails', undefined, ['ruby', 'on', 'rails']],
    ['C++', undefined, ['c++']],
    ['title:.NET', 0, ['.net']],
    ['title:', 0, []],
    ['', undefined, []]
  ])('readFeatureName(%j) has field %s and the words %j', (name, field, parts) => {
    expect(readFeatureName(name, lower)).toMatchObject({name, field, parts, pattern: undefined})
  })

  test.each([
    ['/etoh|alcohol/', false, undefined, '/etoh|alcohol/i'],
    ['text:/heart (size )?is/', false, 1, '/heart (size )?is/i'],
    ['/\\p{L}/u', false, undefined, '/\\p{L}/ui'],
    ['/a/i', true, undefined, '/a/i'],
    ['/A/', true, undefined, '/A/']
  ])('readFeatureName(%j) with keepCase %s has field %s and the expression %s', (name, keepCase, field, pattern) => {
    expect(readFeatureName(name, {...textDefaults, keepCase})).toMatchObject({
      field,
      parts: [],
      pattern: {name: pattern}
    })
  })

  test('readFeatureName(...) takes the value of a category, number or list whole, and no neg: from it', () => {
    const reading = {...lower, negation: true, category: ['sex'], number: ['age:10'], list: ['drugs']}
    expect(readFeatureName('drugs: Chest-Pain Kit', reading)).toMatchObject({
      name: 'drugs:chest-pain kit',
      field: 4,
      negated: false,
      parts: []
    })
    expect(readFeatureName('sex:neg:M', reading)).toMatchObject({name: 'sex:neg:m', field: 2, negated: false})
    expect(readFeatureName('age:/^4/', reading)).toMatchObject({field: 3, pattern: {name: '/^4/i'}, parts: []})
    const asWritten = {...reading, keepCase: true}
    expect(readFeatureName('sex:M', asWritten).name).toBe('sex:M')
    expect(readFeatureName('text:Fever', asWritten).parts).toEqual(['Fever'])
    expect(readFeatureName('sex:M', lower)).toMatchObject({name: 'sex:M', field: undefined, parts: ['sex', 'm']})
  })
})
