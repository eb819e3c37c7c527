import {expect, test} from 'vitest'
import {type BayesNetwork, directedNetwork, logPrior} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {plainLogJoint, plainPosterior, randomDocument, randomModel} from '../../learn/inference/test-models.ts'
import {logOddsModel} from '../../learn/inference/test-weights.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Corpus, CorpusDocument, Evidence} from '../../read/data/index.ts'
import {createPredictor} from '../prediction/index.ts'
import {evaluate, simpleBaselines} from './evaluate.ts'
import {taggingOf} from './test-figures.ts'
import {nothing, withPrevalences} from './test-predictors.ts'
import {figureColumns} from './weighted-figures.ts'

function tinyModel(): Model<BayesNetwork> {
  return randomModel(rng(11), {conceptCount: 5, wordCount: 15, parentLimit: 2, density: 0.4})
}

/** Documents of the model with their truth; `change` may hide some of it. */
function drawCorpus(model: Model, count: number, change: (y: Int8Array, at: number) => Int8Array | undefined): Corpus {
  const documents = Array.from({length: count}, (_, at): CorpusDocument => {
    const {evidence, y} = randomDocument(directed(model), rng(at).stream('document'))
    return {key: String(at), ...evidence, labels: change(y, at)}
  })
  return {lexicon: model.lexicon, documents}
}

const directed = (model: Model) => ({...model, network: directedNetwork(model.network)})
const wholeTruth = (y: Int8Array) => y

test('evaluate(...).lastTag equals the count over every completion of every document', () => {
  const model = tinyModel()
  const corpus = drawCorpus(model, 60, wholeTruth)
  let sum = 0
  let documents = 0
  for (const document of corpus.documents) {
    const {labels = Int8Array.of()} = document
    const tags = [...labels.keys()].filter(i => labels[i] === 1)
    if (tags.length === 0) continue
    documents++
    for (const hidden of tags) {
      const scores = [...labels.keys()].map(candidate => {
        if (candidate !== hidden && labels[candidate] === 1) return Number.NEGATIVE_INFINITY
        const y = labels.map((tag, i) => (i === candidate ? 1 : i === hidden ? 0 : tag))
        return plainLogJoint(model, document, y)
      })
      if (scores.indexOf(Math.max(...scores)) === hidden) sum += 1 / tags.length
    }
  }
  const {lastTag} = evaluate(model, corpus)
  expect(documents).toBeGreaterThan(20)
  expect(lastTag.documents).toBe(documents)
  expect(lastTag.accuracy).toBeCloseTo(sum / documents, 12)
})

test('evaluate(...) gives the mean log-likelihood of the tags and the figures of the exact posteriors', () => {
  const model = tinyModel()
  const corpus = drawCorpus(model, 40, wholeTruth)
  const {documents, concepts, tagLogLikelihood, tagging} = evaluate(model, corpus)
  expect([documents, concepts]).toEqual([40, 5])
  const logs = corpus.documents.map(({labels = Int8Array.of()}) => logPrior(model.network, labels))
  expect(tagLogLikelihood).toBeCloseTo(logs.reduce((sum, value) => sum + value, 0) / 40, 10)
  const posteriors = corpus.documents.map(document => plainPosterior(model, document).probabilities)
  const plain = taggingOf(
    model.concepts.map((_, i) => posteriors.map(p => p[i])),
    model.concepts.map((_, i) => corpus.documents.map(({labels = Int8Array.of()}) => labels[i]))
  )
  for (const name of ['microF1', 'macroF1', 'macroAuc', 'averagePrecision', 'brier', 'calibrationError'] as const)
    expect(tagging[name]).toBeCloseTo(plain[name], 8)
})

test('evaluate(...) always sets prior and anchors-only beside the model, and the oracle when there is one', () => {
  const model = tinyModel()
  const corpus = drawCorpus(model, 30, wholeTruth)
  expect(Object.keys(evaluate(model, corpus).baselines)).toEqual(['prior', 'anchors-only'])
  const {baselines, ...figures} = evaluate(model, corpus, model)
  expect(Object.keys(baselines)).toEqual(['prior', 'anchors-only', 'oracle'])
  const {lastTag, tagLogLikelihood, tagging} = figures
  expect(baselines.oracle).toMatchObject({lastTag, tagLogLikelihood, tagging})
  // The oracle of this test is the model: every difference is exactly 0.
  expect(Object.values(baselines.oracle.differences)).toEqual(figureColumns.map(() => ({value: 0, low: 0, high: 0})))
  expect(baselines.prior).not.toEqual(baselines['anchors-only'])
})

test('evaluate(...) reads a model in log-odds by its noisy-or links, too', () => {
  const model = logOddsModel(5, 4, 20)
  const corpus = drawCorpus(model, 40, wholeTruth)
  const {baselines, ...figures} = evaluate(model, corpus)
  expect(Object.keys(baselines)).toEqual(['noisy-or', 'prior', 'anchors-only'])
  const others = evaluate({...model, wordModel: {kind: 'noisy-or'}}, corpus)
  const {baselines: _, documents, concepts, level, best, ...readable} = others
  const {differences, ...links} = baselines['noisy-or']
  expect(links).toEqual(readable)
  expect(differences.brier.value).toBe(links.tagging.brier - figures.tagging.brier)
  expect(readable.tagging.brier).not.toBe(figures.tagging.brier)
  expect([figures.tagging, readable.tagging].map(({atThreshold}) => atThreshold.chosenOn)).toEqual([
    'training documents',
    'these documents'
  ])
  expect(figures.tagging.atThreshold.threshold).toBe(model.wordModel.threshold)
})

test('evaluate(...).labelsWorth lies on the curve of the predictors with labels, with an interval; without two there is none', () => {
  const model = tinyModel()
  const corpus = drawCorpus(model, 200, wholeTruth)
  /** The true posteriors with noise: fewer labels, more noise. */
  const learned = (labelled: number, noise: number) => {
    const random = rng(labelled)
    const {posterior, ...rest} = createPredictor(model)
    const blurred = (p: number) => (p + noise * random.next()) / (1 + noise)
    return {...rest, labelled, posterior: (evidence: Evidence) => Array.from(posterior(evidence), blurred)}
  }
  const curve = {few: learned(100, 5), more: learned(1000, 0.5)}
  const {baselines, labelsWorth, ...own} = evaluate(model, corpus, undefined, {...curve, all: learned(5000, 0)})
  expect(labelsWorth).toMatchObject({least: 100, most: 5000, value: 5000, high: 5000})
  expect([baselines.few.labelled, baselines.prior.labelled, own.labelled]).toEqual([100, undefined, undefined])
  const worse = evaluate(model, corpus, undefined, {few: learned(100, 0), more: learned(1000, 0)}).labelsWorth
  expect(worse).toEqual({least: 100, most: 1000, value: 100, low: 100, high: 100})
  expect(evaluate(model, corpus, undefined, {few: learned(100, 5)}).labelsWorth).toBeUndefined()
})

const prevalences = [0.3, 0.05, 0.6, 0.2]

/** Four concepts with edges, words and anchors: all that the baselines must not look at is there. */
function example() {
  const model = withPrevalences(
    randomModel(rng(4), {conceptCount: 4, wordCount: 12, parentLimit: 2, density: 0.5}),
    prevalences
  )
  const documents = Array.from({length: 20}, (_, at) => randomDocument(directed(model), rng(at)))
  return {model, documents}
}

test('simpleBaselines(...) are the prevalences, and the rule of Bayes on each anchor alone; last tags are ranked by them', () => {
  const {model, documents} = example()
  const {prior, 'anchors-only': anchorsOnly} = simpleBaselines(model)
  for (const {evidence, y} of documents) {
    const before = prevalences.map(logOdds)
    const after = model.concepts.map(({truePositive: t, falsePositive: e}, i) => {
      return before[i] + (evidence.anchors.includes(i) ? Math.log(t / e) : Math.log((1 - t) / (1 - e)))
    })
    for (const [baseline, odds] of [
      [prior, before],
      [anchorsOnly, after]
    ] as const) {
      const probabilities = Array.from(baseline.posterior(evidence))
      expect(probabilities).toEqual(odds.map(own => expect.closeTo(1 / (1 + Math.exp(-own)), 12)))
      const scores = Array.from(baseline.lastTag(evidence, [2]))
      expect(scores[2]).toBe(Number.NEGATIVE_INFINITY)
      // Between candidates only the log-odds differ.
      for (const i of [1, 3]) expect(scores[i] - scores[0]).toBeCloseTo(odds[i] - odds[0], 10)
      const plain = prevalences.reduce((sum, p, i) => sum + Math.log(y[i] === 1 ? p : 1 - p), 0)
      expect(baseline.logTags(y)).toBeCloseTo(plain, 12)
    }
  }
})

test('simpleBaselines(...) stay finite for concepts that are never or always there', () => {
  const model = withPrevalences(example().model, [0, 1, 0.5, 0.5])
  for (const baseline of Object.values(simpleBaselines(model))) {
    expect(Array.from(baseline.posterior(nothing)).every(p => p >= 0 && p <= 1)).toBe(true)
    expect(Number.isFinite(baseline.logTags([1, 0, 1, 0]))).toBe(true)
    for (const i of [0, 1, 3]) expect(Number.isFinite(baseline.lastTag(nothing, [2])[i])).toBe(true)
  }
})

function logOdds(p: number): number {
  return Math.log(p / (1 - p))
}
