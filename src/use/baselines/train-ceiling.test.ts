import {describe, expect, test} from 'vitest'
import {infer} from '../../learn/inference/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {corpusOf, learnableModel} from './test-corpora.ts'
import {trainBaselines} from './train-baselines.ts'
import {trainCeiling} from './train-ceiling.ts'

const model = learnableModel()
const {concepts} = model
const corpus = corpusOf(model, 3000)
const fresh = corpusOf(model, 500, 9)
const quick = {ridges: [1], tolerance: 1e-3}
const ceiling = trainCeiling(corpus, concepts, quick)

/** Mean squared error of the posteriors on fresh documents. */
function brier(posterior: (typeof ceiling)['supervised']['posterior']): number {
  let sum = 0
  for (const document of fresh.documents)
    Array.from(posterior(document)).forEach((p, i) => {
      sum += (p - (document.labels?.[i] ?? Number.NaN)) ** 2
    })
  return sum / (fresh.documents.length * concepts.length)
}

describe('trainCeiling', () => {
  test('trainCeiling(...) lies between the model that drew the documents and those that see no tags', () => {
    const own = brier(evidence => infer(model, evidence).probabilities)
    const blind = brier(trainBaselines(corpus, concepts, quick)['noise-unbiased-rule'].posterior)
    for (const name of ['supervised', 'oracle-ml-tree', 'oracle-ml-independent'] as const) {
      expect(brier(ceiling[name].posterior)).toBeGreaterThan(own)
      expect(brier(ceiling[name].posterior)).toBeLessThan(blind)
    }
    // The words of a noisy-or and a tree are the truth here.
    expect(brier(ceiling['oracle-ml-tree'].posterior)).toBeLessThan(brier(ceiling.supervised.posterior))
  })

  test('trainCeiling(...) regresses on all labelled documents, and on fewer as far as there are so many', () => {
    const learned = Object.entries(ceiling).flatMap(([name, {labelled}]) =>
      labelled === undefined ? [] : [[name, labelled]]
    )
    const sizes = [100, 500, 1000, 2000]
    expect(learned).toEqual([...sizes.map(size => [`supervised-${size}`, size]), ['supervised', 3000]])
    const few = {...corpus, documents: corpus.documents.slice(0, 500)}
    expect(Object.keys(trainCeiling(few, concepts, quick)).slice(0, 2)).toEqual(['supervised-100', 'supervised'])
    expect(brier(ceiling.supervised.posterior)).toBeLessThan(brier(ceiling['supervised-100']?.posterior ?? (() => [])))
  })

  test('trainCeiling(...).supervised is ridge regression on idf in documents of length 1', () => {
    const {lexicon, documents} = corpus
    const n = lexicon.words.length
    const columnsOf = ({words, anchors}: Evidence) => [...words, ...anchors.map(i => n + i)]
    const frequencies = new Float64Array(n + concepts.length)
    for (const document of documents) for (const j of columnsOf(document)) frequencies[j]++
    const idf = frequencies.map(count => Math.log((1 + documents.length) / (1 + count)) + 1)
    /** x of a document, written out. */
    const dense = (document: Evidence) => {
      const x = new Float64Array(idf.length)
      for (const j of columnsOf(document)) x[j] = idf[j]
      const length = Math.hypot(...x) || 1
      return x.map(value => value / length)
    }
    const {posterior} = trainCeiling(corpus, concepts, {ridges: [2], tolerance: 1e-7}).supervised
    const rows = documents.map(document => ({
      x: dense(document),
      p: posterior(document)[0],
      y: document.labels?.[0] ?? 0
    }))
    // At the minimum sum_d (y_d - p_d) x_d = ridge w, so log-odds are b + x . sum_d (y_d - p_d) x_d / ridge.
    const weights = idf.map((_, j) => rows.reduce((sum, {x, p, y}) => sum + (y - p) * x[j], 0) / 2)
    const [zero, ...others] = fresh.documents.slice(0, 20).map(document => {
      const p = posterior(document)[0]
      return Math.log(p / (1 - p)) - dense(document).reduce((sum, value, j) => sum + value * weights[j], 0)
    })
    for (const bias of others) expect(bias).toBeCloseTo(zero, 2)
  })

  test('trainCeiling(...) leaves out documents whose tags are not all known', () => {
    const known = {...corpus, documents: corpus.documents.slice(0, 400)}
    const partly = corpus.documents.slice(400, 800).map(document => ({
      ...document,
      labels: document.labels?.map((tag, i) => (i === 0 ? -1 : 1 - tag))
    }))
    const unknown = corpus.documents.slice(800, 900).map(document => ({...document, labels: undefined}))
    const both = {...corpus, documents: [...known.documents, ...partly, ...unknown]}
    const evidence = fresh.documents[0]
    const [few, same] = [known, both].map(given => trainCeiling(given, concepts, quick))
    for (const name of ['supervised', 'oracle-ml-tree', 'oracle-ml-independent'] as const)
      expect(same[name].posterior(evidence)).toEqual(few[name].posterior(evidence))
  })

  test('trainCeiling(...) refuses documents without tags, and has only the prevalence of a tag that no document has', () => {
    const untagged = {...corpus, documents: corpus.documents.map(document => ({...document, labels: undefined}))}
    expect(() => trainCeiling(untagged, concepts)).toThrow('give tagged documents, or leave it out')
    const rare = corpus.documents.map(document => ({
      ...document,
      labels: document.labels?.map((tag, i) => (i === 1 ? 0 : tag))
    }))
    const {supervised} = trainCeiling({...corpus, documents: rare}, concepts, quick)
    expect(supervised.certificate.untrained?.map(({concept}) => concept)).toEqual([concepts[1].name])
    expect(supervised.posterior(rare[0])[1]).toBeCloseTo(0.5 / 3001, 12)
  })
})
