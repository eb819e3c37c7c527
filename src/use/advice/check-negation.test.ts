import {expect, test} from 'vitest'
import {countCorpus} from '../../read/counts/index.ts'
import {buildCorpus, parseAnchors, parseRow, textDefaults} from '../../read/data/index.ts'
import {checkNegation, negatedHits} from './check-negation.ts'
import {diagnose} from './diagnose.ts'

const anchors = parseAnchors('{"alcohol": "alcohol", "fall": ["fell", "/fall(en|s)?/"]}', 'anchors.json')
const notes = [
  ...Array.from({length: 6}, (_, at) => `Found in bed ${at}. Denies chest pain or alcohol. Walks.`),
  ...Array.from({length: 10}, () => 'Denies pain, alcohol on breath. Fell.'),
  'No falls.',
  `${'Seen at home this morning by the visiting nurse and again at noon by the family, who report that he '.repeat(2)}drank no alcohol at all today`
]
const text = {...textDefaults, fields: ['text']}
const rows = notes.map((note, id) => parseRow({id, text: note}, text, 'row'))
const lexicon = (negation: boolean) =>
  buildCorpus(
    notes.map((note, id) => ({id, text: note})),
    anchors,
    {fields: ['text'], negation, maxShare: 1}
  ).lexicon

test('negatedHits(...) counts documents where an anchor fires by negated mentions alone, with examples in context', () => {
  const [alcohol, fall] = negatedHits(lexicon(false), rows)
  expect(alcohol).toMatchObject({concept: 'alcohol', documents: 17, negated: 7})
  expect(alcohol.examples).toEqual([
    'Denies chest pain or alcohol',
    expect.stringMatching(/^\.\.\. .*drank no alcohol \.\.\.$/)
  ])
  expect(alcohol.examples[1].length).toBeLessThanOrEqual(90)
  expect(fall).toMatchObject({concept: 'fall', documents: 11, negated: 1, examples: ['No falls']})
})

test('checkNegation(...) recommends to read negation where it matters, and counts are not documents', async () => {
  const findings = checkNegation(negatedHits(lexicon(false), rows))
  expect(findings).toMatchObject([{concept: 'alcohol', severity: 'warning', kind: 'negated'}])
  expect(findings[0].message).toMatch(
    /^in 7 of the 17 documents where its anchor fires \(41%\) its words are negated: 'Denies/
  )
  const counts = countCorpus(
    buildCorpus(
      notes.map((note, id) => ({id, text: note})),
      anchors,
      {fields: ['text']}
    )
  )
  expect((await diagnose(counts)).anchors.map(({negated}) => negated)).toEqual([undefined, undefined])
  expect((await diagnose(counts, {documents: rows})).anchors[0].negated).toMatchObject({negated: 7})
})

test('negatedHits(...) has nothing to count where negation is read', () => {
  expect(negatedHits(lexicon(true), rows)).toEqual([])
})
