import {describe, expect, test} from 'vitest'
import type {EstimatedRates} from '../../learn/noise/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {buildCorpus} from '../../read/data/index.ts'
import {shareInterval} from './anchor-statistics.ts'
import {suggestAnchors} from './suggest-anchors.ts'
import {anchorOf, countFeatures, drawPlanted, type PlantedWord} from './test-words.ts'

describe('suggestAnchors with planted words', () => {
  const noise: PlantedWord[] = Array.from({length: 20}, (_, at) => ({
    word: `noise-${at}`,
    when: {},
    otherwise: 0.01 + at / 50
  }))
  const rows = drawPlanted(5, 8000, 0.1, [
    {word: 'A', when: {fever: 0.4}, otherwise: 0.002},
    {word: 'B', when: {fall: 0.4}, otherwise: 0.002},
    {word: 'C', when: {cough: 0.4}, otherwise: 0.002},
    {word: 'good-of-fever', when: {fever: 0.5}, otherwise: 0.005},
    {word: 'fair-of-fever', when: {fever: 0.2}, otherwise: 0.005},
    {word: 'vague-of-fever', when: {fever: 0.6}, otherwise: 0.12},
    {word: 'good-of-fall', when: {fall: 0.5}, otherwise: 0.005},
    {word: 'both', when: {fever: 0.9, fall: 0.9}, otherwise: 0.001},
    ...noise
  ])
  const counts = countCorpus(
    buildCorpus(rows, [anchorOf('fever', ['A']), anchorOf('fall', ['B']), anchorOf('cough', ['C'])])
  )
  const named = (options?: Parameters<typeof suggestAnchors>[1]) =>
    Object.fromEntries(
      suggestAnchors(counts, options).map(({concept, words}) => [concept, words.map(({word}) => word)])
    )

  test('suggestAnchors(...) puts the word first that is common with the concept and rare without it', () => {
    const {fever, fall} = named()
    expect(fever.filter(word => word.endsWith('-of-fever'))).toEqual([
      'good-of-fever',
      'fair-of-fever',
      'vague-of-fever'
    ])
    expect(fever[0]).toBe('good-of-fever')
    expect(fall[0]).toBe('good-of-fall')
  })

  test('suggestAnchors(..., {rates}) tells the share of the documents that have the concept, near the truth', () => {
    const rates = [ratesOf('fever', 0.4012, 0.002)]
    const [fever, fall] = suggestAnchors(counts, {rates})
    expect([fever.rates, fall.rates]).toEqual([rates[0], undefined])
    const [{word, precision, coverage}] = fever.words
    const tagged = rows.filter(({tags}) => tags.includes('fever'))
    const withWord = rows.filter(({features}) => features.includes('good-of-fever'))
    const truePrecision = withWord.filter(({tags}) => tags.includes('fever')).length / withWord.length
    const trueCoverage = tagged.filter(({features}) => features.includes('good-of-fever')).length / tagged.length
    expect(word).toBe('good-of-fever')
    // Five standard errors of P(A|x) in some 440 documents, over t - e.
    const tolerance = (5 * Math.sqrt((0.37 * 0.63) / withWord.length)) / 0.399
    expect(Math.abs(precision.value - truePrecision)).toBeLessThan(tolerance)
    expect(Math.abs(coverage.value - trueCoverage)).toBeLessThan(tolerance)
  })

  test('suggestAnchors(..., {perConcept, concepts}) gives as many words as asked for, for these concepts alone', () => {
    expect(named({perConcept: 1, concepts: ['fall']})).toEqual({fall: ['good-of-fall']})
  })

  test('suggestAnchors(...) refuses an unknown concept, naming the nearest, and no words at all', () => {
    expect(() => suggestAnchors(counts, {concepts: ['fevr']})).toThrow(
      'there is no concept "fevr" to suggest anchors for; did you mean "fever"?'
    )
    expect(() => suggestAnchors(counts, {perConcept: 0})).toThrow(
      '`perConcept` must be a whole number, at least 1; got 0'
    )
    expect(() => suggestAnchors(counts, {perConcept: 1.5})).toThrow('got 1.5')
  })
})

describe('suggestAnchors by confidence and by name', () => {
  test('suggestAnchors(...) divides the score by the strength of a rival, and drops a word whose rival is stronger', () => {
    const scored = (both: number) => {
      const counts = countFeatures(
        [anchorOf('fever', ['A']), anchorOf('flu', ['B'])],
        [
          [60, 'A plain'],
          [60, 'A chills'],
          [both, 'B chills'],
          [100, 'B same'],
          [60, 'plain'],
          [4000, '']
        ]
      )
      const rates = [ratesOf('fever', 0.8), ratesOf('flu', 0.5)]
      return suggestAnchors(counts, {rates, concepts: ['fever']})[0].words.filter(({word}) => word === 'chills')
    }
    const [{score, precision, coverage, rival}] = scored(40)
    // Of 100 documents with the word, 60 have the anchor of fever and 40 that of flu, which fires in 140 of all 4,320.
    const unexplained = shareInterval(40, 100).low - 140 / 4320
    expect(precision.low).toBeCloseTo(shareInterval(60, 100).low / 0.8, 12)
    expect(rival?.strength).toBeCloseTo(unexplained / 0.5 / precision.low, 12)
    expect(rival?.concept).toBe('flu')
    expect(score).toBeCloseTo((precision.low * Math.sqrt(coverage.low)) / (1 + (rival?.strength ?? 0)), 12)
    expect(scored(90)).toEqual([])
  })

  test('suggestAnchors(...) never suggests a word in "not", nor a member of any anchor, whatever its name', () => {
    const rows = [
      ...Array.from({length: 40}, () => ({title: 'python', text: 'python pythons snake interpreter'})),
      ...Array.from({length: 40}, () => ({title: 'java', text: 'coffee'})),
      ...Array.from({length: 900}, () => ({title: 'other', text: 'thing'}))
    ]
    const words = (not: string[], useNames = true) => {
      // As after a merge: the lexicon still holds words that are anchors or vetoed.
      const counts = countCorpus(
        buildCorpus(rows, [anchorOf('python', ['title:python']), anchorOf('java', ['title:java'])])
      )
      const anchors = [anchorOf('python', ['title:python'], not), anchorOf('java', ['title:java', 'text:interpreter'])]
      const read = {...counts, lexicon: {...counts.lexicon, anchors}}
      return suggestAnchors(read, {useNames})[0].words.map(({word}) => word)
    }
    expect(words([], false)).toEqual(['text:python', 'text:pythons', 'text:snake'])
    expect(words([])).toEqual(['text:python', 'text:pythons', 'text:snake'])
    expect(words(['snake', '/^pythons$/'])).toEqual(['text:python'])
    expect(words(['text:python', 'text:snake', 'pythons'])).toEqual([])
  })

  test('suggestAnchors(...) finds a word that stands in place of the anchor by its name alone, and says so', () => {
    const counts = countFeatures(
      [anchorOf('Pleural Effusion', ['effusion'])],
      [
        [60, 'effusion'],
        [40, 'effusions'],
        [10, 'effusive'],
        [800, 'normal']
      ]
    )
    const [{words}] = suggestAnchors(counts)
    expect(words.map(({word, basis, similarity}) => [word, basis, similarity])).toEqual([
      ['effusions', 'name', 'inflected'],
      ['effusive', 'name', 'stem']
    ])
    expect(suggestAnchors(counts, {useNames: false})[0].words).toEqual([])
  })

  test('suggestAnchors(...) leaves a word to the concept whose name it is like most, and warns of equals', () => {
    const anchors = [
      anchorOf('role::document', ['title:document']),
      anchorOf('documents', ['title:papers']),
      anchorOf('use::document', ['title:writing'])
    ]
    const rows = [
      ...['document', 'papers', 'writing'].flatMap(title => Array.from({length: 30}, () => ({title, text: 'thing'}))),
      ...Array.from({length: 30}, () => ({title: 'other', text: 'documents document'}))
    ]
    const found = suggestAnchors(countCorpus(buildCorpus(rows, anchors)))
    expect(found.map(({words}) => words.map(({word, namesake}) => [word, namesake]))).toEqual([
      [['text:document', 'use::document']],
      [['text:documents', undefined]],
      [['text:document', 'role::document']]
    ])
  })

  test('suggestAnchors(...) lets a name decide between words that the documents say the same of', () => {
    const counts = countFeatures(
      [anchorOf('freezing', ['A'])],
      [
        [30, 'A cold freeze'],
        [30, 'cold freeze'],
        [60, 'A'],
        [900, '']
      ]
    )
    const [freeze, cold] = suggestAnchors(counts)[0].words
    expect([freeze.word, cold.word]).toEqual(['freeze', 'cold'])
    // A shared stem is worth 0.15, and half of that at three documents.
    expect(freeze.score - cold.score).toBeCloseTo((0.15 * 60) / 63, 12)
    expect(cold.score).toBeCloseTo(cold.precision.low * Math.sqrt(cold.coverage.low), 12)
  })
})

function ratesOf(concept: string, truePositive: number, falsePositive = 0): EstimatedRates {
  const around = (value: number) => ({value, low: value - 0.01, high: value + 0.01})
  return {concept, prevalence: around(0.1), precision: around(0.95), truePositive, falsePositive}
}

test('suggestAnchors(...) never suggests function words, single letters or negated mentions', () => {
  const rows = [
    ...Array.from({length: 60}, () => ({text: 'fever hot the x. No chills'})),
    ...Array.from({length: 500}, () => ({text: 'thing'}))
  ]
  const counts = countCorpus(buildCorpus(rows, [anchorOf('fever', ['text:fever'])], {negation: true}))
  expect(counts.lexicon.words).toEqual(expect.arrayContaining(['text:the', 'text:x', 'text:neg:chills']))
  expect(suggestAnchors(counts)[0].words.map(({word}) => word)).toEqual(['text:hot'])
})
