/**
 * Claim: counting a million documents of 60 words in memory, at 50 anchors and 2,000 words.
 * Compared with the obvious counter, one Map from "pattern|word" to a number, on the same documents (a tenth of them for the
 * largest case, scaled). Only counting is timed, in processor seconds; documents are already encoded.
 */
import {countCorpus} from '../../src/read/counts/index.ts'
import {type BenchRow, benchCorpus, benchModel, countNaively, leastSeconds, record, rounded} from './bench.ts'

const cases = [
  {concepts: 50, words: 2000, documents: 100_000},
  {concepts: 50, words: 2000, documents: 300_000},
  {concepts: 50, words: 2000, documents: 1_000_000},
  {concepts: 25, words: 2000, documents: 100_000},
  {concepts: 100, words: 2000, documents: 100_000},
  {concepts: 50, words: 500, documents: 100_000},
  {concepts: 50, words: 8000, documents: 100_000}
]

const rows: BenchRow[] = []
for (const {concepts, words, documents} of cases) {
  const corpus = benchCorpus(benchModel(concepts, words), documents)
  const ours = await leastSeconds(() => countCorpus(corpus), documents > 500_000 ? 1 : 2)
  const part = corpus.documents.slice(0, 100_000)
  const naive = ((await leastSeconds(() => countNaively(part))) * documents) / part.length
  rows.push({
    concepts,
    words,
    documents,
    patterns: countCorpus(corpus).patternCount,
    'count s': rounded(ours),
    'documents per s': Math.round(documents / ours),
    'naive s': rounded(naive),
    ratio: rounded(naive / ours)
  })
}
record('count', 'Counting a million documents of 60 words in memory', rows)
