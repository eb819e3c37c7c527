import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import type {CorpusDocument} from '../../read/data/index.ts'
import {lexicon as lexiconOf} from './test-anchor-counts.ts'
import {drawDocuments, mean} from './test-documents.ts'
import {weightsFromCounts, wordSimilarity} from './weights-from-counts.ts'

test('weightsFromCounts(...) equals the formula written out document by document', () => {
  const {corpus, counts, rates} = drawDocuments(11, 800)
  const n = 40
  const N = corpus.documents.length
  const found = weightsFromCounts(counts, rates.prevalence)
  let speaking = 0
  for (let i = 0; i < 6; i++)
    for (let j = 0; j < n; j++) {
      const anchor = corpus.documents.map(({anchors}) => +anchors.includes(i))
      const word = corpus.documents.map(({words}) => +words.includes(j))
      const [a, x] = [mean(anchor), mean(word)]
      const covariance = mean(anchor.map((value, d) => (value - a) * (word[d] - x)))
      const z2 = (N * covariance ** 2) / (a * (1 - a) * x * (1 - x))
      const difference = (covariance / a) * Math.max(0, 1 - 16 / z2)
      const p = rates.prevalence[i]
      const inside = (chance: number) => Math.min(Math.max(chance, 0.1 * x), 1 - 0.1 * (1 - x))
      const ratio = inside(x + difference) / inside(x - (difference * p) / (1 - p))
      // Words in fewer than 2% of the documents have no weight.
      expect(found[i * n + j]).toBeCloseTo(x >= 0.02 && z2 > 0 ? 0.3 * Math.log(ratio) : 0, 12)
      if (found[i * n + j] !== 0) speaking++
    }
  expect(speaking).toBeGreaterThan(10)
  expect(speaking).toBeLessThan(120)
})

const [M, WORDS] = [4, 12]
const lexicon = {...lexiconOf(M), words: Array.from({length: WORDS}, (_, j) => `w${j}`)}
const prevalence = [0.2, 0.2, 0.2, 0.2]

/** Concept i brings the words 3i to 3i + 2; concepts 0 and 1 also bring each other's. */
function drawLike(count: number, seed: number): CorpusDocument[] {
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

test('wordSimilarity(...) equals sums over documents, one by one', () => {
  const documents = drawLike(400, 1)
  const counts = countCorpus({lexicon, documents})
  const weights = weightsFromCounts(counts, prevalence)
  const scoreOf = ({words}: CorpusDocument, k: number) => words.reduce((sum, j) => sum + weights[k * WORDS + j], 0)
  const found = wordSimilarity(counts, prevalence)
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
