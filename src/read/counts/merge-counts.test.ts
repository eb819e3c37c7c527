import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {
  buildCorpus,
  type Corpus,
  encodeCorpus,
  type Lexicon,
  parseAnchors,
  parseRow,
  withConcepts
} from '../data/index.ts'
import {countCorpus} from './counter.ts'
import {type Counts, unpackCounts} from './counts.ts'
import {countsToBytes} from './counts-file.ts'
import {countsFromPatterns, dropConcepts, mergeCounts} from './merge-counts.ts'
import {anyCorpus, documentWith, largeCorpus, lexiconWith, packCounts} from './test-corpora.ts'

const options = {labelShare: 0.5, seed: 1}
const bytesOf = (corpus: Corpus) => countsToBytes(countCorpus(corpus, options))

/** The corpus cut into shards by a number for each document. */
function shards({lexicon, documents}: Corpus, count: number, shardOf: (at: number) => number): Counts[] {
  return Array.from({length: count}, (_, shard) =>
    countCorpus({lexicon, documents: documents.filter((_, at) => shardOf(at) === shard)}, options)
  )
}

describe('mergeCounts, sums', () => {
  const anySharding = anyCorpus.chain(corpus =>
    fc.record({
      corpus: fc.constant(corpus),
      shardOf: fc.array(fc.nat(3), {minLength: corpus.documents.length, maxLength: corpus.documents.length}),
      order: fc.shuffledSubarray([0, 1, 2, 3], {minLength: 4, maxLength: 4}),
      cut: fc.integer({min: 1, max: 3})
    })
  )

  test('mergeCounts(shards) and countsFromPatterns(...) of all their patterns are, byte for byte, counting the whole, in any order and grouping', () => {
    fc.assert(
      fc.property(anySharding, ({corpus, shardOf, order, cut}) => {
        const parts = shards(corpus, 4, at => shardOf[at])
        const ordered = order.map(shard => parts[shard])
        const grouped = mergeCounts([mergeCounts(ordered.slice(0, cut)), mergeCounts(ordered.slice(cut))])
        expect(countsToBytes(mergeCounts(ordered))).toEqual(bytesOf(corpus))
        expect(countsToBytes(grouped)).toEqual(bytesOf(corpus))
        expect(mergeCounts(parts)).toEqual(countCorpus(corpus, options))
        expect(mergeCounts(parts.slice(0, 1))).toEqual(parts[0])
        const patterns = ordered.flatMap(part => [...unpackCounts(part)])
        const {labelled} = mergeCounts(parts)
        expect(countsToBytes(countsFromPatterns(parts[0], patterns, labelled))).toEqual(bytesOf(corpus))
      }),
      {seed: 1, numRuns: 200}
    )
  })

  test('mergeCounts(...) leaves its arguments as they were', () => {
    const counts = countCorpus(largeCorpus(rng(3), 100), options)
    const before = structuredClone(counts)
    mergeCounts([counts, counts])
    expect(counts).toEqual(before)
  })

  test('mergeCounts(...) adds documents beyond 2^32 exactly, and refuses such words', () => {
    const header = {lexicon: lexiconWith([1], 1), labelShare: 1, seed: 0}
    const big = (extra: number) =>
      packCounts(
        header,
        [{members: [0], documents: 2 ** 33 + extra, wordIds: [0], wordCounts: [2 ** 30 + extra]}],
        Float64Array.of(0, 2 ** 34 + extra, 0, 0)
      )
    const sum = mergeCounts([big(1), big(2), big(3)])
    expect([sum.documentCount, sum.patternDocuments[0], sum.wordCounts[0], sum.labelled[1]]).toEqual([
      3 * 2 ** 33 + 6,
      3 * 2 ** 33 + 6,
      3 * 2 ** 30 + 6,
      3 * 2 ** 34 + 6
    ])
    expect(() => mergeCounts([sum, big(0)])).toThrow(/4,294,967,302 documents of one anchor pattern/)
  })
})

describe('mergeCounts, refusals', () => {
  const lexicon = lexiconWith([1, 2], 3)
  const corpusWith = (changed: Partial<Lexicon>): Corpus => ({
    lexicon: {...lexicon, ...changed},
    documents: [documentWith(lexicon, 'a', [0], [0, 1])]
  })
  const first = countCorpus(corpusWith({}), options)
  const [one, two] = lexicon.anchors
  const expectDifference = (parts: readonly Counts[], message: RegExp) =>
    expect(() => mergeCounts(parts)).toThrow(
      expect.objectContaining({code: 'mismatch', message: expect.stringMatching(message)})
    )

  test.each<[string, Partial<Lexicon>, RegExp]>([
    ['a concept of another name', {anchors: [one, {...two, concept: 'other'}]}, /anchors/],
    ['another anchor feature', {anchors: [one, {...two, any: ['anchor-1-0', 'other']}]}, /anchors/],
    ['another veto', {anchors: [one, {...two, not: ['other']}]}, /anchors/],
    ['concepts in another order', {anchors: [two, one]}, /anchors/],
    [
      'other groups',
      {anchors: [one, two].map(anchor => ({...anchor, exclusive: {group: 0, size: 2}}))},
      /groups of exclusive concepts/
    ],
    ['other words', {words: ['word-000', 'word-001', 'word-003']}, /vocabulary/],
    ['one word more', {words: [...lexicon.words, 'word-003']}, /vocabulary/],
    ['other text options', {reading: {...lexicon.reading, keepCase: true}}, /`keepCase`/],
    ['negation read', {reading: {...lexicon.reading, negation: true}}, /reading \(`negation`\)/],
    ['a category', {reading: {...lexicon.reading, category: ['sex']}}, /`category`/],
    ['other bins', {reading: {...lexicon.reading, number: ['age:5']}}, /`number`/],
    ['another separator', {reading: {...lexicon.reading, separator: ';'}}, /`separator`/],
    ['other phrases', {phrases: ['big data']}, /phrases/],
    ['another document filter', {filter: {minTags: 1, tags: ['a']}}, /document filter/]
  ])('mergeCounts(...) refuses counts with %s', (_, changed, difference) => {
    const other = countCorpus(corpusWith(changed), options)
    expectDifference([first, first, other], /counts 1 and 3 differ in their .*; count again/)
    expectDifference([first, first, other], difference)
  })

  test.each([
    {labelShare: 0.4, seed: 1},
    {labelShare: 0.5, seed: 2},
    {labelShare: 0, seed: 1}
  ])('mergeCounts(...) refuses counts with labels drawn by %j', drawn => {
    expectDifference([first, countCorpus(corpusWith({}), drawn)], /share of labelled documents or seed/)
  })

  test('mergeCounts([]) is refused', () => {
    expect(() => mergeCounts([])).toThrow(expect.objectContaining({code: 'bad-counts'}))
  })
})

const all = {labelShare: 1, seed: 0}
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
        const parsed = documents.map((row, at) => parseRow(row, lexicon.reading, `row ${at}`))
        const without = encodeCorpus(parsed, {...lexicon, anchors: kept, skipped: because(names)})
        const dropped = dropConcepts(countCorpus(corpus, all), because(names))
        expect(countsToBytes(dropped)).toEqual(countsToBytes(countCorpus(without, all)))
        expect(withConcepts(corpus, without.lexicon)).toEqual(without)
      }),
      {seed: 1, numRuns: 200}
    )
  })

  test('dropConcepts(...) refuses to drop every concept, with the reasons', () => {
    const counts = countCorpus({lexicon: lexiconWith([1], 1), documents: []}, all)
    expect(() => dropConcepts(counts, because(['concept-0']))).toThrow(
      /no concept is left:\n {2}concept "concept-0": asked for/
    )
  })
})
