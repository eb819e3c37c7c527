import fc from 'fast-check'
import {expect, test} from 'vitest'
import {parseAnchors} from './anchors.ts'
import {createEvidenceReader} from './encoder.ts'
import {createFeatureReader} from './feature-reader.ts'
import {textDefaults} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import {PlainLine} from './plain-line.ts'
import {parseRow} from './row.ts'
import {FieldSurvey} from './surveys.ts'
import {LineEncoder} from './token-words.ts'

const anchors = parseAnchors(
  JSON.stringify({
    pain: {any: ['chest pain', 'text:angina'], not: ['rule-out']},
    fall: ['fell', '/slip(ped)?/'],
    alcohol: {any: ['etoh', 'title:drunk'], not: ['text:sober']}
  }),
  'anchors'
)
const plain = parseAnchors(
  JSON.stringify({pain: {any: ['chest pain', 'angina'], not: ['sober']}, fall: ['fell']}),
  'anchors'
)
const word = fc.constantFrom(
  'chest',
  'pain',
  'chest-pain',
  'Angina',
  'no',
  'slipped',
  'ETOH',
  'c++',
  'sober',
  'fell',
  'naïve',
  'rule-out',
  '"',
  '\\'
)
const sentence = fc.array(fc.oneof(word, word, fc.string({maxLength: 4})), {maxLength: 8}).map(words => words.join(' '))
const document = fc.record(
  {
    id: fc.nat(),
    title: sentence,
    text: sentence,
    features: fc.array(fc.oneof(word, fc.constantFrom('chest pain', 'etoh')), {maxLength: 5})
  },
  {requiredKeys: ['id', 'text']}
)

test.each([
  ['phrases', plain, {}],
  ['expressions', anchors, {}],
  ['negation', anchors, {negation: true}],
  ['upper case', plain, {lowerCase: false}]
] as const)('NumberedReader finds what FeatureReader finds, in rows and in lines: %s', (_, list, options) => {
  const text = {...textDefaults, ...options}
  const phrases = ['c++ chest', 'no slipped']
  const twin = createFeatureReader(list, phrases, text)
  const reader = new NumberedReader(list, phrases, text, () => {})
  const line = new PlainLine(text, text.lowerCase)
  const found = () => ({
    members: reader.members,
    tokens: Array.from(
      reader.tokens.values.subarray(0, reader.tokens.length),
      token => `${reader.table.field(token)} ${reader.table.name(token)}`
    ).sort()
  })
  const seen = {lines: 0}
  fc.assert(
    fc.property(document, value => {
      const row = parseRow(value, text, 'here')
      const tokens = new Set<string>()
      const members = twin.read(row, (token, field) => tokens.add(`${field} ${token}`))
      const expected = {members, tokens: [...tokens].sort()}
      reader.readRow(row)
      expect(found()).toEqual(expected)
      const bytes = new TextEncoder().encode(JSON.stringify(value))
      if (!line.scan(bytes, 0, bytes.length)) return
      seen.lines++
      reader.readLine(line)
      expect(found()).toEqual(expected)
    }),
    {numRuns: 500}
  )
  expect(seen.lines).toBeGreaterThan(100)
})

test('LineEncoder gives the evidence of the row', () => {
  const words = ['text:no', 'title:pain', 'c++', 'text:c++ chest', 'etoh', 'text:slipped']
  const lexicon = {anchors: plain, words, phrases: ['c++ chest'], text: textDefaults, filter: undefined, skipped: []}
  const encode = createEvidenceReader(lexicon)
  const survey = new FieldSurvey(textDefaults)
  const encoder = new LineEncoder(lexicon, survey)
  const line = new PlainLine(textDefaults, true)
  const seen = {lines: 0}
  fc.assert(
    fc.property(document, value => {
      const bytes = new TextEncoder().encode(JSON.stringify(value))
      if (!line.scan(bytes, 0, bytes.length)) return
      seen.lines++
      expect(encoder.encode(line)).toEqual(encode(parseRow(value, textDefaults, 'here')))
      expect(line.rowId).toBe(value.id)
    }),
    {numRuns: 500}
  )
  expect(seen.lines).toBeGreaterThan(100)
  expect(survey.unseen()).toEqual([])
})

test('NumberedReader tells every ready-made feature once', () => {
  const told: string[] = []
  const reader = new NumberedReader(plain, [], textDefaults, name => told.push(name))
  const row = parseRow({text: 'a b', features: ['x', 'y', 'x']}, textDefaults, 'here')
  reader.readRow(row)
  reader.readRow(row)
  expect(told).toEqual(['x', 'y'])
})
