import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {PlainLine} from './plain-line.ts'
import {parseRow} from './row.ts'
import {StringPlaces} from './string-places.ts'
import {TokenTable} from './token-table.ts'
import {tokenize} from './tokenize.ts'
import {tokenizeAscii} from './tokenize-ascii.ts'

const fields = {fields: ['title', 'text']}

/** What a scan found, as `parseRow` gives it; undefined when the line is not plain. */
function scanned(line: PlainLine, json: string) {
  // Between other lines: nothing outside of the line may matter.
  const bytes = new TextEncoder().encode(`{"id":"x"}\n${json}\n"]}{"features":["y"]}`)
  const to = 11 + new TextEncoder().encode(json).length
  if (!line.scan(bytes, 11, to)) return undefined
  const textAt = (from: number, end: number) => new TextDecoder().decode(bytes.subarray(from, end))
  const list = ({count, from, to: ends}: StringPlaces) =>
    count < 0 ? undefined : Array.from({length: count}, (_, at) => textAt(from[at], ends[at]))
  return {
    id: line.idTo === 0 ? undefined : textAt(line.idFrom, line.idTo),
    features: list(line.features) ?? [],
    tags: list(line.tags),
    text: fields.fields.flatMap((field, at) => {
      const text = line.texts[at]
      if (!text.isThere) return []
      const content = text.isAscii
        ? new TextDecoder().decode(text.bytes.subarray(0, text.length))
        : (JSON.parse(textAt(text.from, text.to)) as string).toLowerCase()
      return [[field, content]]
    })
  }
}

function parsed(json: string) {
  const {id, features, tags, text} = parseRow(JSON.parse(json), fields, 'here')
  const lowered = [...text].map(([field, content]) => [field, content.toLowerCase()])
  return {id: id === undefined ? undefined : String(id), features, tags, text: lowered}
}

describe('PlainLine', () => {
  const name = fc.oneof(fc.constantFrom('chest pain', 'a', '', 'é', 'x:y', '❤', '\u0000'), fc.string({unit: 'binary'}))
  const entry = fc.oneof(
    fc.record({key: fc.constantFrom('features', 'tags'), value: fc.array(name, {maxLength: 5})}),
    fc.record({key: fc.constantFrom('text', 'title', 'note'), value: fc.oneof(name, fc.string())}),
    fc.record({key: fc.constant('id'), value: fc.oneof(fc.nat(), fc.maxSafeNat(), name, fc.double({noNaN: true}))}),
    fc.record({
      key: fc.constantFrom('Text', ' id', 'labels', 'votes', 'age', 'x'),
      value: fc.constantFrom(null, 1, -2.5e-7, true, false, 'a "b" \\', [1], {a: 1}, '\u2028')
    })
  )
  const indent = fc.constantFrom(
    (json: string) => json,
    (json: string) => json.replaceAll('":', '" : ').replaceAll(',"', ' ,\t"')
  )

  test('finds what JSON.parse and parseRow find, or refuses the line', () => {
    const seen = {plain: 0, other: 0}
    const line = new PlainLine(fields, true)
    fc.assert(
      fc.property(fc.array(entry, {maxLength: 5}), indent, (entries, spaced) => {
        const json = spaced(
          `{${entries.map(({key, value}) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`
        )
        const found = scanned(line, json)
        seen[found === undefined ? 'other' : 'plain']++
        if (found !== undefined) expect(found).toEqual(parsed(json))
      }),
      {numRuns: 3000}
    )
    // The property would hold for a scan that refuses everything.
    expect(seen.plain).toBeGreaterThan(200)
  })

  test('never accepts a damaged line that JSON.parse refuses', () => {
    const line = new PlainLine(fields, true)
    const whole =
      '{"id":12,"text":"a \\"b\\" \\u00e9c","features":["x","y z"],"tags":[],"age":-1.5e3,"ok":true,"no":null}'
    expect(scanned(line, whole)).toEqual(parsed(whole))
    const damage = fc.tuple(
      fc.nat(whole.length - 1),
      fc.nat(3),
      fc.oneof(fc.constantFrom('', '"', '\\', ',', '\t', ']', '}', '0'), fc.string({maxLength: 2}))
    )
    fc.assert(
      fc.property(fc.array(damage, {minLength: 1, maxLength: 3}), edits => {
        let json = whole
        for (const [at, length, put] of edits)
          json = json.slice(0, at) + put.replaceAll('\n', '') + json.slice(at + length)
        const found = scanned(line, json)
        if (found !== undefined) expect(found).toEqual(parsed(json))
      }),
      {numRuns: 20_000}
    )
  })

  test.each([
    '{"text":"a","text":"b"}',
    '{"features":["a\\u0062"]}',
    '{"id":007,"text":"a"}',
    '{"id":12345678901234567890,"text":"a"}',
    '{"labels":{"a":true},"text":"a"}',
    '{"TEXT":"a"}',
    '{"id":1}',
    '{"text":5}',
    '[]',
    ''
  ])('leaves %s to JSON.parse', json => {
    expect(scanned(new PlainLine(fields, true), json)).toBeUndefined()
  })

  test('does not read values and records', () => {
    expect(PlainLine.canRead(fields)).toBe(true)
    expect(PlainLine.canRead({...fields, categories: ['sex']})).toBe(false)
    expect(PlainLine.canRead({...fields, keepsRecords: true})).toBe(false)
    expect(PlainLine.canRead({...fields, part: 'learning'})).toBe(false)
  })
})

describe('tokenizeAscii', () => {
  const places = new StringPlaces()
  const tokensOf = (text: string) => {
    const bytes = new TextEncoder().encode(text)
    tokenizeAscii(bytes, bytes.length, places)
    return Array.from({length: places.count}, (_, at) => text.slice(places.from[at], places.to[at]))
  }

  test('finds the tokens of tokenize', () => {
    const character = fc.constantFrom(...`ab1_.'-+# ,.-+#cC"\n`.split(''))
    const text = fc.oneof(
      fc.array(character, {maxLength: 12}).map(list => list.join('')),
      fc.string({unit: 'grapheme-ascii', maxLength: 30}),
      fc.array(fc.integer({min: 0, max: 127}).map(code => String.fromCharCode(code))).map(list => list.join(''))
    )
    fc.assert(
      fc.property(text, content => {
        expect(tokensOf(content)).toEqual(tokenize(content))
      }),
      {numRuns: 20_000}
    )
  })

  test('keeps names of the field whole', () => {
    expect(tokensOf(".net asp.net-mvc-3 c++11 c#, i'm f#s x..y")).toEqual([
      '.net',
      'asp.net-mvc-3',
      'c++11',
      'c#',
      "i'm",
      'f',
      's',
      'x',
      'y'
    ])
  })
})

describe('TokenTable', () => {
  test('numbers tokens by first occurrence, by bytes and by text alike', () => {
    const token = fc.oneof(
      fc.string({maxLength: 3}),
      fc.string({unit: 'binary', maxLength: 3}),
      fc.constantFrom('\ud800', '\udc00a', '\ud83d\ude00')
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), token, fc.boolean())), asked => {
        const table = new TokenTable()
        const twin = new Map<string, number>()
        const line = new PlainLine({fields: []}, false)
        for (const [field, text, byText] of asked) {
          const key = `${field} ${text}`
          const expected = twin.get(key) ?? twin.size
          twin.set(key, expected)
          const json = new TextEncoder().encode(JSON.stringify({features: [text]}))
          const isPlain = !byText && line.scan(json, 0, json.length)
          const {from, to, hash} = line.features
          const number = isPlain
            ? table.numberOf(field, json, from[0], to[0], hash[0])
            : table.numberOfText(field, text)
          expect(number).toBe(expected)
          expect(table.name(number)).toBe(text)
          expect(table.field(number)).toBe(field)
        }
        expect(table.size).toBe(twin.size)
      })
    )
  })

  test('tells tokens with the same hash apart, and the same token in different fields', () => {
    const table = new TokenTable()
    const [a, b] = ['ab', 'ac'].map(text => new TextEncoder().encode(text))
    const ask = (field: number, bytes: Uint8Array) => table.numberOf(field, bytes, 0, 2, 12345)
    expect([ask(0, a), ask(0, b), ask(1, a), ask(0, a), ask(1, a), ask(0, b)]).toEqual([0, 1, 2, 0, 2, 1])
  })

  test('keeps its numbers as it grows', () => {
    const table = new TokenTable()
    const numbers = Array.from({length: 20_000}, (_, at) => table.numberOfText(at % 3, `word ${Math.floor(at / 2)}`))
    for (let at = 0; at < numbers.length; at++)
      expect(table.numberOfText(at % 3, `word ${Math.floor(at / 2)}`)).toBe(numbers[at])
    expect(new Set(numbers).size).toBe(table.size)
  })
})
