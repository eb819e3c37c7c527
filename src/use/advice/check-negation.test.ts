import {expect, test} from 'vitest'
import {countCorpus} from '../../read/counts/index.ts'
import {buildCorpus, parseAnchors, parseRow, textDefaults} from '../../read/data/index.ts'
import {type AnchorHits, anchorHits, checkNegation, mostlyNegated, mostNegated} from './check-negation.ts'
import {diagnose} from './diagnose.ts'

const anchors = parseAnchors('{"alcohol": "alcohol", "fall": ["fell", "/fall(en|s)?/"]}', 'anchors.json')
const notes = [
  ...Array.from({length: 6}, (_, at) => `Found in bed ${at}. Denies chest pain or alcohol. Walks.`),
  ...Array.from({length: 10}, () => 'Denies pain, alcohol on breath. Fell.'),
  'No falls.',
  `${'Seen at home this morning by the visiting nurse and again at noon by the family, who report that he '.repeat(2)}drank no alcohol at all today`
]
const reading = {...textDefaults, text: ['text']}
const rows = notes.map((note, id) => parseRow({id, text: note}, reading, 'row'))
const lexicon = (negation: boolean) =>
  buildCorpus(
    notes.map((note, id) => ({id, text: note})),
    anchors,
    {text: ['text'], negation, maxShare: 1}
  ).lexicon

test('anchorHits(...) counts documents where an anchor fires by negated mentions alone, with examples in context', () => {
  const [alcohol, fall] = anchorHits(lexicon(false), rows)
  expect(alcohol).toMatchObject({concept: 'alcohol', documents: 17, negated: 7})
  expect(alcohol.examples).toEqual([
    'Denies chest pain or alcohol',
    expect.stringMatching(/^\.\.\. .*drank no alcohol \.\.\.$/)
  ])
  expect(alcohol.examples[1].length).toBeLessThanOrEqual(90)
  expect(alcohol.affirmed).toEqual(['Denies pain, alcohol on breath'])
  expect(fall).toMatchObject({concept: 'fall', documents: 11, negated: 1, examples: ['No falls']})
})

test('checkNegation(...) recommends to read negation where it matters, and counts are not documents', async () => {
  const findings = checkNegation(anchorHits(lexicon(false), rows))
  expect(findings).toMatchObject([{concept: 'alcohol', severity: 'warning', kind: 'negated'}])
  const counts = countCorpus(
    buildCorpus(
      notes.map((note, id) => ({id, text: note})),
      anchors,
      {text: ['text']}
    )
  )
  expect((await diagnose(counts)).anchors.map(({negated}) => negated)).toEqual([undefined, undefined])
  expect((await diagnose(counts, {documents: rows})).anchors[0].negated).toMatchObject({negated: 7})
})

test('mostNegated(...) finds the anchor to read negation for, and mostlyNegated(...) those that stop a run', () => {
  const hit = (concept: string, negated: number, documents: number): AnchorHits => {
    return {concept, negated, documents, examples: [], affirmed: []}
  }
  const names = (hits: readonly AnchorHits[]) => [mostNegated(hits)?.concept, mostlyNegated(hits).length]
  expect(names([hit('a', 30, 100), hit('b', 10, 100)])).toEqual(['a', 0])
  // Among many sound anchors a share of 30% is not worth a change, and one of 94% is.
  expect(names([hit('a', 30, 100), hit('b', 0, 900)])).toEqual([undefined, 0])
  expect(names([hit('a', 94, 100), hit('b', 0, 9000)])).toEqual(['a', 1])
  expect(names([hit('a', 9, 9)])).toEqual([undefined, 0])
})
