/**
 * Claim: a whole fit from counts (tree, simplex moments, all loadings) at 50 concepts and 2,000 words takes under 2 s on one core,
 * and so does the robust preset with its gated words and word weights. The first is compared with recovering the same tables one by
 * one from the counts, by the general solver (`recoverTable`) and by the paper's exponentiated gradient; both on a sample of the
 * tables, extrapolated to all. Seconds are processor time.
 */
import {networkEdges} from '../../src/base/network/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {recoverTable} from '../../src/learn/moments/index.ts'
import {estimateNoise} from '../../src/learn/noise/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {type BenchRow, benchCorpus, benchModel, leastSeconds, record, rounded} from './bench.ts'

const SAMPLED_TABLES = 40
const kind = {network: 'tree', polytope: 'simplex', wordShrinkage: 1, words: 'noisy-or'} as const

const cases = [
  {concepts: 50, words: 2000, documents: 20_000},
  {concepts: 25, words: 2000, documents: 20_000},
  {concepts: 100, words: 2000, documents: 20_000},
  {concepts: 50, words: 500, documents: 20_000},
  {concepts: 50, words: 1000, documents: 20_000},
  {concepts: 50, words: 2000, documents: 5_000},
  {concepts: 50, words: 2000, documents: 80_000}
]

const rows: BenchRow[] = []
for (const {concepts, words, documents} of cases) {
  const counts = countCorpus(benchCorpus(benchModel(concepts, words), documents))
  const ours = await leastSeconds(() => fit(counts, kind), 3)
  const model = await fit(counts, kind)
  const noise = estimateNoise(counts, 'given')
  const edges = networkEdges(model.network)
  const tables = (concepts * (concepts - 1)) / 2 + concepts * words + edges.length * words
  const sample = Array.from({length: SAMPLED_TABLES}, (_, at) => ({
    concepts: at % 2 === 0 ? edges[at % edges.length] : [at % concepts],
    words: [(at * 37) % words]
  }))
  const naive = async (solver: 'newton' | 'exponentiated-gradient') => {
    const sampled = await leastSeconds(() => {
      for (const variables of sample) recoverTable(counts, noise, variables, {shrinkage: 1, solver})
    })
    return (sampled * tables) / SAMPLED_TABLES
  }
  const oneByOne = await naive('newton')
  const gradient = await naive('exponentiated-gradient')
  rows.push({
    concepts,
    words,
    documents,
    patterns: counts.patternCount,
    'robust s': rounded(await leastSeconds(() => fit(counts), 3)),
    'tables s': rounded(ours),
    'one by one s': rounded(oneByOne),
    ratio: rounded(oneByOne / ours),
    'exponentiated gradient s': rounded(gradient),
    'ratio to it': rounded(gradient / ours)
  })
}

record('fit', 'Whole fit from counts: under 2 s at 50 concepts and 2,000 words', rows)
