import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {errorOf} from '../../../test/expect.ts'
import {rng} from '../../base/numeric/index.ts'
import {type Row, type TextOptions, textDefaults} from '../../read/data/index.ts'
import {proposeAnchors} from './propose-anchors.ts'
import {VocabularySurvey} from './vocabulary-survey.ts'

const row = (text: string, features: readonly string[] = []): Row => ({
  id: undefined,
  text: new Map([['text', text]]),
  features,
  tags: undefined,
  labels: undefined
})

function propose(names: readonly string[], rows: readonly Row[], options: Partial<TextOptions> = {}) {
  const survey = new VocabularySurvey(names, {...textDefaults, text: ['text'], ...options})
  for (const each of rows) survey.add(each)
  return proposeAnchors(names, survey.vocabulary())
}

const membersOf = (names: readonly string[], rows: readonly Row[], options?: Partial<TextOptions>) =>
  propose(names, rows, options).map(({members}) => members.map(({feature, documents}) => `${feature} ${documents}`))

const times = (count: number, text: string) => Array.from({length: count}, () => row(text))

/** Documents of two topics; every document has some words of its topic. */
function topics(seed: number, count: number, words: Readonly<Record<string, readonly string[]>>): Row[] {
  const random = rng(seed)
  return Array.from({length: count}, (_, at) => {
    const [topic, names] = Object.entries(words)[at % Object.keys(words).length]
    const beside = Array.from({length: 8}, () => `${topic}${Math.floor(random.next() * 20)}`)
    return row([names[Math.floor(random.next() * names.length)], ...beside].join(' '))
  })
}

describe('proposeAnchors', () => {
  const notes = [
    ...times(5, 'Chest pain since noon'),
    ...times(2, 'chest-pain, worse'),
    ...times(2, 'chest pains at night'),
    ...times(4, 'alcohol on breath'),
    ...times(3, 'fell; a fall at home'),
    ...times(2, 'frequent falls'),
    ...times(20, 'the patient is well')
  ]

  test('a phrase is proposed as a phrase, however it is written, with its plural', () => {
    expect(membersOf(['chest pain'], notes)).toEqual([['chest pain 7', 'chest pains 2']])
    expect(membersOf(['Chest-Pain'], notes)).toEqual([['chest pain 7', 'chest pains 2']])
  })

  test('a name may hold several: brackets, slashes, "or", and a name space in front', () => {
    const rows = [...times(3, 'chf again'), ...times(2, 'heart failure'), ...times(20, 'well')]
    expect(membersOf(['heart failure (CHF)'], rows)).toEqual([['chf 3', 'heart failure 2']])
    expect(membersOf(['heart::chf'], rows)).toEqual([['chf 3']])
    expect(membersOf(['chf or heart failure'], rows)).toEqual([['chf 3', 'heart failure 2']])
  })

  test('a value of a list or category is found by its name', () => {
    const rows = [...Array.from({length: 4}, () => row('ill', ['meds:metformin'])), ...times(10, 'well')]
    expect(membersOf(['Metformin'], rows, {list: ['meds']})).toEqual([['meds:metformin 4']])
  })

  test('where nothing occurs there is no anchor, but the nearest spellings', () => {
    expect(propose(['alcahol'], notes)).toEqual([
      {
        concept: 'alcahol',
        members: [],
        doubtful: [expect.objectContaining({feature: 'alcohol'})],
        near: ['alcohol'],
        notes: [{kind: 'absent', name: 'alcahol', isPhrase: false, apart: []}]
      }
    ])
    const apart = [
      {word: 'pain', documents: 5},
      {word: 'chest', documents: 7}
    ]
    expect(propose(['pain chest'], notes)[0].notes).toEqual([
      {kind: 'absent', name: 'pain chest', isPhrase: true, apart}
    ])
  })

  test('function words and words of most documents are no anchors', () => {
    expect(propose(['the'], notes)[0]).toMatchObject({
      members: [],
      notes: [{kind: 'function-word', name: 'the'}]
    })
    const [patient] = propose(['patient'], [...times(9, 'patient'), ...times(3, 'x')])
    expect(patient).toMatchObject({
      members: [],
      notes: [{kind: 'common', name: 'patient', share: 0.75}]
    })
  })

  test('a feature belongs to the concept with the closest name', () => {
    const [fall, falls] = propose(['fall', 'falls'], notes)
    expect(fall.members.map(({feature}) => feature)).toEqual(['fall'])
    expect(falls.members.map(({feature}) => feature)).toEqual(['falls'])
    expect(fall.notes).toEqual([{kind: 'taken', name: 'falls', by: 'falls'}])
  })

  test('words of the same stem are proposed where they occur with the same words, and only there', () => {
    const rows = topics(1, 2000, {
      north: ['canada', 'canadian'],
      space: ['universe', 'star'],
      school: ['university', 'student']
    })
    const [canada, universe] = propose(['canada', 'universe'], rows)
    expect(propose(['Canada'], rows)[0].members).toEqual(canada.members)
    expect(canada.members.map(({feature}) => feature)).toEqual(['canada', 'canadian'])
    expect(universe.members.map(({feature}) => feature)).toEqual(['universe'])
    expect(universe.doubtful).toMatchObject([{feature: 'university', kind: 'stem', goesTogether: false}])
  })

  test('with negation, negated mentions do not count', () => {
    const rows = [...times(3, 'no alcohol'), ...times(2, 'drinks alcohol'), ...times(9, 'well')]
    expect(membersOf(['alcohol'], rows, {negation: true})).toEqual([['alcohol 2']])
    expect(membersOf(['alcohol'], rows)).toEqual([['alcohol 5']])
  })

  test('no feature is proposed twice, all occur, and the order of the documents does not matter', () => {
    const word = fc.constantFrom('fall', 'falls', 'falling', 'test', 'tests', 'tester', 'the', 'chest', 'pain', 'pains')
    const text = fc.array(word, {maxLength: 6}).map(words => row(words.join(' ')))
    const names = fc.uniqueArray(fc.constantFrom('fall', 'falls', 'test', 'chest pain', 'pain', 'the'), {minLength: 1})
    fc.assert(
      fc.property(names, fc.array(text, {maxLength: 30}), (list, rows) => {
        const found = propose(list, rows)
        const all = found.flatMap(({members, doubtful}) => [...members, ...doubtful])
        expect(new Set(all.map(({feature}) => feature)).size).toBe(all.length)
        for (const {documents, feature} of all) {
          expect(documents).toBeGreaterThan(0)
          expect(feature).not.toBe('the')
        }
        expect(propose(list, rows.toReversed())).toEqual(found)
      })
    )
  })

  test.each([
    [[' '], 'proposeAnchors: a concept needs a name'],
    [['a b', 'a  b'], 'proposeAnchors: the concept "a b" is named twice; name it once'],
    [['$x'], 'proposeAnchors: the name "$x" begins with "$", which anchors.json keeps for settings']
  ])('proposeAnchors(%j, ...) is refused', async (names, message) => {
    expect(await errorOf(() => propose(names, notes))).toBe(message)
  })
})
