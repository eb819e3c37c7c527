import fc from 'fast-check'
import {expect, test} from 'vitest'
import {logPrior, networkMarginals} from '../../base/network/index.ts'
import {log, rng, sigmoid} from '../../base/numeric/index.ts'
import {corpusRows, fitLogistic, logOdds} from '../../learn/classifier/index.ts'
import {classifierBaseline, conceptScores, logIndependent, networkBaseline, withAnchorRule} from './baseline.ts'
import {corpusOf, learnableModel} from './test-corpora.ts'

const model = learnableModel()
const {concepts, network} = model
const corpus = corpusOf(model, 200)
const rows = corpusRows(corpus)
const n = corpus.lexicon.words.length
const classifiers = concepts.map((_, i) => {
  const fired = corpus.documents.map(({anchors}) => (anchors.includes(i) ? 1 : 0))
  return fitLogistic(rows, fired, {without: [n + i], stepLimit: 3})
})
const scores = conceptScores(classifiers, n)
const prevalence = concepts.map(concept => concept.prevalence)

test('conceptScores(...) gives a document the log-odds that its row has', () => {
  const byRow = classifiers.map(classifier => logOdds(classifier, rows))
  corpus.documents.forEach((document, d) => {
    scores(document).forEach((z, i) => {
      expect(z).toBeCloseTo(byRow[i][d], 9)
    })
  })
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
  const certificate = {classifiers: {ridge: 1, heldOut: [], unfinished: 0}}
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

const m = concepts.length
const nothing = {words: [], anchors: [], members: []}
const anyScores = fc.array(fc.double({min: -6, max: 6, noNaN: true}), {minLength: m, maxLength: m})
const states = Array.from({length: 2 ** m}, (_, state) => concepts.map((_, i) => (state >> i) & 1))
const base = networkMarginals(network).map(p => log(p / (1 - p)))

test('networkBaseline(...).posterior(...) equals the sum over all states', () => {
  fc.assert(
    fc.property(anyScores, z => {
      const baseline = networkBaseline(() => Float64Array.from(z), network, {})
      const weights = states.map(y =>
        Math.exp(logPrior(network, y) + y.reduce((sum, on, i) => sum + on * (z[i] - base[i]), 0))
      )
      const total = weights.reduce((sum, w) => sum + w, 0)
      Array.from(baseline.posterior(nothing)).forEach((p, i) => {
        const with1 = weights.reduce((sum, w, state) => sum + states[state][i] * w, 0)
        expect(p).toBeCloseTo(with1 / total, 9)
      })
    })
  )
})

test('networkBaseline(...) says what the network says when the classifiers say nothing new', () => {
  const baseline = networkBaseline(() => base.slice(), network, {})
  const posterior = baseline.posterior(nothing)
  networkMarginals(network).forEach((p, i) => {
    expect(posterior[i]).toBeCloseTo(p, 12)
  })
  const y = states[11]
  expect(baseline.logTags(y)).toBe(logPrior(network, y))
})

test('networkBaseline(...).lastTag(...) ranks candidates by the joint of given tags and candidate', () => {
  fc.assert(
    fc.property(anyScores, fc.subarray(concepts.map((_, i) => i)), (z, given) => {
      const scores = networkBaseline(() => Float64Array.from(z), network, {}).lastTag(nothing, given)
      concepts.forEach((_, c) => {
        const y = concepts.map((_, i) => (i === c || given.includes(i) ? 1 : 0))
        if (given.includes(c)) expect(scores[c]).toBe(Number.NEGATIVE_INFINITY)
        else expect(scores[c]).toBeCloseTo(logPrior(network, y) + z[c] - base[c], 9)
      })
    })
  )
})

test('networkBaseline(...) stays a probability for scores beyond what exp can hold', () => {
  const baseline = networkBaseline(() => Float64Array.from({length: m}, (_, i) => (i % 2 ? 5000 : -5000)), network, {})
  Array.from(baseline.posterior(nothing)).forEach((p, i) => {
    expect(p).toBe(i % 2)
  })
})

test('networkBaseline(...) of a network without edges is the classifiers', () => {
  const alone = {parents: concepts.map(() => []), cpt: concepts.map(({prevalence}) => Float64Array.of(prevalence))}
  const random = rng(1)
  const z = Float64Array.from({length: m}, () => 8 * random.next() - 4)
  const baseline = networkBaseline(() => z.slice(), alone, {})
  Array.from(baseline.posterior(nothing)).forEach((p, i) => {
    expect(p).toBeCloseTo(1 / (1 + Math.exp(-z[i])), 10)
  })
  expect(baseline.logTags(states[5])).toBeCloseTo(logIndependent(prevalence, states[5]), 12)
})
