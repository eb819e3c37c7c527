import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng, shuffled} from '../../base/numeric/index.ts'
import {buildCorpus, encodeCorpus, parseAnchors, parseRow, withConcepts} from '../data/index.ts'
import {countCorpus} from './counter.ts'
import {unpackCounts} from './counts.ts'
import {countsToBytes} from './counts-file.ts'
import {countsFromPatterns, dropConcepts} from './counts-from-patterns.ts'
import {mergeCounts} from './merge-counts.ts'
import {anyCorpus, documentWith, largeCorpus, lexiconWith} from './test-corpora.ts'

test('countsFromPatterns(...) sorts patterns and adds equal ones up', () => {
  const counts = countCorpus(largeCorpus(rng(3), 300), {labelShare: 1})
  const patterns = [...unpackCounts(counts)]
  expect(patterns.length).toBeGreaterThan(3)
  const mixed = shuffled([...patterns, ...patterns], rng(1))
  const twice = countsFromPatterns(
    counts,
    mixed,
    counts.labelled.map(count => 2 * count)
  )
  expect(countsToBytes(twice)).toEqual(countsToBytes(mergeCounts([counts, counts])))
})

test('countsFromPatterns(...) adds up the words of equal patterns', () => {
  const patterns = [
    {members: [0, 1], documents: 1, wordIds: [], wordCounts: []},
    {members: [0], documents: 2, wordIds: [0, 2], wordCounts: [1, 2]},
    {members: [], documents: 1, wordIds: [2], wordCounts: [1]},
    {members: [0], documents: 3, wordIds: [1, 2], wordCounts: [3, 1]}
  ]
  const header = {lexicon: lexiconWith([2], 3), labelShare: 0, seed: 0}
  const found = Array.from(unpackCounts(countsFromPatterns(header, patterns)), ({wordIds, wordCounts, ...rest}) => ({
    ...rest,
    wordIds: Array.from(wordIds),
    wordCounts: Array.from(wordCounts)
  }))
  expect(found).toEqual([
    patterns[2],
    {members: [0], documents: 5, wordIds: [0, 1, 2], wordCounts: [1, 3, 3]},
    patterns[0]
  ])
  expect(countsFromPatterns(header, []).patternCount).toBe(0)
})

test('countsFromPatterns(...) has no labels unless they are given, and leaves its input as it was', () => {
  const counts = countCorpus(largeCorpus(rng(4), 300), {labelShare: 1})
  const patterns = [...unpackCounts(counts)].reverse()
  const before = patterns.map(({members}) => members)
  expect(countsFromPatterns(counts, patterns).labelled.every(count => count === 0)).toBe(true)
  expect(patterns.map(({members}) => members)).toEqual(before)
})

const options = {labelShare: 1, seed: 0}
const because = (concepts: readonly string[]) => concepts.map(concept => ({concept, reason: 'asked for'}))

describe('dropConcepts', () => {
  test('dropConcepts(...) is, byte for byte, counting the documents without these concepts, and withConcepts(...) reading them', () => {
    const rows = fc.array(
      fc.record({
        text: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'p', 'q'), {maxLength: 5}).map(words => words.join(' ')),
        tags: fc.subarray(['one', 'two', 'three'])
      }),
      {maxLength: 15}
    )
    const anchors = parseAnchors('{"one": ["a", "b"], "two": "c", "three": ["d", "never"]}', 'a')
    fc.assert(
      fc.property(rows, fc.subarray(['one', 'two', 'three'], {maxLength: 2}), (more, names) => {
        const documents = [{text: 'a b c d p'}, {text: 'q'}, ...more]
        const corpus = buildCorpus(documents, anchors)
        const {lexicon} = corpus
        const kept = lexicon.anchors.filter(({concept}) => !names.includes(concept))
        const parsed = documents.map((row, at) => parseRow(row, lexicon.text, `row ${at}`))
        const without = encodeCorpus(parsed, {...lexicon, anchors: kept, skipped: because(names)})
        const dropped = dropConcepts(countCorpus(corpus, options), because(names))
        expect(countsToBytes(dropped)).toEqual(countsToBytes(countCorpus(without, options)))
        expect(withConcepts(corpus, without.lexicon)).toEqual(without)
      }),
      {seed: 1, numRuns: 200}
    )
  })

  test('dropConcepts(..., []) is the counts, and dropping at once is dropping one by one', () => {
    fc.assert(
      fc.property(anyCorpus, corpus => {
        const counts = countCorpus(corpus, options)
        const [first, second] = because(corpus.lexicon.anchors.map(({concept}) => concept))
        expect(dropConcepts(counts, [])).toEqual(counts)
        if (corpus.lexicon.anchors.length > 2)
          expect(dropConcepts(dropConcepts(counts, [first]), [second])).toEqual(dropConcepts(counts, [first, second]))
      }),
      {seed: 2}
    )
  })

  test('dropConcepts(...) refuses to drop every concept, with the reasons', () => {
    const counts = countCorpus({lexicon: lexiconWith([1], 1), documents: []}, options)
    expect(() => dropConcepts(counts, because(['concept-0']))).toThrow(
      /no concept is left:\n {2}concept "concept-0": asked for/
    )
  })

  test('dropConcepts(...) keeps documents and words, joins patterns that become one, and says what was left out', () => {
    const lexicon = lexiconWith([2, 1], 2)
    const documents = [
      documentWith(lexicon, 'a', [0, 2], [0], [1, 0]),
      documentWith(lexicon, 'b', [2], [0, 1], [0, 1]),
      documentWith(lexicon, 'c', [1], [1], [1, 1])
    ]
    const counts = countCorpus({lexicon, documents}, options)
    const dropped = dropConcepts(counts, because(['concept-0']))
    expect(dropped).toMatchObject({documentCount: 3, patternCount: 2})
    expect([...dropped.members]).toEqual([0])
    expect([...dropped.patternDocuments]).toEqual([1, 2])
    expect([...dropped.wordCounts]).toEqual([1, 2, 1])
    expect([...dropped.labelled]).toEqual([0, 1, 1, 1])
    expect(dropped.lexicon.skipped).toEqual(because(['concept-0']))
    expect(dropped.lexicon.words).toEqual(lexicon.words)
    expect(counts.lexicon.anchors).toHaveLength(2)
  })
})
