import {describe, expect, test} from 'vitest'
import {logPrior} from '../../base/network/index.ts'
import {grouped} from '../../base/text/index.ts'
import {infer} from '../../learn/inference/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {createLastTagScorer} from '../prediction/index.ts'
import type {Baseline} from './baseline.ts'
import {corpusOf, learnableModel} from './test-corpora.ts'
import {anchorsInNetwork, trainBaselines} from './train-baselines.ts'

const model = learnableModel()
const {concepts} = model
const corpus = corpusOf(model, 1500)
const fresh = corpusOf(model, 500, 9)
const quick = {ridges: [1], tolerance: 1e-3}
const baselines = trainBaselines(corpus, concepts, quick)

/** Mean squared error of the posteriors. */
function brier({posterior}: Pick<Baseline, 'posterior'>, {documents}: Corpus): number {
  let sum = 0
  let count = 0
  for (const document of documents)
    Array.from(posterior(document)).forEach((p, i) => {
      sum += (p - (document.labels?.[i] ?? Number.NaN)) ** 2
      count++
    })
  return sum / count
}

describe('trainBaselines', () => {
  test('trainBaselines(...) answers every question with one number a concept', () => {
    for (const baseline of Object.values(baselines))
      for (const document of fresh.documents.slice(0, 20)) {
        const posterior = Array.from(baseline.posterior(document))
        expect(posterior.length).toBe(concepts.length)
        expect(posterior.every(p => p >= 0 && p <= 1)).toBe(true)
        const scores = Array.from(baseline.lastTag(document, [2]))
        expect(scores.map(Number.isFinite)).toEqual(concepts.map((_, i) => i !== 2))
        expect(baseline.logTags(document.labels ?? [])).toBeLessThan(0)
      }
  })

  test('trainBaselines(...) does not look at tags', () => {
    const untagged = {...corpus, documents: corpus.documents.map(document => ({...document, labels: undefined}))}
    const blind = trainBaselines(untagged, concepts, quick)
    const evidence = fresh.documents[0]
    for (const [name, baseline] of Object.entries(baselines))
      expect(
        Object.entries(blind)
          .find(([other]) => other === name)?.[1]
          .posterior(evidence)
      ).toEqual(baseline.posterior(evidence))
  })

  test('trainBaselines(...) that correct for missed anchors beat the anchor as label, and the rule beats no anchor', () => {
    const errors = new Map(Object.entries(baselines).map(([name, baseline]) => [name, brier(baseline, fresh)]))
    const of = (name: string) => errors.get(name) ?? Number.NaN
    const prior = brier({posterior: () => concepts.map(concept => concept.prevalence)}, fresh)
    for (const name of ['noise-unbiased', 'noise-weighted', 'positive-unlabelled']) {
      expect(of(name)).toBeLessThan(prior)
      expect(of(name)).toBeLessThan(of('anchor-label'))
      expect(of(`${name}-rule`)).toBeLessThan(of(name))
    }
    // On documents that the model itself drew, a noisy-or with a tree is the right thing, though learned from one draw.
    expect(of('imputation')).toBeLessThan(of('noise-unbiased-rule'))
  })

  test('trainBaselines(...) never shows a classifier the anchor of its own concept; the rule believes it alone', () => {
    const {words} = fresh.documents[0]
    for (const name of ['anchor-label', 'positive-unlabelled', 'noise-unbiased', 'noise-weighted'] as const)
      concepts.forEach((_, i) => {
        const [without, own] = [[], [i]].map(anchors => baselines[name].posterior({words, anchors, members: []})[i])
        expect(own).toBe(without)
        const {truePositive: t, falsePositive: e, prevalence: p} = concepts[i]
        const believed = baselines[`${name}-rule`].posterior({words, anchors: [i], members: []})[i]
        expect(believed).toBeCloseTo((t * p) / (t * p + e * (1 - p)), 10)
      })
  })

  test('trainBaselines(...) tells its progress up to the total, and stops when asked', () => {
    const seen: number[] = []
    let total = 0
    const few = {...corpus, documents: corpus.documents.slice(0, 150)}
    const onProgress = (done: number, all: number) => {
      seen.push(done)
      total = all
    }
    trainBaselines(few, concepts, {ridges: [1, 10], tolerance: 1e-2}, {onProgress})
    expect(seen).toEqual(Array.from({length: total}, (_, at) => at + 1))
    const stop = new AbortController()
    let fits = 0
    const abort = () => {
      fits++
      stop.abort()
    }
    expect(() => trainBaselines(few, concepts, quick, {signal: stop.signal, onProgress: abort})).toThrow(
      expect.objectContaining({code: 'cancelled'})
    )
    expect(fits).toBe(1)
  })

  test('trainBaselines(...) certifies the ridge and what was held out for it', () => {
    const few = {...corpus, documents: corpus.documents.slice(0, 150)}
    const chosen = trainBaselines(few, concepts, {ridges: [1, 50], tolerance: 1e-3})
    for (const name of ['anchor-label', 'noise-unbiased', 'noise-weighted-rule', 'imputation'] as const)
      expect(chosen[name].certificate.classifiers?.heldOut.length).toBe(2)
    expect(chosen['positive-unlabelled'].certificate.classifiers?.ridge).toBe(
      chosen['anchor-label'].certificate.classifiers?.ridge
    )
    expect(chosen.imputation.certificate.noisyOr?.status).toBe('optimal')
  })
})

describe('trainBaselines refuses or does without', () => {
  const change = (part: Partial<Concept>) => concepts.map((concept, i) => (i === 1 ? {...concept, ...part} : concept))

  test.each([
    [{name: 'other'}, 'mismatch', 'read the documents with the lexicon'],
    [{truePositive: 1}, 'bad-model', 'between 0 and 1 that differ']
  ])('trainBaselines(...) a concept with %o', (part, code, message) => {
    const attempt = () => trainBaselines(corpus, change(part), quick)
    expect(attempt).toThrow(message)
    expect(attempt).toThrow(expect.objectContaining({code}))
  })

  test.each([
    [{truePositive: 0.01}, 'must fire more often with the concept than without'],
    [{falsePositive: 0.55}, 'its rates imply 55% to'],
    [{truePositive: 0.1}, 'its rates imply 3.2% to 10%']
  ])('trainBaselines(...) has only the prevalence of a concept with %o, and says so', (part, reason) => {
    const {'noise-weighted': found} = trainBaselines(corpus, change(part), quick)
    expect(found.certificate.untrained).toEqual([{concept: concepts[1].name, reason: expect.stringContaining(reason)}])
    expect(found.posterior(fresh.documents[0])[1]).toBeCloseTo(change(part)[1].prevalence, 12)
  })

  test('trainBaselines(...) has only the prevalence of a concept whose anchor fires once, and says so', () => {
    const some = corpus.documents.filter(({anchors}) => !anchors.includes(1))
    const one = corpus.documents.filter(({anchors}) => anchors.includes(1)).slice(0, 1)
    const rates = change({falsePositive: 1e-6, truePositive: 0.5})
    const found = trainBaselines({...corpus, documents: [...some, ...one]}, rates, quick)
    for (const name of ['anchor-label', 'noise-weighted', 'noise-unbiased-rule', 'positive-unlabelled'] as const) {
      expect(found[name].certificate.untrained).toEqual([
        {
          concept: concepts[1].name,
          reason: `its anchor fires in 1 of ${grouped(some.length + 1)} training documents, and a classifier needs 2 with and 2 without`
        }
      ])
      expect(found[name].posterior(some[0])[1]).toBeCloseTo(rates[1].prevalence, 12)
      expect(new Set(some.slice(0, 20).map(other => found[name].posterior(other)[0])).size).toBeGreaterThan(1)
    }
  })

  test.each([
    [{ridges: []}, '`ridges` must be a list of one or more numbers above 0; got []'],
    [{ridges: [1, 0]}, '`ridges` must be a list of one or more numbers above 0; got [1,0]'],
    [{seed: 0.5}, '`seed` must be'],
    [{tolerance: 0}, '`tolerance` must be'],
    [JSON.parse('{"ridge": 1}'), 'did you mean "ridges"?']
  ])('trainBaselines(..., %o)', (options, message) => {
    expect(() => trainBaselines(corpus, concepts, options)).toThrow(message)
  })
})

test('anchorsInNetwork(...) is the model with its words hidden', () => {
  const baseline = anchorsInNetwork(corpus, concepts, model.network)
  for (const document of fresh.documents.slice(0, 50)) {
    const {probabilities} = infer(model, document, {words: 'hidden'})
    Array.from(baseline.posterior(document)).forEach((p, i) => {
      expect(p).toBeCloseTo(probabilities[i], 10)
    })
    const scores = createLastTagScorer(model, {words: 'hidden'}).score(document, [0])
    Array.from(baseline.lastTag(document, [0])).forEach((score, i) => {
      if (i > 0) expect(score).toBeCloseTo(scores[i], 9)
    })
    expect(baseline.logTags(document.labels ?? [])).toBe(logPrior(model.network, document.labels ?? []))
  }
})
