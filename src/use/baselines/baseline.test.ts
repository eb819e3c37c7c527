import {expect, test} from 'vitest'
import {log, sigmoid} from '../../base/numeric/index.ts'
import {corpusRows, fitLogistic, logOdds} from '../../learn/classifier/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {classifierBaseline, conceptScores, withAnchorRule} from './baseline.ts'
import {corpusOf, learnableModel} from './test-corpora.ts'

const model = learnableModel()
const {concepts} = model
const corpus = corpusOf(model, 200)
const rows = corpusRows(corpus)
const n = corpus.lexicon.words.length
const classifiers = concepts.map((_, i) => {
  const fired = corpus.documents.map(({anchors}) => (anchors.includes(i) ? 1 : 0))
  return fitLogistic(rows, fired, {without: [n + i], stepLimit: 3})
})
const scores = conceptScores(classifiers, n)
const prevalence = concepts.map(concept => concept.prevalence)

test('conceptScores(...) gives a document the log-odds that its row has, with the scale of the row', () => {
  const scaleOf = ({words}: Evidence) => 1 / (1 + words.length)
  const scaled = {...rows, scale: Float64Array.from(corpus.documents, scaleOf)}
  for (const [own, all] of [
    [scores, rows],
    [conceptScores(classifiers, n, scaleOf), scaled]
  ] as const) {
    const byRow = classifiers.map(classifier => logOdds(classifier, all))
    corpus.documents.forEach((document, d) => {
      own(document).forEach((z, i) => {
        expect(z).toBeCloseTo(byRow[i][d], 9)
      })
    })
  }
})

test('withAnchorRule(...) believes a fired anchor alone, by the rule of Bayes, and leaves the others', () => {
  const ruled = withAnchorRule(scores, concepts)
  for (const document of corpus.documents) {
    const plain = scores(document)
    ruled(document).forEach((z, i) => {
      const {truePositive: t, falsePositive: e, prevalence: p} = concepts[i]
      if (document.anchors.includes(i)) expect(sigmoid(z)).toBeCloseTo((t * p) / (t * p + e * (1 - p)), 10)
      else expect(z).toBe(plain[i])
    })
  }
})

test('classifierBaseline(...) answers with chances, log-odds of the candidates, and P(y) of independent concepts', () => {
  const certificate = {classifiers: {ridge: 1, heldOut: []}}
  const baseline = classifierBaseline(scores, prevalence, certificate)
  const document = corpus.documents[0]
  const z = scores(document)
  expect([...Array.from(baseline.posterior(document))]).toEqual([...z].map(sigmoid))
  const ranks = Array.from(baseline.lastTag(document, [1, 3]))
  expect(ranks).toEqual([...z].map((score, i) => (i === 1 || i === 3 ? Number.NEGATIVE_INFINITY : score)))
  expect(() => baseline.lastTag(document, [concepts.length])).toThrow(`none of the ${concepts.length} concepts`)
  const y = concepts.map((_, i) => i % 2)
  const plain = prevalence.reduce((sum, p, i) => sum + log(y[i] ? p : 1 - p), 0)
  expect(baseline.logTags(y)).toBeCloseTo(plain, 12)
  expect(baseline.certificate).toBe(certificate)
})

test('classifierBaseline(...).logTags(y) stays finite for concepts that are always or never there', () => {
  const baseline = classifierBaseline(scores, [0, 1, 0.5, 0.5, 0.5, 0.5], {})
  expect(Number.isFinite(baseline.logTags([1, 0, 0, 0, 0, 0]))).toBe(true)
})
