import {expect, test} from 'vitest'
import {sigmoid} from '../../base/numeric/index.ts'
import {addScores} from './anchor-words.ts'
import {createCompanyReader, learnCompany} from './company.ts'
import {countSamples, documentSamples} from './concept-sample.ts'
import {drawDocuments, mean} from './test-documents.ts'
import {wordWeights} from './word-weights.ts'

function bothSamples(documents: number) {
  const {corpus, counts, rates} = drawDocuments(41, documents)
  const weights = wordWeights(counts, rates.prevalence, {wordShare: 0.3, sigmas: 2})
  const company = createCompanyReader(learnCompany(counts, rates, 0.7))
  const scoresOf = (words: readonly number[]) => {
    const scores = new Float64Array(6)
    addScores(weights, words, scores)
    return scores
  }
  return {
    corpus,
    counts,
    words: weights,
    fromDocuments: documentSamples(corpus.documents, 6, company, ({evidence}) => scoresOf(evidence.words)),
    fromCounts: countSamples(counts, company, weights, () => 1)
  }
}

test('documentSamples(...) has one entry a document: its company, the weights of its words, its own anchor', () => {
  const {corpus, words, fromDocuments} = bothSamples(50)
  fromDocuments.forEach(({others, scores, weights, fired}, i) => {
    expect(others.length).toBe(50)
    expect([...fired]).toEqual(corpus.documents.map(({evidence}) => (evidence.anchors.includes(i) ? 1 : 0)))
    expect([...weights]).toEqual(corpus.documents.map(() => 1))
    corpus.documents.forEach(({evidence}, d) => {
      expect(scores[d]).toBe(evidence.words.reduce((sum, j) => sum + words[i * 40 + j], 0))
    })
  })
  expect(words.filter(weight => weight !== 0).length).toBeGreaterThan(5)
})

test('countSamples(...) spreads the scores of a pattern as independent words would, tempered by its mean length', () => {
  const {corpus, counts, rates} = drawDocuments(42, 300, 3, 12)
  const weights = wordWeights(counts, rates.prevalence, {wordShare: 0.3, sigmas: 1})
  const company = createCompanyReader(learnCompany(counts, rates, 0.7))
  const samples = countSamples(counts, company, weights, count => 1 / count)
  let spread = 0
  for (let p = 0; p < counts.patternCount; p++) {
    const members = [...counts.members.subarray(counts.memberStarts[p], counts.memberStarts[p + 1])]
    const own = corpus.documents.filter(({evidence}) => `${evidence.members}` === `${members}`)
    const shares = Array.from({length: 12}, (_, j) => mean(own.map(({evidence}) => Number(evidence.words.includes(j)))))
    const length = shares.reduce((sum, share) => sum + share, 0)
    samples.forEach(({scores}, i) => {
      const middle = shares.reduce((sum, share, j) => sum + share * weights[i * 12 + j], 0)
      const variance = shares.reduce((sum, share, j) => sum + share * (1 - share) * weights[i * 12 + j] ** 2, 0)
      for (const [point, place] of [-Math.sqrt(3), 0, Math.sqrt(3)].entries())
        expect(scores[3 * p + point]).toBeCloseTo((middle + place * Math.sqrt(variance)) / length, 10)
      spread += variance
    })
  }
  expect(spread).toBeGreaterThan(0.1)
})

test('countSamples(...) has the documents, the mean company and the mean score of the documents themselves', () => {
  const {fromDocuments, fromCounts} = bothSamples(2000)
  fromDocuments.forEach((sample, i) => {
    const weighted = (values: ArrayLike<number>, only: number) => {
      let [sum, total] = [0, 0]
      fromCounts[i].weights.forEach((weight, at) => {
        if (fromCounts[i].fired[at] !== only) return
        sum += weight * values[at]
        total += weight
      })
      return {mean: sum / total, total}
    }
    for (const only of [0, 1]) {
      const mine = [...sample.fired.keys()].filter(d => sample.fired[d] === only)
      expect(weighted(fromCounts[i].scores, only).total).toBeCloseTo(mine.length, 8)
      expect(weighted(fromCounts[i].scores, only).mean).toBeCloseTo(mean(mine.map(d => sample.scores[d])), 10)
      expect(weighted(fromCounts[i].others, only).mean).toBeCloseTo(mean(mine.map(d => sample.others[d])), 10)
    }
  })
})

test('countSamples(...) is exact for a pattern of one document', () => {
  const {counts, fromCounts, fromDocuments} = bothSamples(300)
  const lone = Array.from({length: counts.patternCount}, (_, p) => p).filter(p => counts.patternDocuments[p] === 1)
  expect(lone.length).toBeGreaterThan(3)
  fromCounts.forEach(({scores}, i) => {
    for (const p of lone) {
      expect(scores[3 * p]).toBe(scores[3 * p + 1])
      expect(scores[3 * p + 2]).toBe(scores[3 * p + 1])
      expect(fromDocuments[i].scores.some(score => Math.abs(score - scores[3 * p]) < 1e-12)).toBe(true)
    }
  })
})

test('countSamples(...) comes near the mean probability of the documents, nearer than the mean scores alone would', () => {
  const {fromDocuments, fromCounts} = bothSamples(4000)
  let [spread, middle] = [0, 0]
  fromDocuments.forEach((sample, i) => {
    const truth = mean(sample.scores.map((score, d) => sigmoid(score + sample.others[d])))
    const estimate = (at: (entry: number) => number) => {
      const {weights, scores, others} = fromCounts[i]
      return weights.reduce((sum, weight, d) => sum + weight * sigmoid(scores[at(d)] + others[d]), 0) / 4000
    }
    spread += Math.abs(estimate(d => d) - truth)
    // The middle one of the three entries of each pattern holds the mean.
    middle += Math.abs(estimate(d => d - (d % 3) + 1) - truth)
  })
  expect(spread).toBeLessThan(middle / 2)
})
