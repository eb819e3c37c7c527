/**
 * Claim: counting a million documents of 60 words in memory, at 50 anchors and 2,000 words.
 * Compared with the obvious counter, one Map from "pattern|word" to a number, on the same documents (a tenth of them for the
 * largest case, scaled). Only counting is timed; documents are already encoded.
 */

import {countCorpus} from '../../src/read/counts/index.ts'
import type {Corpus} from '../../src/read/data/index.ts'
import {benchCorpus, benchModel} from './generated.ts'
import {type BenchRow, record, rounded, seconds} from './record.ts'

const cases = [
  {concepts: 50, words: 2000, documents: 100_000},
  {concepts: 50, words: 2000, documents: 300_000},
  {concepts: 50, words: 2000, documents: 1_000_000},
  {concepts: 25, words: 2000, documents: 100_000},
  {concepts: 100, words: 2000, documents: 100_000},
  {concepts: 50, words: 500, documents: 100_000},
  {concepts: 50, words: 8000, documents: 100_000}
]

const rows = cases.map(({concepts, words, documents}): BenchRow => {
  const corpus = benchCorpus(benchModel(concepts, words), documents)
  const ours = seconds(() => countCorpus(corpus), documents > 500_000 ? 1 : 2)
  const {patternCount} = countCorpus(corpus)
  const part = {...corpus, documents: corpus.documents.slice(0, Math.min(documents, 100_000))}
  const naive = (seconds(() => countNaively(part)) * documents) / part.documents.length
  return {
    concepts: concepts,
    words,
    documents,
    patterns: patternCount,
    'count s': rounded(ours),
    'documents per s': Math.round(documents / ours),
    'naive s': rounded(naive),
    ratio: rounded(naive / ours)
  }
})

function countNaively(corpus: Corpus): Map<string, number> {
  const counts = new Map<string, number>()
  for (const {members, words} of corpus.documents) {
    const pattern = members.join()
    for (const word of ['', ...words]) {
      const key = `${pattern}|${word}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts
}

record('count', 'Counting a million documents of 60 words in memory', rows)
