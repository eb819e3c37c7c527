import fc from 'fast-check'
import {expect, test} from 'vitest'
import {indexAnchors, type Role} from './anchor-index.ts'
import {parseAnchors} from './anchors.ts'
import {createFieldScanner, negatedName} from './field-scanner.ts'
import {textDefaults} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import {mergePhrases} from './phrases.ts'
import {parseRow} from './row.ts'

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
] as const)('NumberedReader finds what looking at each token by its name finds: %s', (_, list, options) => {
  const text = {...textDefaults, ...options}
  const phrases = ['c++ chest', 'no slipped']
  const index = indexAnchors(list, phrases, text)
  const scan = createFieldScanner(index.patterns, text)
  const reader = new NumberedReader(list, phrases, text)
  fc.assert(
    fc.property(document, value => {
      const row = parseRow(value, text, 'here')
      const present: Role[] = []
      const tokens = text.fields.flatMap((name, field) => {
        const raw = row.text.get(name) ?? ''
        const content = text.lowerCase ? raw.toLowerCase() : raw
        const {matches, outside, marks} = scan(content, field)
        present.push(...matches.map(({role}) => role))
        const found = mergePhrases(outside, index.phrases, marks && negatedName(marks)).filter(token => token !== '')
        return found.map(token => ({token, field}))
      })
      const ready = row.features.filter(feature => {
        const role = index.featureRole(feature)
        if (role?.isTaken) present.push(role)
        return role?.isTaken !== true
      })
      tokens.push(...ready.map(token => ({token, field: text.fields.length})))
      const roleOf = (token: string, field: number) =>
        field === text.fields.length ? index.featureRole(token) : index.roles[field].get(token)
      present.push(...tokens.flatMap(({token, field}) => roleOf(token, field) ?? []))
      reader.read(row)
      const named = ({values, length}: {values: Uint32Array; length: number}) =>
        Array.from(values.subarray(0, length), token => ({
          token: reader.table.name(token),
          field: reader.table.field(token)
        }))
      expect(named(reader.sequence)).toEqual(tokens)
      const distinct = new Map(tokens.map(token => [JSON.stringify(token), token]))
      expect(named(reader.tokens)).toEqual([...distinct.values()])
      expect(reader.members).toEqual(index.firedMembers(present))
    }),
    {numRuns: 500}
  )
})

test('NumberedReader tells every ready-made feature once', () => {
  const told: string[] = []
  const reader = new NumberedReader(plain, [], textDefaults, {onFeature: name => told.push(name)})
  const row = parseRow({text: 'a b', features: ['x', 'y', 'x']}, textDefaults, 'here')
  reader.read(row)
  reader.read(row)
  expect(told).toEqual(['x', 'y'])
})
