import {expect, test} from 'vitest'
import {countCorpus} from '../../read/counts/index.ts'
import {poolReleases, releaseCounts, releaseToCounts} from '../../read/pooling/index.ts'
import {addScores} from './anchor-words.ts'
import {createCompanyReader, learnCompany} from './company.ts'
import {type ConceptSample, countSamples, documentSamples} from './concept-sample.ts'
import {learnWordWeights} from './learn-word-weights.ts'
import {tableSamples} from './table-samples.ts'
import {drawDocuments} from './test-documents.ts'
import {wordWeights} from './word-weights.ts'

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
  const weights = wordWeights(counts, rates.prevalence, {wordShare: 0.3, sigmas: 2})
  const company = createCompanyReader(learnCompany(counts, rates, 0.7))
  const scores = new Float64Array(6)
  const exact = documentSamples(corpus.documents, 6, company, ({evidence}) => {
    scores.fill(0)
    addScores(weights, evidence.words, scores)
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
      const own = corpus.documents.filter(({evidence}) => evidence.anchors.includes(i) === (state === 1))
      const shares = counts.lexicon.words.map(
        (_, j) => own.filter(({evidence}) => evidence.words.includes(j)).length / own.length
      )
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
