import {describe, expect, test} from 'vitest'
import {readFeatureName, splitRegex} from './feature-name.ts'
import {textDefaults} from './lexicon.ts'

const lower = textDefaults
const asWritten = {...textDefaults, keepCase: true}

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

  test('readFeatureName(...) keeps upper case where text is read so', () => {
    expect(readFeatureName('title:Python', asWritten).parts).toEqual(['Python'])
  })

  test('readFeatureName(...) reads regular expressions, in a field or in any', () => {
    expect(readFeatureName('/etoh|alcohol/', lower)).toEqual({
      name: '/etoh|alcohol/',
      rest: '/etoh|alcohol/',
      negated: false,
      field: undefined,
      parts: [],
      pattern: expect.objectContaining({name: '/etoh|alcohol/i'})
    })
    expect(readFeatureName('text:/heart (size )?is/', lower)).toMatchObject({
      field: 1,
      pattern: {name: '/heart (size )?is/i'}
    })
    expect(readFeatureName('/a/i', asWritten).pattern?.name).toBe('/a/i')
    expect(readFeatureName('/A/', asWritten).pattern?.name).toBe('/A/')
    expect(readFeatureName('/\\p{L}/u', lower).pattern?.name).toBe('/\\p{L}/ui')
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
    expect(readFeatureName('sex:M', {...reading, keepCase: true}).name).toBe('sex:M')
    expect(readFeatureName('sex:M', lower)).toMatchObject({name: 'sex:M', field: undefined, parts: ['sex', 'm']})
  })
})

test.each([
  ['/a/', {source: 'a', flags: ''}],
  ['/a/b/i', {source: 'a/b', flags: 'i'}],
  ['/a\nb/', {source: 'a\nb', flags: ''}],
  ['//', undefined],
  ['/a', undefined],
  ['a/b/', undefined],
  ['/a/I', undefined],
  ['', undefined]
])('splitRegex(%j) is %j', (text, parts) => {
  expect(splitRegex(text)).toEqual(parts)
})
