import {describe, expect, test} from 'vitest'
import {CountsWriter} from './counts.ts'
import {lexiconWith, packCounts} from './test-corpora.ts'

describe('packCounts', () => {
  const lexicon = lexiconWith([2, 1, 3], 4)
  const header = {lexicon, labelShare: 0, seed: 0}
  const patterns = [
    {members: [], documents: 5, wordIds: [0, 3], wordCounts: [2, 5]},
    {members: [0, 1, 2], documents: 2, wordIds: [], wordCounts: []},
    {members: [1, 3, 5], documents: 2 ** 40, wordIds: [1], wordCounts: [2 ** 32 - 1]}
  ]

  test('packCounts(...) lays patterns, united concepts and words out as in a sparse matrix', () => {
    const counts = packCounts(header, patterns, new Float64Array(12))
    expect(counts).toMatchObject({documentCount: 2 ** 40 + 7, patternCount: 3, labelShare: 0, seed: 0})
    expect([...counts.memberStarts]).toEqual([0, 0, 3, 6])
    expect([...counts.members]).toEqual([0, 1, 2, 1, 3, 5])
    expect([...counts.conceptStarts]).toEqual([0, 0, 2, 4])
    expect([...counts.concepts]).toEqual([0, 1, 0, 2])
    expect([...counts.patternDocuments]).toEqual([5, 2, 2 ** 40])
    expect([...counts.wordStarts]).toEqual([0, 2, 2, 3])
    expect([...counts.wordIds]).toEqual([0, 3, 1])
    expect([...counts.wordCounts]).toEqual([2, 5, 2 ** 32 - 1])
  })
})

test('CountsWriter refuses a word in more documents than 4 bytes hold, and more cells than memory should', () => {
  const header = {lexicon: lexiconWith([1], 3), labelShare: 0, seed: 0}
  expect(() => new CountsWriter(header).addWord(0, 2 ** 32)).toThrow(/4,294,967,296 documents of one anchor pattern/)
  const writer = new CountsWriter(header, 2, 2)
  for (const word of [0, 1, 2]) writer.addWord(word, 1)
  expect(() => writer.endPattern([], 0, 0, 1)).toThrow(
    expect.objectContaining({
      code: 'bad-counts',
      details: {most: 2},
      message: expect.stringMatching(/more than 2 pairs .*adfa count --shard.*SQL.*--engine/)
    })
  )
})
