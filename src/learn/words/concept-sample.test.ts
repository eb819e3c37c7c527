import {expect, test} from 'vitest'
import {sigmoid} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {poolReleases, releaseCounts, releaseToCounts} from '../../read/pooling/index.ts'
import {createCompanyReader, learnCompany} from './company.ts'
import {type ConceptSample, countSamples, documentSamples, tableSamples} from './concept-sample.ts'
import {learnWordWeights} from './learn-word-weights.ts'
import {drawDocuments, mean} from './test-documents.ts'
import {weightsFromCounts} from './weights-from-counts.ts'
import {addScores} from './weights-from-documents.ts'

function bothSamples(documents: number) {
  const {corpus, counts, rates} = drawDocuments(41, documents)
  const weights = weightsFromCounts(counts, rates.prevalence, {wordShare: 0.3, sigmas: 2})
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
    fromDocuments: documentSamples(corpus.documents, 6, company, ({words}) => scoresOf(words)),
    fromCounts: countSamples(counts, company, weights, () => 1)
  }
}

test('documentSamples(...) has one entry a document: its company, the weights of its words, its own anchor', () => {
  const {corpus, words, fromDocuments} = bothSamples(50)
  fromDocuments.forEach(({others, scores, weights, fired}, i) => {
    expect(others.length).toBe(50)
    expect([...fired]).toEqual(corpus.documents.map(({anchors}) => (anchors.includes(i) ? 1 : 0)))
    expect([...weights]).toEqual(corpus.documents.map(() => 1))
    corpus.documents.forEach((document, d) => {
      expect(scores[d]).toBe(document.words.reduce((sum, j) => sum + words[i * 40 + j], 0))
    })
  })
  expect(words.filter(weight => weight !== 0).length).toBeGreaterThan(5)
})

test('countSamples(...) spreads the scores of a pattern as independent words would, tempered by its mean length', () => {
  const {corpus, counts, rates} = drawDocuments(42, 300, 3, 12)
  const weights = weightsFromCounts(counts, rates.prevalence, {wordShare: 0.3, sigmas: 1})
  const company = createCompanyReader(learnCompany(counts, rates, 0.7))
  const samples = countSamples(counts, company, weights, count => 1 / count)
  let spread = 0
  for (let p = 0; p < counts.patternCount; p++) {
    const members = [...counts.members.subarray(counts.memberStarts[p], counts.memberStarts[p + 1])]
    const own = corpus.documents.filter(document => `${document.members}` === `${members}`)
    const shares = Array.from({length: 12}, (_, j) => mean(own.map(({words}) => Number(words.includes(j)))))
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

/** Mean and variance of what others and words say in documents whose own anchor is as given. */
function momentsOf(sample: ConceptSample, part: 'others' | 'scores', state: number) {
  const weights = sample.weights.map((weight, d) => (sample.fired[d] === state ? weight : 0))
  const documents = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = weights.reduce((sum, weight, d) => sum + weight * sample[part][d], 0) / documents
  const variance = weights.reduce((sum, weight, d) => sum + weight * (sample[part][d] - mean) ** 2, 0) / documents
  return {documents, mean, variance}
}

test('tableSamples(...) has the documents and means of a sample of all documents, and the variance of independent words', () => {
  const {corpus, counts, rates} = drawDocuments(41, 400)
  const weights = weightsFromCounts(counts, rates.prevalence, {wordShare: 0.3, sigmas: 2})
  const company = createCompanyReader(learnCompany(counts, rates, 0.7))
  const scores = new Float64Array(6)
  const exact = documentSamples(corpus.documents, 6, company, ({words}) => {
    scores.fill(0)
    addScores(weights, words, scores)
    return scores.slice()
  })
  const tables = releaseToCounts(releaseCounts(counts, {minCell: 0}))
  expect(() => countSamples(tables, company, weights, () => 1)).toThrow(/a sample of documents needs to know/)
  tableSamples(tables, company, weights).forEach((sample, i) => {
    for (const state of [0, 1]) {
      for (const part of ['others', 'scores'] as const) {
        const [found, wanted] = [sample, exact[i]].map(one => momentsOf(one, part, state))
        expect(found.documents).toBeCloseTo(wanted.documents, 8)
        expect(found.mean).toBeCloseTo(wanted.mean, 8)
      }
      const own = corpus.documents.filter(({anchors}) => anchors.includes(i) === (state === 1))
      const shares = counts.lexicon.words.map((_, j) => own.filter(({words}) => words.includes(j)).length / own.length)
      const variance = shares.reduce((sum, share, j) => sum + share * (1 - share) * weights[i * 40 + j] ** 2, 0)
      expect(momentsOf(sample, 'scores', state).variance).toBeCloseTo(variance, 8)
    }
  })
})

test('learnWordWeights(...) from released tables has the weights and company of whole counts, and constants near theirs', () => {
  const {corpus, counts, rates} = drawDocuments(43, 2000)
  const halves = [0, 1].map(half => corpus.documents.filter((_, at) => at % 2 === half))
  const parts = halves.map((documents, half) =>
    releaseCounts(countCorpus({...corpus, documents}), {minCell: 0, site: `${half}`})
  )
  const whole = learnWordWeights(counts, rates, undefined)
  const pooled = learnWordWeights(releaseToCounts(poolReleases(parts)), rates, undefined)
  expect(pooled.weights).toEqual(whole.weights)
  expect(pooled.company).toEqual(whole.company)
  // Independent words spread less than those of documents: a third of a unit of log-odds is more than that makes here.
  for (const [i, silent] of pooled.withWords.silent.entries())
    expect(Math.abs(silent - whole.withWords.silent[i])).toBeLessThan(0.3)
  for (const [i, fired] of pooled.withWords.fired.entries())
    expect(Math.abs(fired - whole.withWords.fired[i])).toBeLessThan(0.3)
})
