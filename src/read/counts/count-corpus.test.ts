import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng, shuffled} from '../../base/numeric/index.ts'
import {buildCorpus, type Corpus, parseAnchors} from '../data/index.ts'
import {anchorPairCounts, anchorWordCounts, wordTotals} from './anchor-tables.ts'
import {countCorpus} from './count-corpus.ts'
import {countDefaults} from './count-options.ts'
import type {Counts} from './counts.ts'
import {countsToBytes} from './counts-file.ts'
import {anyCorpus, documentWith, inAnyOrder, largeCorpus, lexiconWith} from './test-corpora.ts'

const options = {labelShare: 0.5, seed: 3}

describe('countCorpus, order', () => {
  test('countCorpus(...) gives the same bytes whatever the order of the documents', () => {
    const shuffledToo = anyCorpus.chain(corpus => fc.tuple(fc.constant(corpus), inAnyOrder(corpus.documents)))
    fc.assert(
      fc.property(shuffledToo, ([corpus, documents]) => {
        const again = countCorpus({...corpus, documents}, options)
        expect(countsToBytes(again)).toEqual(countsToBytes(countCorpus(corpus, options)))
      }),
      {seed: 1}
    )
  })

  test('countCorpus(...) gives the same bytes for 100 concepts whatever the order', () => {
    const corpus = largeCorpus(rng(1), 1000)
    const again = {...corpus, documents: shuffled(corpus.documents, rng(2))}
    expect(countsToBytes(countCorpus(again, options))).toEqual(countsToBytes(countCorpus(corpus, options)))
  })

  test('countCorpus(...) leaves the corpus as it was', () => {
    const corpus = largeCorpus(rng(1), 50)
    const before = structuredClone(corpus)
    countCorpus(corpus, options)
    expect(corpus).toEqual(before)
  })
})

/** Everything that later stages read, by the names of concepts and words. */
function tablesByName(counts: Counts): Map<string, number> {
  const concepts = counts.lexicon.anchors.map(({concept}) => concept)
  const {words} = counts.lexicon
  const pairs = anchorPairCounts(counts)
  const byAnchor = anchorWordCounts(counts)
  const totals = wordTotals(counts)
  const table = new Map<string, number>()
  concepts.forEach((concept, i) => {
    concepts.forEach((other, k) => {
      table.set(`${concept} & ${other}`, pairs[i * concepts.length + k])
    })
    words.forEach((word, j) => {
      table.set(`${concept} with ${word}`, byAnchor[i * words.length + j])
    })
    for (let cell = 0; cell < 4; cell++) table.set(`${concept} labelled ${cell}`, counts.labelled[4 * i + cell])
  })
  words.forEach((word, j) => {
    table.set(word, totals[j])
  })
  return table
}

const renameFor = (names: readonly string[], renamed: readonly string[]) => (name: string) =>
  renamed[names.indexOf(name)]

test('countCorpus(...) of renamed and reordered concepts and words is the same counts under the new names', () => {
  const words = ['p', 'q', 'r', 's', 't']
  const concepts = ['one', 'two', 'three']
  const document = fc.record({text: fc.array(fc.constantFrom(...words), {maxLength: 5}), tags: fc.subarray(concepts)})
  const cases = fc.tuple(
    fc.array(document, {minLength: 2, maxLength: 15}),
    fc.shuffledSubarray(words, {minLength: 5, maxLength: 5}),
    fc.shuffledSubarray(['x1', 'y2', 'z3'], {minLength: 3, maxLength: 3}),
    fc.shuffledSubarray([0, 1, 2], {minLength: 3, maxLength: 3})
  )
  const anchorWords = ['p', 'q', 'r']
  const build = (
    rows: readonly {text: readonly string[]; tags: readonly string[]}[],
    order: readonly number[],
    wordName: (w: string) => string,
    conceptName: (c: string) => string
  ) => {
    const entries = Object.fromEntries(order.map(i => [conceptName(concepts[i]), wordName(anchorWords[i])]))
    const plain = [{text: anchorWords, tags: []}, {text: ['s'], tags: []}, ...rows].map(({text, tags}) => ({
      text: text.map(wordName).join(' '),
      tags: tags.map(conceptName)
    }))
    return countCorpus(buildCorpus(plain, parseAnchors(JSON.stringify(entries), 'a'), {maxShare: 1}), {labelShare: 1})
  }
  fc.assert(
    fc.property(cases, ([rows, otherWords, otherConcepts, order]) => {
      const [wordName, conceptName] = [renameFor(words, otherWords), renameFor(concepts, otherConcepts)]
      const plain = tablesByName(
        build(
          rows,
          [0, 1, 2],
          word => word,
          concept => concept
        )
      )
      const renamed = tablesByName(build(rows, order, wordName, conceptName))
      const expected = [...plain].map(([name, count]): [string, number] => [
        name.replace(/text:(\w)/, (_, word) => `text:${wordName(word)}`).replace(/\b(one|two|three)\b/g, conceptName),
        count
      ])
      expect([...renamed].sort()).toEqual(expected.sort())
    }),
    {seed: 2}
  )
})

describe('countCorpus, options', () => {
  const corpus: Corpus = largeCorpus(rng(4), 20)

  test('countCorpus(...) counts no labels unless asked to', () => {
    expect(countDefaults).toEqual({labelShare: 0, seed: 0})
    expect(countCorpus(corpus).labelled.every(count => count === 0)).toBe(true)
    expect(countCorpus(corpus, {labelShare: 1}).labelled.some(count => count > 0)).toBe(true)
  })

  test('countCorpus(...) records share and seed', () => {
    expect(countCorpus(corpus, {labelShare: 0.25, seed: 9})).toMatchObject({labelShare: 0.25, seed: 9})
  })

  test('countCorpus(...) refuses an unknown option with the nearest match', () => {
    const misspelt: object = {labelsShare: 1}
    expect(() => countCorpus(corpus, misspelt)).toThrow(/countCorpus has no option "labelsShare".*"labelShare"/)
  })
})

test('countCorpus(...) of documents read from rows counts anchors, members and words', () => {
  const rows = [
    {text: 'etoh fall', tags: ['alcohol']},
    {text: 'wine etoh fall', tags: []},
    {text: 'fall', labels: {alcohol: true}},
    {text: 'cough'},
    {text: ''}
  ]
  const anchors = parseAnchors('{"alcohol": ["etoh", "wine"], "cold": "cough"}', 'a')
  const counts = countCorpus(buildCorpus(rows, anchors, {maxShare: 1}), {labelShare: 1})
  expect(counts.lexicon.words).toEqual(['text:fall'])
  expect(counts).toMatchObject({documentCount: 5, patternCount: 4})
  expect([...counts.patternDocuments]).toEqual([2, 1, 1, 1])
  expect([...counts.members]).toEqual([0, 0, 1, 2])
  expect([...counts.concepts]).toEqual([0, 0, 1])
  expect([...wordTotals(counts)]).toEqual([3])
  // Alcohol: labelled absent but fired, present and silent, present and fired; cold: twice absent by tags.
  expect([...counts.labelled]).toEqual([0, 1, 1, 1, 2, 0, 0, 0])
})

test('countCorpus(...) of no documents and of empty documents', () => {
  const lexicon = lexiconWith([1], 2)
  expect(countCorpus({lexicon, documents: []})).toMatchObject({documentCount: 0, patternCount: 0})
  const empty = countCorpus({lexicon, documents: ['a', 'b', 'c'].map(key => documentWith(lexicon, key, [], []))})
  expect(empty).toMatchObject({documentCount: 3, patternCount: 1})
  expect([...empty.patternDocuments]).toEqual([3])
  expect([empty.members.length, empty.wordIds.length]).toEqual([0, 0])
})
