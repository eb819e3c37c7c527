import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {binName, parseRow} from './row.ts'
import type {RowFields} from './row-fields.ts'
import {messageOf} from './test-rows.ts'

const fields: RowFields = {
  text: ['text'],
  category: ['sex', 'smoker'],
  number: ['age:10', 'pain:4,7'],
  list: ['dispensed']
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
    expect(featuresOf({sex: 'M', dispensed: ['Naloxone']}, {...fields, keepCase: true})).toEqual([
      'sex:M',
      'dispensed:Naloxone'
    ])
  })

  test('parseRow(...) leaves the text as it is, and fields that nobody asked for alone', () => {
    const row = parseRow({text: 'Fever', age: 47, ward: 3}, fields, 'x:1')
    expect([[...row.text], row.features]).toEqual([[['text', 'Fever']], ['age:40-50']])
    expect(featuresOf({text: '', age: 'old', dispensed: 5}, {text: ['text']})).toEqual([])
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
    const nothings = [{age: null}, {age: ''}, {age: ' '}, {sex: null}, {sex: ' '}, {dispensed: []}, {dispensed: null}]
    for (const nothing of nothings) expect(featuresOf(nothing)).toEqual([])
    expect(messageOf(() => featuresOf({ward: 3}))).toMatch(
      /no usable field; a document needs "features" or one of the fields text, sex, smoker, age, pain, dispensed; it has ward;.*`category`/
    )
  })

  test.each([
    [{age: '47 years'}, /^notes\.jsonl:12: field "age" is not a number; .*leave it empty.*got "47 years"$/],
    [{age: '0x1f'}, /got "0x1f"/],
    [{age: '1e999'}, /got "1e999"/],
    [{age: Number.POSITIVE_INFINITY}, /got "Infinity"/],
    [{age: true}, /got true/],
    [{sex: ['m']}, /field "sex" is not one value; .*`list`\); got \["m"\]/],
    [{sex: {a: 1}}, /field "sex" is not one value; expected text, a number, true or false; got/],
    [{dispensed: 'Naloxone'}, /field "dispensed" is not a list; .*`category`\); got "Naloxone"/],
    [{dispensed: ['a', ['b']]}, /"dispensed" has an entry that is not one value; expected text or numbers; got \["b"\]/]
  ])('parseRow(%j) refuses it by name and place', (value, message) => {
    expect(messageOf(() => featuresOf(value))).toMatch(message)
  })
})

const byWidth = (value: number, width: number) => binName(value, {field: 'x', width})

describe('binName, bins of one width', () => {
  test.each([
    [47, 10, '40-50'],
    [40, 10, '40-50'],
    [-0, 10, '0-10'],
    [-0.1, 10, '-10..0'],
    [0.3, 0.1, '0.3-0.4'],
    [0.29, 0.1, '0.2-0.3'],
    [36.6, 0.2, '36.6-36.8'],
    [123_456_789_012_345, 10, '123456789012340-123456789012350'],
    [3e-7, 1e-7, '0.0000003-0.0000004'],
    [5, 1e20, '0-100000000000000000000']
  ])('binName(%s) by width %s is %s', (value, width, name) => {
    expect(byWidth(value, width)).toBe(name)
  })

  test('binName(...) has the lower bound and not the upper one, and bounds a width apart, for any decimal number', () => {
    // Thousandths as whole numbers are the slow, obvious twin.
    const text = (thousandths: bigint) => {
      const digits = String(thousandths < 0n ? -thousandths : thousandths).padStart(4, '0')
      const decimal = `${digits.slice(0, -3)}.${digits.slice(-3)}`.replace(/\.?0+$/, '')
      return thousandths < 0n ? `-${decimal}` : decimal
    }
    const values = fc.bigInt({min: -(10n ** 12n), max: 10n ** 12n})
    const widths = fc.oneof(
      fc.bigInt({min: 1n, max: 5000n}),
      fc.constantFrom(1n, 10n, 100n, 200n, 10n ** 3n, 10n ** 6n)
    )
    const valueAndWidth = fc.tuple(values, widths, fc.boolean())
    fc.assert(
      fc.property(valueAndWidth, ([some, width, isBound]) => {
        const value = isBound ? some - (some % width) : some
        const rest = ((value % width) + width) % width
        const below = value - rest
        const name = `${text(below)}${below < 0n ? '..' : '-'}${text(below + width)}`
        expect(byWidth(Number(text(value)), Number(text(width)))).toBe(name)
      }),
      {numRuns: 2000}
    )
  })
})

test.each<[number, number[], string]>([
  [17.9, [18, 40, 65], '<18'],
  [18, [18, 40, 65], '18-40'],
  [65, [18, 40, 65], '65+'],
  [64, [65], '<65'],
  [65, [65], '65+'],
  [-15, [-20, -10, 0], '-20..-10'],
  [0, [-20, -10, 0], '0+'],
  [0, [1e-7, 1e20], '<0.0000001'],
  [1, [1e-7, 1e20], '0.0000001-100000000000000000000'],
  [1e22, [1e-7, 1e20], '100000000000000000000+']
])('binName(%s) between the edges %j is %s', (value, edges, name) => {
  expect(binName(value, {field: 'x', edges})).toBe(name)
})
