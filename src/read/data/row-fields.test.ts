import {describe, expect, test} from 'vitest'
import {checkRowFields, fieldNames, type NumberField, valueFieldNames} from './row-fields.ts'
import {messageOf} from './test-rows.ts'

describe('row fields', () => {
  test('fieldNames(...) lists text, then categories, numbers and lists; valueFieldNames(...) all but text', () => {
    const fields = {fields: ['note'], lists: ['drugs'], numbers: [{field: 'age', width: 10}], categories: ['sex']}
    expect(fieldNames(fields)).toEqual(['note', 'sex', 'age', 'drugs'])
    expect(valueFieldNames(fields)).toEqual(['sex', 'age', 'drugs'])
    expect([fieldNames({fields: ['note']}), valueFieldNames({fields: ['note']})]).toEqual([['note'], []])
  })

  test('checkRowFields(...) takes fields of every kind, and any name that is not taken', () => {
    const numbers = [
      {field: 'age', width: 0.5},
      {field: 'weight', edges: [-1, 0, 50]}
    ]
    checkRowFields({fields: ['tags', '__proto__'], categories: ['constructor'], numbers, lists: ['toString']})
    checkRowFields({fields: []})
  })

  test.each([
    [{fields: ['a', 'a']}, /the field "a" is named twice.*name it once/],
    [{fields: ['a'], categories: ['a']}, /the field "a" is named twice/],
    [{fields: [], categories: ['a'], lists: ['a']}, /the field "a" is named twice/],
    [{fields: [], numbers: [{field: 'a', width: 1}], lists: ['a']}, /the field "a" is named twice/],
    [{fields: [], categories: ['a:b']}, /`categories` must be field names without colons; got \["a:b"\]/],
    [{fields: [], lists: ['']}, /`lists` must be field names without colons; got \[""\]/],
    [{fields: [], numbers: [{field: ' ', width: 1}]}, /`numbers` must be field names without colons; got \[" "\]/],
    [{fields: [], lists: ['tags']}, /`lists` must be fields other than id, tags, features, labels.*got "tags"/],
    [{fields: [], categories: ['id']}, /`categories` must be .*got "id"/]
  ])('checkRowFields(%j) refuses it by name', (fields, message) => {
    expect(messageOf(() => checkRowFields(fields))).toMatch(message)
  })

  test.each([
    [{field: 'age', width: 0}, /^field "age": `numbers` must be binned by a width above 0, such as 10; got 0$/],
    [{field: 'age', width: -10}, /above 0, such as 10; got -10/],
    [{field: 'age', width: Number.NaN}, /above 0, such as 10; got NaN/],
    [{field: 'age', width: Number.POSITIVE_INFINITY}, /above 0, such as 10; got Infinity/],
    [{field: 'age', edges: []}, /binned by ascending edges/],
    [{field: 'age', edges: [40, 18]}, /ascending edges, such as 18,40,65; got "40,18"/],
    [{field: 'age', edges: [18, 18]}, /ascending.*got "18,18"/],
    [{field: 'age', edges: [18, Number.NaN]}, /got "18,NaN"/]
  ] satisfies [NumberField, RegExp][])('checkRowFields(...) refuses bins such as %j', (bins, message) => {
    expect(messageOf(() => checkRowFields({fields: [], numbers: [bins]}))).toMatch(message)
  })
})
