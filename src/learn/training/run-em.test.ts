import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {countCorpus} from '../../read/counts/index.ts'
import {fit} from '../fit.ts'
import type {Model} from '../model/index.ts'
import {runEm} from './run-em.ts'
import {disturbed, drawCorpus, failureError, meanLogLikelihood, plainLogEvidence, smallModel} from './test-corpora.ts'

describe('runEm(...) with an exact E-step', () => {
  it('runEm(...) never lowers the log-likelihood, which equals enumeration of the joint', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.constantFrom(0, 0.5), (seed, startWeight) => {
        const start = disturbed(smallModel(seed), seed + 1)
        const corpus = drawCorpus(smallModel(seed), 30, seed + 2)
        const {model, trace} = runEm(start, corpus, {steps: 4, startWeight})
        expect(trace.eStep).toBe('exact')
        let before = Number.NEGATIVE_INFINITY
        for (const {bound, penalty, logLikelihood} of trace.steps) {
          expect(bound - penalty).toBeGreaterThanOrEqual(before - 1e-9)
          expect(logLikelihood).toBe(bound)
          before = bound - penalty
        }
        expect(trace.steps[0].bound).toBeCloseTo(meanLogLikelihood(start, corpus), 9)
        expect(trace.steps[4].bound).toBeCloseTo(meanLogLikelihood(model, corpus), 9)
        expect(trace.steps[4].bound).toBeGreaterThan(trace.steps[0].bound)
      }),
      {numRuns: 8}
    )
  })

  it('runEm(...) states the rise of the bound with its standard error over the documents', () => {
    const start = disturbed(smallModel(8), 9)
    const corpus = drawCorpus(smallModel(8), 50, 10)
    const {model, trace} = runEm(start, corpus, {steps: 1})
    const rises = corpus.documents.map(
      document => plainLogEvidence(model, document) - plainLogEvidence(start, document)
    )
    const mean = rises.reduce((sum, rise) => sum + rise, 0) / 50
    const variance = rises.reduce((sum, rise) => sum + (rise - mean) ** 2, 0) / 50
    expect(trace.steps[1].rise).toBeCloseTo(mean, 9)
    expect(trace.steps[1].riseError).toBeCloseTo(Math.sqrt(variance / 50), 9)
  })

  it('runEm(...) comes nearer to the true failures, and nearer still with more documents', () => {
    const truth = smallModel(11, 3, 8)
    const start = disturbed(truth, 12)
    const error = (count: number) => {
      const {model} = runEm(start, drawCorpus(truth, count, 13), {steps: 30})
      return failureError(model, truth)
    }
    const [few, many] = [error(150), error(2400)]
    expect(many).toBeLessThan(0.35 * failureError(start, truth))
    // Sixteen times the documents: a quarter of the error, with room for chance and for steps not taken.
    expect(many).toBeLessThan(0.6 * few)
  })

  it('runEm(...) lowers the error of the failures that the moments give', async () => {
    const truth = smallModel(51, 4, 16)
    const {documents} = drawCorpus(truth, 1500, 52)
    const anchors = truth.lexicon.anchors.map((anchor, i) => {
      const {truePositive, falsePositive} = truth.concepts[i]
      return {...anchor, rates: {kind: 'rates' as const, truePositive, falsePositive}}
    })
    const counts = countCorpus({lexicon: {...truth.lexicon, anchors}, documents})
    const moments = await fit(counts, {preset: 'paper', shrinkage: '10/N', wordShrinkage: '10/N', leakFloor: 0.1})
    const {model} = runEm(moments, {documents}, {steps: 10})
    expect(failureError(model, truth)).toBeLessThan(0.8 * failureError(moments, truth))
  })

  it('runEm(...) stays near the start when the start weighs much', () => {
    const truth = smallModel(5)
    const start = disturbed(truth, 6)
    const corpus = drawCorpus(truth, 200, 7)
    const moved = [0, 1, 1e6].map(startWeight =>
      failureError(runEm(start, corpus, {steps: 5, startWeight}).model, start)
    )
    expect(moved[0]).toBeGreaterThan(moved[1])
    expect(moved[1]).toBeGreaterThan(100 * moved[2])
  })
})

describe('runEm(...) with a Gibbs E-step', () => {
  const truth = smallModel(21, 4, 12)
  const start = disturbed(truth, 22)
  const corpus = drawCorpus(truth, 300, 23)

  it('runEm(...) raises the bound within its stated error, and the bound stays below the log-likelihood', () => {
    const {model, trace} = runEm(start, corpus, {steps: 6, eStep: 'gibbs'})
    expect(trace.eStep).toBe('gibbs')
    for (const {step, bound, rise, riseError, logLikelihood = Number.NaN} of trace.steps) {
      // Five standard errors over the documents.
      if (step > 0) expect(rise).toBeGreaterThan(-5 * riseError)
      expect(bound).toBeLessThan(logLikelihood)
    }
    const likelihood = trace.steps.map(({logLikelihood = Number.NaN}) => logLikelihood)
    expect(likelihood[6]).toBeGreaterThan(likelihood[0] + 0.1)
    expect(likelihood[6]).toBeCloseTo(meanLogLikelihood(model, corpus), 9)
  })

  it('runEm(...) goes where the exact E-step goes', () => {
    const exact = runEm(start, corpus, {steps: 3, eStep: 'exact'}).model
    const sampled = runEm(start, corpus, {steps: 3, eStep: 'gibbs', samples: 100, burnIn: 10}).model
    const moved = failureError(start, exact)
    expect(moved).toBeGreaterThan(0.05)
    // 300 documents with 100 draws each: chance is far below a tenth of the way.
    expect(failureError(sampled, exact)).toBeLessThan(0.1 * moved)
  })

  it('runEm(...) repeats for the same seed, differs for another, and leaves its input alone', () => {
    const before = start.loadings.failure.slice()
    const run = (seed: number) => runEm(start, corpus, {steps: 2, eStep: 'gibbs', seed})
    const first = run(1)
    expect(run(1)).toEqual(first)
    expect(run(2).model.loadings.failure).not.toEqual(first.model.loadings.failure)
    expect(start.loadings.failure).toEqual(before)
    const {loadings: _, ...kept} = first.model
    const {loadings: __, ...given} = start
    expect(kept).toEqual(given)
  })

  it('runEm(...) works with words that only a concept can explain', () => {
    const {failure, leak, wordCount} = truth.loadings
    const bare = leak.map((l, j) => (failure.some((f, cell) => cell % wordCount === j && f < 1) ? 0 : l))
    const noLeaks: Model = {...truth, loadings: {...truth.loadings, leak: bare}}
    const {model, trace} = runEm(disturbed(noLeaks, 3), drawCorpus(noLeaks, 200, 4), {steps: 3, eStep: 'gibbs'})
    for (const {bound} of trace.steps) expect(Number.isFinite(bound)).toBe(true)
    bare.forEach((l, j) => {
      if (l === 0) expect(model.loadings.leak[j]).toBe(0)
    })
  })
})

describe('runEm(...) and its caller', () => {
  const model = smallModel(31)
  const corpus = drawCorpus(model, 30, 32)

  it('runEm(...) traces what measure says, reports progress, and stops when asked to', () => {
    const seen: number[] = []
    const {trace} = runEm(
      model,
      corpus,
      {steps: 2},
      {
        measure: (_, step) => 10 * step,
        onProgress: ({step, steps}) => seen.push(step / steps)
      }
    )
    expect(trace.steps.map(({measured}) => measured)).toEqual([0, 10, 20])
    expect(trace.steps.map(({change}) => change > 0)).toEqual([false, true, true])
    expect(seen).toEqual([0, 0.5, 1])
    const stop = new AbortController()
    expect(() => runEm(model, corpus, {steps: 9}, {signal: stop.signal, onProgress: () => stop.abort()})).toThrow(
      /cancelled/
    )
  })

  it('runEm(...) refuses options, documents and models that it cannot use', () => {
    expect(() => runEm(model, corpus, {steps: -1})).toThrow(/`steps` must be a whole number, at least 0; got -1/)
    expect(() => runEm(model, corpus, {burnIn: 0})).toThrow(/`burnIn` must be a whole number, at least 1/)
    expect(() => runEm(model, {documents: []})).toThrow(/at least one document/)
    expect(() => runEm(smallModel(1, 13, 10), corpus, {eStep: 'exact'})).toThrow(/at most 12 concepts; got 13/)
    const [document] = corpus.documents
    const strange = {documents: [{...document, words: [999]}]}
    expect(() => runEm(model, strange)).toThrow(/document "0" has word or anchor 999/)
    const {loadings} = model
    const mute = {
      ...model,
      loadings: {...loadings, failure: loadings.failure.map(() => 1), leak: loadings.leak.map(() => 0)}
    }
    const spoken = {documents: [{...document, words: [0]}]}
    expect(() => runEm(mute, spoken)).toThrow(/word "word-0001", which no concept switches on and which has no leak/)
  })
})
