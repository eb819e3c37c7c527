import {describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {checkRowFields, fieldsOf, numberFieldText, parseNumberField} from './row-fields.ts'
import {messageOf} from './test-rows.ts'

describe('row fields', () => {
  test('fieldsOf(...) names text, then categories, numbers and lists, then sources of votes', () => {
    const fields = {text: ['note'], list: ['drugs:;'], number: ['age:10'], category: ['sex'], votes: ['nurse']}
    const {valueNames, fieldNames, inputNames} = fieldsOf(fields)
    expect(valueNames).toEqual(['sex', 'age', 'drugs'])
    expect([fieldNames, inputNames]).toEqual([
      ['note', ...valueNames],
      ['note', ...valueNames, 'nurse']
    ])
  })

  test('checkRowFields(...) takes fields of every kind, and any name that is not taken', () => {
    checkRowFields({
      text: ['tags', '__proto__'],
      category: ['constructor'],
      number: ['age:0.5', 'weight:-1,0,50'],
      list: ['toString']
    })
    checkRowFields({text: []})
  })

  test.each([
    [{text: ['a', 'a']}, /the field "a" is named twice.*name it once/],
    [{text: ['a'], category: ['a']}, /the field "a" is named twice/],
    [{text: [], category: ['a'], list: ['a']}, /the field "a" is named twice/],
    [{text: [], number: ['a:1'], list: ['a']}, /the field "a" is named twice/],
    [{text: [], category: ['a:b']}, /`category` must be field names without colons; got \["a:b"\]/],
    [{text: [], list: ['']}, /`list` must be field names without colons; got \[""\]/],
    [{text: [], list: ['tags']}, /`list` must be fields other than id, tags, features, labels.*got "tags"/],
    [{text: [], category: ['id']}, /`category` must be .*got "id"/]
  ])('checkRowFields(%j) refuses it by name', (fields, message) => {
    expect(messageOf(() => checkRowFields(fields))).toMatch(message)
  })

  test.each([
    ['age:10', {field: 'age', width: 10}, 'age:10'],
    [' age :2.50', {field: 'age', width: 2.5}, 'age:2.5'],
    ['age:18, 40,65', {field: 'age', edges: [18, 40, 65]}, 'age:18,40,65'],
    ['age:65+', {field: 'age', edges: [65]}, 'age:65+']
  ])('parseNumberField(%j) is %j, written as %j', (text, bins, written) => {
    expect(parseNumberField(text)).toEqual(bins)
    expect(numberFieldText(parseNumberField(text))).toBe(written)
  })

  test.each([
    ...['age', 'age:', ':10', ' :10', 'age:a', 'age:1,', 'age:1,,2', 'a:b:1'],
    ...['age:0', 'age:-10', 'age:Infinity', 'age:40,18', 'age:18,18']
  ])('parseNumberField(%j) is refused', text => {
    expect(() => parseNumberField(text)).toThrow(expect.objectContaining({code: 'bad-option'}))
    expect(() => checkRowFields({text: [], number: [text]})).toThrow(AdfaError)
  })

  test('fieldsOf(...) has the own separator of a list, or else the one of all lists', () => {
    const {lists, tagSeparator} = fieldsOf({text: [], separator: ',', list: ['drugs', 'codes:;', 'rays: : ']})
    expect([...lists.map(({separator}) => separator), tagSeparator]).toEqual([',', ';', ' : ', ','])
    expect(() => checkRowFields({text: [], list: ['codes: ']})).toThrow(expect.objectContaining({code: 'bad-option'}))
  })
})
