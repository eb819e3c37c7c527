import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {type CorpusDocument, textDefaults} from '../../read/data/index.ts'
import {weightsFromCounts, wordWeightDefaults} from '../words/index.ts'
import {wordLikeness} from './word-likeness.ts'

const [M, WORDS] = [4, 12]
const lexicon = {
  anchors: Array.from({length: M}, (_, i) => ({concept: `c${i}`, any: [`a${i}`], not: [], rates: undefined})),
  words: Array.from({length: WORDS}, (_, j) => `w${j}`),
  phrases: [],
  text: textDefaults,
  filter: {minTags: 0, tags: []},
  skipped: []
}
const prevalence = [0.2, 0.2, 0.2, 0.2]

/** Concept i brings the words 3i to 3i + 2; concepts 0 and 1 also bring each other's. */
function drawDocuments(count: number, seed: number): CorpusDocument[] {
  const random = rng(seed)
  return Array.from({length: count}, (_, d) => {
    const anchors = Array.from({length: M}, (_, i) => i).filter(() => random.next() < 0.25)
    const brings = (i: number, j: number) => Math.floor(j / 3) === i || (i < 2 && j < 6)
    const words = Array.from({length: WORDS}, (_, j) => j).filter(
      j => random.next() < (anchors.some(i => brings(i, j)) ? 0.6 : 0.1)
    )
    return {key: `${d}`, words, anchors, members: anchors, labels: undefined}
  })
}

test('wordLikeness(...) equals sums over documents, one by one', () => {
  const documents = drawDocuments(400, 1)
  const counts = countCorpus({lexicon, documents})
  const weights = weightsFromCounts(counts, prevalence, wordWeightDefaults)
  const scoreOf = ({words}: CorpusDocument, k: number) => words.reduce((sum, j) => sum + weights[k * WORDS + j], 0)
  const found = wordLikeness(counts, prevalence)
  const oneWay = (i: number, k: number) => {
    const mean = documents.reduce((sum, document) => sum + scoreOf(document, k), 0) / documents.length
    const excess = (some: readonly CorpusDocument[]) =>
      some.reduce((sum, document) => sum + scoreOf(document, k) - mean, 0)
    const firing = (...all: readonly number[]) => documents.filter(({anchors}) => all.every(a => anchors.includes(a)))
    const [first, second, both] = [firing(i), firing(k), firing(i, k)]
    const own = excess(second) / second.length
    return (excess(first) - both.length * own) / (first.length - both.length + 20)
  }
  for (let i = 0; i < M; i++)
    for (let k = 0; k < M; k++)
      // Sums of 400 documents in another order.
      expect(found[i * M + k]).toBeCloseTo(i === k ? 0 : (oneWay(i, k) + oneWay(k, i)) / 2, 9)
})
