import {expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {vocabularyDefaults} from './learn-lexicon.ts'
import {fieldsFromNames, parseNumberField, vocabularyFromNames} from './named-reading.ts'

test.each([
  ['age:10', {field: 'age', width: 10}],
  [' age :2.5', {field: 'age', width: 2.5}],
  ['age:18,40,65', {field: 'age', edges: [18, 40, 65]}],
  ['age:65+', {field: 'age', edges: [65]}]
])('parseNumberField(%j) is %j', (text, field) => {
  expect(parseNumberField(text)).toEqual(field)
})

test.each(['age', 'age:', ':10', 'age:a', 'age:1,', 'age:1,,2', 'a:b:1'])('parseNumberField(%j) is refused', text => {
  expect(() => parseNumberField(text)).toThrow(AdfaError)
  expect(() => parseNumberField(text)).toThrow('must be a field and its bins: age:10 (a width) or age:18,40,65 (edges)')
})

test('vocabularyFromNames(...) has the usual values where nothing is named', () => {
  const {text, ...others} = {text: ['note']}
  expect({...vocabularyDefaults, ...vocabularyFromNames({text, ...others})}).toEqual({
    ...vocabularyDefaults,
    fields: ['note']
  })
})

test('vocabularyFromNames(...) takes every name of a reading', () => {
  const names = {
    text: ['note'],
    category: ['sex'],
    number: ['age:10', {field: 'bp', edges: [90]}],
    list: ['meds'],
    votes: ['nurse'],
    separator: ';',
    listSeparators: [],
    id: ' Visit ',
    tags: 'Codes',
    tagSeparator: ' ',
    keepCase: true,
    negation: true,
    negationScope: 5,
    vocabulary: 50,
    maxShare: 0.25
  }
  const fields = {
    fields: ['note'],
    categories: ['sex'],
    numbers: [
      {field: 'age', width: 10},
      {field: 'bp', edges: [90]}
    ],
    lists: ['meds'],
    votes: ['nurse'],
    separator: ';',
    listSeparators: [],
    idField: 'Visit',
    tagsField: 'Codes',
    tagSeparator: ' ',
    lowerCase: false
  }
  expect(fieldsFromNames(names)).toEqual(fields)
  const words = {negation: true, negationScope: 5, vocabulary: 50, maxShare: 0.25}
  expect(vocabularyFromNames(names)).toEqual({...fields, ...words})
})
