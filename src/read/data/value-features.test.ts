import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parseRow} from './row.ts'
import type {RowFields} from './row-fields.ts'
import {messageOf} from './test-rows.ts'

const fields: RowFields = {
  fields: ['text'],
  categories: ['sex', 'smoker'],
  numbers: [
    {field: 'age', width: 10},
    {field: 'pain', edges: [4, 7]}
  ],
  lists: ['dispensed']
}
const featuresOf = (value: unknown, as: RowFields = fields) => parseRow(value, as, 'notes.jsonl:12').features

describe('parseRow, categories, numbers and lists', () => {
  test('parseRow(...) makes features of them, after those that are given', () => {
    const row = {
      features: ['Q'],
      dispensed: ['Naloxone', ' Albuterol Sulfate '],
      age: 47,
      pain: 9,
      sex: 'M',
      smoker: true
    }
    expect(featuresOf(row)).toEqual([
      'Q',
      'sex:m',
      'smoker:true',
      'age:40-50',
      'pain:7+',
      'dispensed:naloxone',
      'dispensed:albuterol sulfate'
    ])
    expect(featuresOf({sex: 'M', dispensed: ['Naloxone']}, {...fields, lowerCase: false})).toEqual([
      'sex:M',
      'dispensed:Naloxone'
    ])
  })

  test('parseRow(...) leaves the text as it is, and fields that nobody asked for alone', () => {
    const row = parseRow({text: 'Fever', age: 47, ward: 3}, fields, 'x:1')
    expect([[...row.text], row.features]).toEqual([[['text', 'Fever']], ['age:40-50']])
    expect(featuresOf({text: '', age: 'old', dispensed: 5}, {fields: ['text']})).toEqual([])
  })

  test.each([
    [{age: '47'}, ['age:40-50']],
    [{age: ' 4.7e1 '}, ['age:40-50']],
    [{age: '-.5'}, ['age:-10..0']],
    [{sex: 0}, ['sex:0']],
    [{smoker: false}, ['smoker:false']],
    [{dispensed: ['a', null, '', ' ', 7, true, 'A']}, ['dispensed:a', 'dispensed:7', 'dispensed:true', 'dispensed:a']],
    [{sex: 'a:b'}, ['sex:a:b']]
  ])('parseRow(%j) reads it as %j', (value, features) => {
    expect(featuresOf(value)).toEqual(features)
  })

  test('parseRow(...) takes what is missing, null or empty for no feature, and such a row for a document', () => {
    for (const nothing of [
      {age: null},
      {age: ''},
      {age: ' '},
      {sex: null},
      {sex: ' '},
      {dispensed: []},
      {dispensed: null}
    ])
      expect(featuresOf(nothing)).toEqual([])
    expect(messageOf(() => featuresOf({ward: 3}))).toMatch(
      /no usable field; a document needs "features" or one of the fields text, sex, smoker, age, pain, dispensed; it has ward;.*--category/
    )
  })

  test.each([
    [
      {age: '47 years'},
      /^notes\.jsonl:12: the row has a "age" that is not a number; .*leave it empty.*got "47 years"$/
    ],
    [{age: '0x1f'}, /got "0x1f"/],
    [{age: '1e999'}, /got "1e999"/],
    [{age: '1,5'}, /got "1,5"/],
    [{age: Number.NaN}, /got "NaN"/],
    [{age: Number.POSITIVE_INFINITY}, /got "Infinity"/],
    [{age: true}, /got true/],
    [{age: [4]}, /got \[4\]/],
    [{sex: ['m']}, /has a "sex" that is not one value; .*--list\); got \["m"\]/],
    [{sex: {a: 1}}, /has a "sex" that is not one value; expected text, a number, true or false; got/],
    [{dispensed: 'Naloxone'}, /has a "dispensed" that is not a list; .*--category\); got "Naloxone"/],
    [
      {dispensed: ['a', ['b']]},
      /"dispensed" with an entry that is not one value; expected text or numbers; got \["b"\]/
    ]
  ])('parseRow(%j) refuses it by name and place', (value, message) => {
    expect(messageOf(() => featuresOf(value))).toMatch(message)
  })

  test('parseRow(...) knows no prototype: hostile names are names like others, as field and as value', () => {
    const hostile = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    fc.assert(
      fc.property(fc.constantFrom(...hostile), fc.constantFrom(...hostile), (field, value) => {
        const document = JSON.parse(`{"text": "", ${JSON.stringify(field)}: ${JSON.stringify(value)}}`)
        const name = value.toLowerCase()
        expect(featuresOf(document, {fields: ['text'], categories: [field]})).toEqual([`${field}:${name}`])
        const listed = JSON.parse(`{${JSON.stringify(field)}: [${JSON.stringify(value)}]}`)
        expect(featuresOf(listed, {fields: [], lists: [field]})).toEqual([`${field}:${name}`])
        expect(featuresOf({text: ''}, {fields: ['text'], categories: [field]})).toEqual([])
        expect(() => featuresOf({}, {fields: [], categories: [field]})).toThrow('no usable field')
      })
    )
  })
})
