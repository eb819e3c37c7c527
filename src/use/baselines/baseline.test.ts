import {expect, test} from 'vitest'
import {log, sigmoid} from '../../base/numeric/index.ts'
import {corpusRows, fitLogistic, logOdds} from '../../learn/classifier/index.ts'
import {classifierBaseline, conceptScores, withAnchorRule} from './baseline.ts'
import {corpusOf, learnableModel} from './test-corpora.ts'

const model = learnableModel()
const {concepts} = model
const corpus = corpusOf(model, 200)
const rows = corpusRows(corpus)
const n = corpus.lexicon.words.length
const classifiers = concepts.map((_, i) => {
  const fired = corpus.documents.map(({evidence}) => (evidence.anchors.includes(i) ? 1 : 0))
  return fitLogistic(rows, fired, {without: [n + i], stepLimit: 3})
})
const scores = conceptScores(classifiers, n)
const prevalence = concepts.map(concept => concept.prevalence)

test('conceptScores(...) gives a document the log-odds that its row has', () => {
  const byRow = classifiers.map(classifier => logOdds(classifier, rows))
  corpus.documents.forEach(({evidence}, d) => {
    scores(evidence).forEach((z, i) => {
      expect(z).toBeCloseTo(byRow[i][d], 9)
    })
  })
})

test('withAnchorRule(...) believes a fired anchor alone, by the rule of Bayes, and leaves the others', () => {
  const ruled = withAnchorRule(scores, concepts)
  for (const {evidence} of corpus.documents) {
    const plain = scores(evidence)
    ruled(evidence).forEach((z, i) => {
      const {truePositive: t, falsePositive: e, prevalence: p} = concepts[i]
      if (evidence.anchors.includes(i)) expect(sigmoid(z)).toBeCloseTo((t * p) / (t * p + e * (1 - p)), 10)
      else expect(z).toBe(plain[i])
    })
  }
})

test('classifierBaseline(...) answers with chances, log-odds of the candidates, and P(y) of independent concepts', () => {
  const certificate = {classifiers: {ridge: 1, heldOut: [], unfinished: 0}}
  const baseline = classifierBaseline(scores, prevalence, certificate)
  const {evidence} = corpus.documents[0]
  const z = scores(evidence)
  expect([...Array.from(baseline.posterior(evidence))]).toEqual([...z].map(sigmoid))
  const ranks = Array.from(baseline.lastTag(evidence, [1, 3]))
  expect(ranks).toEqual([...z].map((score, i) => (i === 1 || i === 3 ? Number.NEGATIVE_INFINITY : score)))
  expect(() => baseline.lastTag(evidence, [concepts.length])).toThrow(`none of the ${concepts.length} concepts`)
  const y = concepts.map((_, i) => i % 2)
  const plain = prevalence.reduce((sum, p, i) => sum + log(y[i] ? p : 1 - p), 0)
  expect(baseline.logTags(y)).toBeCloseTo(plain, 12)
  expect(baseline.certificate).toBe(certificate)
})

test('classifierBaseline(...).logTags(y) stays finite for concepts that are always or never there', () => {
  const baseline = classifierBaseline(scores, [0, 1, 0.5, 0.5, 0.5, 0.5], {})
  expect(Number.isFinite(baseline.logTags([1, 0, 0, 0, 0, 0]))).toBe(true)
})
