import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {exactId, hashedKey, isHeldOut, labelKey, parseRow, rowKey} from './row.ts'
import {messageOf} from './test-rows.ts'

const parse = (value: unknown, fields: readonly string[] = ['title', 'text']) =>
  parseRow(value, {text: fields}, 'notes.jsonl:12')

describe('parseRow', () => {
  test('parseRow(...) reads every part of the Contract and leaves other fields alone', () => {
    const row = parse({
      id: 7,
      title: 'T',
      text: 'x',
      features: ['f', 'f', ''],
      tags: ['a'],
      labels: {a: true, b: false},
      extra: {any: 'thing'}
    })
    expect(row).toEqual({
      id: 7,
      text: new Map([
        ['title', 'T'],
        ['text', 'x']
      ]),
      features: ['f', 'f', ''],
      tags: ['a'],
      labels: new Map([
        ['a', true],
        ['b', false]
      ])
    })
  })

  test('parseRow(...) tells tags that are missing from tags that are none', () => {
    expect(parse({text: ''}).tags).toBeUndefined()
    expect(parse({text: '', tags: []}).tags).toEqual([])
    expect(parse({text: ''}).labels).toBeUndefined()
    expect(parse({text: '', labels: {}}).labels).toEqual(new Map())
  })

  test('parseRow(...) takes null for missing', () => {
    const nothing = {id: null, title: null, text: 'x', features: null, tags: null, labels: null}
    expect(parse(nothing)).toEqual({
      id: undefined,
      text: new Map([['text', 'x']]),
      features: [],
      tags: undefined,
      labels: undefined
    })
    expect(() => parse({text: null})).toThrow(/no usable field/)
    expect(() => parseRow({note: 'a'}, {text: []}, 'x.csv:2')).toThrow(
      /x\.csv:2: the row has no usable field; a document needs "features"; it has note; name/
    )
  })

  test('parseRow(...) accepts an empty text and an empty list of features', () => {
    expect(parse({text: ''}).text).toEqual(new Map([['text', '']]))
    expect(parse({features: []}).features).toEqual([])
  })

  test('parseRow(...) takes any name for a field and never an inherited one', () => {
    const hostile = JSON.parse(
      '{"__proto__": "p", "constructor": "c", "labels": {"__proto__": true, "toString": false}}'
    )
    const row = parse(hostile, ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    expect([...row.text]).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c']
    ])
    expect([...(row.labels ?? [])]).toEqual([
      ['__proto__', true],
      ['toString', false]
    ])
    expect(() => parse({}, ['constructor', 'toString', '__proto__'])).toThrow(/no usable field/)
  })

  test('parseRow(...) keeps the digits of an id, and refuses one that is not finite', () => {
    expect(parseRow({id: 1, text: ''}, {text: ['text']}, 'x', (id, key) => `${id} of ${key}`).id).toBe('1 of id')
    expect(() => parseRow(JSON.parse('{"id":1e999,"text":""}'), {text: ['text']}, 'x:1')).toThrow(
      /x:1: field "id" is not a finite number/
    )
  })

  test.each<[unknown, string]>([
    [[], 'the row is not an object'],
    [null, 'the row is not an object'],
    ['hello', 'the row is not an object'],
    [{text: 5}, 'field "text" is not a string; expected a string; got 5'],
    [{features: 'a b'}, 'field "features" is not a list'],
    [{features: ['a', 2]}, 'field "features" has an entry that is not a string'],
    [{text: '', tags: 'a'}, 'field "tags" is not a list'],
    [{text: '', tags: [1]}, 'field "tags" has an entry that is not a string'],
    [{text: '', labels: ['a']}, 'field "labels" is not an object'],
    [{text: '', labels: {a: 1}}, 'the label of "a" is neither true nor false'],
    [{text: '', id: {}}, 'field "id" is neither text nor a number'],
    [{text: '', id: true}, 'field "id" is neither text nor a number']
  ])('parseRow(%j) is refused: %s', (value, fault) => {
    expect(() => parse(value)).toThrow(expect.objectContaining({code: 'bad-document'}))
    expect(messageOf(() => parse(value))).toContain(`notes.jsonl:12: ${fault}`)
  })

  test('parseRow(...) refuses a row without a usable field and says which it needs, which it has and what to do', () => {
    const message = messageOf(() => parse({id: 1, body: 'x', tags: ['a']}))
    expect(message).toMatch(/^notes\.jsonl:12: .*no usable field.*title, text.*it has id, body, tags.*`text`/)
    expect(messageOf(() => parse({}))).toMatch(/it has nothing/)
    expect(messageOf(() => parse({TEXT: 'x'}))).toMatch(/no usable field.*did you mean "TEXT"/)
  })
})

describe('labelKey', () => {
  test('labelKey(...) is the id, or a hash of the content that never changes', () => {
    expect(labelKey(parse({id: 12, text: 'x'}))).toBe('12')
    expect(labelKey(parse({text: 'Jane Doe, fever', tags: ['a']}))).toBe('row:1f64a8071dbae19d')
    expect(labelKey(parse({text: 'x'}))).toBe(hashedKey(rowKey(parse({text: 'x'}))))
  })
})

describe('rowKey', () => {
  test('rowKey(...) without an id differs for different content', () => {
    const content = fc.record({title: fc.string(), text: fc.string(), features: fc.array(fc.string(), {maxLength: 3})})
    fc.assert(
      fc.property(content, content, (a, b) => {
        expect(rowKey(parse(a)) === rowKey(parse(b))).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
      {seed: 1}
    )
  })
})

test('parseRow(...) refuses more than a million features, and texts over 16 million characters', () => {
  const features = Array.from({length: 1_000_001}, () => 'a')
  const fields = {text: ['text'], list: ['drugs']}
  expect(() => parseRow({features}, fields, 'x:1')).toThrow(
    /^x:1: the document has 1,000,001 features; at most 1,000,000/
  )
  expect(() => parseRow({drugs: features}, fields, 'x:1')).toThrow(/1,000,001 features/)
  expect(() => parseRow({text: '', tags: features}, fields, 'x:1')).toThrow(/1,000,001 tags/)
  expect(parseRow({features: features.slice(1)}, fields, 'x:1').features).toHaveLength(1_000_000)
  const text = 'x'.repeat(16 * 1024 * 1024)
  expect(parseRow({text}, fields, 'x:1').text.get('text')).toHaveLength(text.length)
  expect(() => parseRow({text: `${text}x`}, fields, 'x:1')).toThrow(/^x:1: field "text" has 16,777,217 characters; /)
})

const idOf = (json: string, name = 'id') => exactId((JSON.parse(json) as Record<string, unknown>)[name], json, name)

describe('exactId(...)', () => {
  test.each([
    ['{"id":12345678901234567890}', '12345678901234567890'],
    ['{"text":"\\"id\\":1","a":{"id":1},"b":[{"id":2}], "id" : -9007199254740993 }', '-9007199254740993'],
    ['{"id":1,"\\u0069d":9007199254740993}', '9007199254740993'],
    ['{"t\\\\":"x\\\\","id":0.10000000000000000001}', '0.10000000000000000001'],
    ['{"id":9007199254740991}', 9007199254740991],
    ['{"id":1.5}', 1.5],
    ['{"id":"12345678901234567890"}', '12345678901234567890'],
    ['{"text":"a"}', undefined]
  ])('of %s is %s', (json, id) => {
    expect(idOf(json)).toBe(id)
  })

  test('keeps every whole number apart, whatever is around it', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.jsonValue(), fc.string(), (id, value, key) => {
        const around = JSON.stringify({[`${key}_`]: value})
        const json = `${around.slice(0, -1)},"id":${id},"z":${around}}`
        expect(String(idOf(json))).toBe(String(id))
      })
    )
  })
})

describe('documents that are held out', () => {
  const heldRow = (value: object) => parseRow(value, {text: ['text']}, 'row')
  const numbers = Array.from({length: 4000}, (_, at) => at)

  test('a quarter of the documents with tags is held out, by the id alone or, without one, by the content', () => {
    const heldOut = numbers.filter(id => isHeldOut(heldRow({id, text: 'a', tags: []})))
    expect(heldOut.length / numbers.length).toBeCloseTo(0.25, 1)
    // The choice must never change.
    expect(heldOut.slice(0, 8)).toEqual([14, 18, 19, 27, 30, 36, 40, 44])
    const others = heldOut.filter(id => isHeldOut(heldRow({text: `other ${id}`, tags: ['x'], id: String(id)})))
    expect(others).toEqual(heldOut)
    const byContent = numbers.filter(n => isHeldOut(heldRow({text: `note ${n}`, tags: []})))
    expect(byContent.length / numbers.length).toBeCloseTo(0.25, 1)
    expect(numbers.filter(id => isHeldOut(heldRow({id, text: 'a'})))).toEqual([])
  })
})
