import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type AnchorIndex, indexAnchors, type Role} from './anchor-index.ts'
import {createFieldScanner, negatedName} from './field-scanner.ts'
import type {TextOptions} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import {mergePhrases} from './phrases.ts'
import type {Row} from './row.ts'
import {anyEdits, anyReading, anyRows, edited, firstAnchors} from './test-edits.ts'

test('NumberedReader finds what looking at each token by its name finds', () => {
  const phrases = fc.constantFrom([], ['Chest pain'], ['pain fever', 'fever cough', 'chest-pain fever'])
  const reading = fc
    .tuple(anyReading, phrases)
    .map(([options, phrases]) => ({...options, phrases}))
    .chain(options => fc.tuple(fc.constant(options), anyRows(options)))
  fc.assert(
    fc.property(reading, anyEdits, ([text, rows], edits) => {
      const anchors = edits.reduce(edited, firstAnchors)
      const index = indexAnchors(anchors, text.phrases, text)
      const reader = new NumberedReader(anchors, text.phrases, text)
      for (const row of rows) expectRead(reader, row, index, text)
    }),
    {numRuns: 300}
  )
})

function expectRead(reader: NumberedReader, row: Row, index: AnchorIndex, reading: TextOptions): void {
  const scan = createFieldScanner(index.patterns, reading)
  const present: Role[] = []
  const tokens = reading.text.flatMap((name, field) => {
    const content = row.text.get(name) ?? ''
    const {matches, outside, marks} = scan(reading.keepCase ? content : content.toLowerCase(), field)
    present.push(...matches.map(({role}) => role))
    const found = mergePhrases(outside, index.phrases, marks && negatedName(marks)).filter(token => token !== '')
    present.push(...found.flatMap(token => index.roles[field].get(token) ?? []))
    return found.map(token => ({token, field}))
  })
  for (const token of row.features) {
    const role = index.featureRole(token)
    if (role !== undefined) present.push(role)
    if (role?.isTaken !== true) tokens.push({token, field: reading.text.length})
  }
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
}
