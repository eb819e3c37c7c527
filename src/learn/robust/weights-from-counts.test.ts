import {expect, test} from 'vitest'
import {drawDocuments, mean} from './test-documents.ts'
import {weightsFromCounts} from './weights-from-counts.ts'

test('weightsFromCounts(...) equals the formula written out document by document', () => {
  const {corpus, counts, rates} = drawDocuments(11, 800)
  const n = 40
  const N = corpus.documents.length
  const found = weightsFromCounts(counts, rates.prevalence, {words: 'all'})
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
      expect(found[i * n + j]).toBeCloseTo(x > 0 && z2 > 0 ? 0.3 * Math.log(ratio) : 0, 12)
      if (found[i * n + j] !== 0) speaking++
    }
  expect(speaking).toBeGreaterThan(10)
  expect(speaking).toBeLessThan(120)
})

test('weightsFromCounts(...) leaves rare words out unless it is asked for all, and scales by the share', () => {
  const {corpus, counts, rates} = drawDocuments(12, 800)
  const n = corpus.lexicon.words.length
  const all = weightsFromCounts(counts, rates.prevalence, {words: 'all', share: 0.6})
  weightsFromCounts(counts, rates.prevalence).forEach((weight, at) => {
    const documents = corpus.documents.filter(({words}) => words.includes(at % n)).length
    expect(weight).toBeCloseTo(documents < 16 ? 0 : all[at] / 2, 12)
  })
})
