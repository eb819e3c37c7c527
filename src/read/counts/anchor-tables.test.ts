import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {Corpus} from '../data/index.ts'
import {
  anchorCellWords,
  anchorPairCounts,
  anchorTable,
  anchorWordCounts,
  edgeWordCounts,
  memberFlags,
  wordTotals
} from './anchor-tables.ts'
import {countCorpus} from './counter.ts'
import {anyCorpus, lexiconWith} from './test-corpora.ts'

/** How many documents have the anchors of all these concepts and all these words, by looking at each. */
function countDocuments({documents}: Corpus, concepts: readonly number[], words: readonly number[] = []): number {
  return documents.filter(
    document => concepts.every(i => document.anchors.includes(i)) && words.every(j => document.words.includes(j))
  ).length
}

/** The table of concepts and words, the first most significant, by looking at each document. */
function slowTable({documents}: Corpus, concepts: readonly number[], words: readonly number[]): number[] {
  const table = new Array<number>(2 ** (concepts.length + words.length)).fill(0)
  for (const document of documents) {
    const bits = [...concepts.map(i => document.anchors.includes(i)), ...words.map(j => document.words.includes(j))]
    table[bits.reduce((cell, bit) => 2 * cell + (bit ? 1 : 0), 0)]++
  }
  return table
}

/** A corpus with some of its concepts, in any order, and at most one word. */
const anyQuestion = anyCorpus.chain(corpus =>
  fc.record({
    corpus: fc.constant(corpus),
    concepts: fc.shuffledSubarray(corpus.lexicon.anchors.map((_, i) => i)),
    words: fc.subarray(
      corpus.lexicon.words.map((_, j) => j),
      {maxLength: Math.min(1, corpus.lexicon.words.length)}
    )
  })
)

function expectTables(corpus: Corpus): void {
  const counts = countCorpus(corpus)
  const m = corpus.lexicon.anchors.length
  const n = corpus.lexicon.words.length
  const [pairs, totals, byAnchor] = [anchorPairCounts(counts), wordTotals(counts), anchorWordCounts(counts)]
  const edges = Array.from({length: m - 1}, (_, i): [number, number] => (i % 2 ? [i, i + 1] : [i + 1, i]))
  const byEdge = edgeWordCounts(counts, edges)
  expect([pairs.length, totals.length, byAnchor.length, byEdge.length]).toEqual([m * m, n, m * n, (m - 1) * n])
  for (let i = 0; i < m; i++) {
    for (let k = 0; k < m; k++) expect(pairs[i * m + k]).toBe(countDocuments(corpus, [i, k]))
    for (let j = 0; j < n; j++) expect(byAnchor[i * n + j]).toBe(countDocuments(corpus, [i], [j]))
  }
  for (let j = 0; j < n; j++) {
    expect(totals[j]).toBe(countDocuments(corpus, [], [j]))
    edges.forEach((edge, e) => {
      expect(byEdge[e * n + j]).toBe(countDocuments(corpus, edge, [j]))
    })
  }
}

describe('tables read from counts', () => {
  test('anchorPairCounts, wordTotals, anchorWordCounts and edgeWordCounts(...) equal looking at each document', () => {
    fc.assert(fc.property(anyCorpus, expectTables), {seed: 1, numRuns: 150})
  })

  test('anchorTable(...) and anchorCellWords(...) equal looking at each document, for any concepts in any order and a word', () => {
    fc.assert(
      fc.property(anyQuestion, ({corpus, concepts, words}) => {
        const table = anchorTable(countCorpus(corpus), concepts, words)
        expect([...table]).toEqual(slowTable(corpus, concepts, words))
        expect(table.reduce((sum, cell) => sum + cell, 0)).toBe(corpus.documents.length)
        const byCell = anchorCellWords(countCorpus(corpus), concepts)
        const n = corpus.lexicon.words.length
        expect(byCell).toHaveLength(2 ** concepts.length * n)
        for (const j of words)
          for (let cell = 0; cell < 2 ** concepts.length; cell++) expect(byCell[cell * n + j]).toBe(table[2 * cell + 1])
      }),
      {seed: 2, numRuns: 300}
    )
  })
})

test('anchorTable(counts, concepts, two words) is refused with the way out', () => {
  const counts = countCorpus({lexicon: lexiconWith([2, 1], 2), documents: []})
  expect(() => anchorTable(counts, [0], [0, 1])).toThrow(expect.objectContaining({code: 'bad-option'}))
  expect(() => anchorTable(counts, [0], [0, 1])).toThrow(/one word; got 2; count .*from the documents/)
})

test('memberFlags(...) marks in every pattern just the members of the concept that fired', () => {
  fc.assert(
    fc.property(anyCorpus, corpus => {
      const counts = countCorpus(corpus)
      const owned = corpus.lexicon.anchors.flatMap(({any}, concept) => any.map((_, w) => ({concept, w})))
      corpus.lexicon.anchors.forEach(({any}, concept) => {
        const flags = memberFlags(counts, concept)
        expect(flags.length).toBe(counts.patternCount * any.length)
        for (let p = 0; p < counts.patternCount; p++) {
          const fired = [...counts.members.subarray(counts.memberStarts[p], counts.memberStarts[p + 1])]
          const own = fired.map(member => owned[member]).filter(member => member.concept === concept)
          const expected = any.map((_, w) => (own.some(member => member.w === w) ? 1 : 0))
          expect([...flags.subarray(p * any.length, (p + 1) * any.length)]).toEqual(expected)
        }
      })
    })
  )
})
