import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import type {Corpus, Lexicon} from '../data/index.ts'
import {countCorpus} from './counter.ts'
import {type Counts, packCounts} from './counts.ts'
import {countsFromBytes, countsToBytes} from './counts-file.ts'
import {mergeCounts} from './merge-counts.ts'
import {anyCorpus, documentWith, largeCorpus, lexiconWith} from './test-corpora.ts'

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

  test('mergeCounts(shards) is, byte for byte, counting the whole, in any order and grouping', () => {
    fc.assert(
      fc.property(anySharding, ({corpus, shardOf, order, cut}) => {
        const parts = shards(corpus, 4, at => shardOf[at])
        const ordered = order.map(shard => parts[shard])
        const grouped = mergeCounts([mergeCounts(ordered.slice(0, cut)), mergeCounts(ordered.slice(cut))])
        expect(countsToBytes(mergeCounts(ordered))).toEqual(bytesOf(corpus))
        expect(countsToBytes(grouped)).toEqual(bytesOf(corpus))
        expect(mergeCounts(parts)).toEqual(countCorpus(corpus, options))
      }),
      {seed: 1, numRuns: 200}
    )
  })

  test('mergeCounts(shards) of 100 concepts, read back from files, is counting the whole', () => {
    const corpus = largeCorpus(rng(2), 1000)
    const parts = shards(corpus, 5, at => at % 5).map(part => countsFromBytes(countsToBytes(part), 'shard'))
    expect(countsToBytes(mergeCounts(parts))).toEqual(bytesOf(corpus))
  })

  test('mergeCounts([counts]) is the counts, and empty shards change nothing', () => {
    const corpus = largeCorpus(rng(3), 100)
    const counts = countCorpus(corpus, options)
    const empty = countCorpus({...corpus, documents: []}, options)
    expect(mergeCounts([counts])).toEqual(counts)
    expect(mergeCounts([empty, counts, empty])).toEqual(counts)
    expect(mergeCounts([empty, empty])).toEqual(empty)
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
    ['other text options', {text: {...lexicon.text, lowerCase: false}}, /text options/],
    ['negation read', {text: {...lexicon.text, negation: true}}, /reading of negation/],
    ['a category', {text: {...lexicon.text, categories: ['sex']}}, /reading of categories, numbers, lists and votes/],
    ['other bins', {text: {...lexicon.text, numbers: [{field: 'age', width: 5}]}}, /`numbers`/],
    ['another separator', {text: {...lexicon.text, separator: ';'}}, /`separator`/],
    ['other phrases', {phrases: ['big data']}, /phrases/],
    ['another document filter', {filter: {minTags: 1, tags: ['a']}}, /document filter/]
  ])('mergeCounts(...) refuses counts with %s', (_, changed, difference) => {
    const other = countCorpus(corpusWith(changed), options)
    expect(() => mergeCounts([first, first, other])).toThrow(expect.objectContaining({code: 'mismatch'}))
    expect(() => mergeCounts([first, first, other])).toThrow(/counts 1 and 3 differ in their .*; count again/)
    expect(() => mergeCounts([first, first, other])).toThrow(difference)
  })

  test.each([
    {labelShare: 0.4, seed: 1},
    {labelShare: 0.5, seed: 2},
    {labelShare: 0, seed: 1}
  ])('mergeCounts(...) refuses counts with labels drawn by %j', drawn => {
    const other = countCorpus(corpusWith({}), drawn)
    expect(() => mergeCounts([first, other])).toThrow(expect.objectContaining({code: 'mismatch'}))
    expect(() => mergeCounts([first, other])).toThrow(/share of labelled documents or seed/)
  })

  test('mergeCounts([]) is refused', () => {
    expect(() => mergeCounts([])).toThrow(expect.objectContaining({code: 'bad-counts'}))
  })
})
