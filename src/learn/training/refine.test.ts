import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import type {Corpus} from '../../read/data/index.ts'
import {logJoint} from '../../use/prediction/index.ts'
import {loadModel, type Model, saveModel} from '../model/index.ts'
import {anchorScores, type Candidate, chooseCandidate, compare, weakenWords} from './candidates.ts'
import {refineDefaults} from './options.ts'
import {type RefineProgress, refine} from './refine.ts'
import {runEm} from './run-em.ts'
import {disturbed, drawCorpus, failureError, smallModel} from './test-corpora.ts'

describe('anchorScores(...)', () => {
  it('anchorScores(...) equals log P(anchor | everything else) by enumeration', () => {
    const model = smallModel(1, 4, 8)
    const {documents} = drawCorpus(model, 20, 2)
    const evidenceOf = (words: readonly number[], anchors: readonly number[]) => {
      let sum = 0
      for (let state = 0; state < 16; state++)
        sum += Math.exp(
          logJoint(
            model,
            {words, anchors, members: []},
            [0, 1, 2, 3].map(i => (state >> i) & 1)
          )
        )
      return sum
    }
    const plain = documents.map(({words, anchors}) => {
      let score = 0
      for (let i = 0; i < 4; i++) {
        const other = anchors.includes(i) ? anchors.filter(k => k !== i) : [...anchors, i].toSorted((a, b) => a - b)
        const own = evidenceOf(words, anchors)
        score += Math.log(own / (own + evidenceOf(words, other)))
      }
      return score
    })
    anchorScores(model, documents).forEach((score, d) => {
      expect(score).toBeCloseTo(plain[d], 8)
    })
  })

  it('anchorScores(...) is lower for a model whose concepts have swapped their words', () => {
    const model = smallModel(3, 4, 12)
    const {documents} = drawCorpus(model, 300, 4)
    const {failure} = model.loadings
    const swapped = {...model, loadings: {...model.loadings, failure: failure.map((_, at) => failure[(at + 12) % 48])}}
    const mean = (of: Model) => anchorScores(of, documents).reduce((sum, value) => sum + value / 300, 0)
    expect(mean(swapped)).toBeLessThan(mean(model) - 0.05)
  })

  it('anchorScores(...) is a number also for anchors that never fire without their concept, or never fail with it', () => {
    const model = smallModel(6, 3, 8)
    const {documents} = drawCorpus(model, 50, 7)
    const sure = model.concepts.map(concept => ({...concept, truePositive: 1, falsePositive: 0}))
    const nearly = model.concepts.map(concept => ({...concept, truePositive: 1 - 1e-5, falsePositive: 1e-5}))
    const found = anchorScores({...model, concepts: sure}, documents)
    // A surprise costs log 10 more when it is ten times as rare: at most one for each of the three anchors.
    anchorScores({...model, concepts: nearly}, documents).forEach((score, d) => {
      expect(Math.abs(found[d] - score)).toBeLessThan(3 * Math.log(10) + 0.01)
    })
  })
})

describe('weakenWords(...)', () => {
  it('weakenWords(...) keeps how often words occur when concepts are independent, and takes their voice', () => {
    const model = smallModel(5, 3, 6)
    const frequency = ({concepts, loadings: {failure, leak, wordCount}}: Model, j: number) =>
      1 -
      concepts.reduce((off, {prevalence}, i) => off * (1 - prevalence * (1 - failure[i * wordCount + j])), 1 - leak[j])
    const weak = weakenWords(model, 0.5)
    for (let j = 0; j < 6; j++) expect(frequency(weak, j)).toBeCloseTo(frequency(model, j), 12)
    weak.loadings.failure.forEach((f, cell) => {
      expect(f).toBeCloseTo(Math.sqrt(model.loadings.failure[cell]), 12)
    })
    expect(weakenWords(model, 1)).toBe(model)
  })
})

describe('chooseCandidate(...)', () => {
  const candidate = (step: number, strength: number, ...values: number[]): Candidate => ({
    step,
    strength,
    values: Float64Array.from(values)
  })
  const start = candidate(0, 1, -2, -4, -2, -4)

  const best = candidate(1, 1, -1, -3, -1, -3)
  const weak = candidate(1, 0.5, -1.9, -3.8, -1.9, -3.8)
  const later = candidate(2, 0.5, -1.8, -3.8, -1.9, -3.8)
  const noisy = candidate(0, 0.25, -1, -4.5, -2, -4)

  it('chooseCandidate(...) takes the weakest words that surely beat the start, then the best score', () => {
    expect(chooseCandidate([start, best, weak, noisy], 1)).toBe(weak)
    expect(chooseCandidate([start, best, weak, later, noisy], 1)).toBe(later)
    expect(chooseCandidate([start, later, weak, best], 1)).toBe(later)
    expect(chooseCandidate([start, best, weak, noisy], 0)).toBe(noisy)
  })

  it('chooseCandidate(...) keeps the start when nothing beats it', () => {
    expect(chooseCandidate([start, noisy], 1)).toBe(start)
    expect(chooseCandidate([start, candidate(0, 0.5, -2, -4.1, -2, -4.2)], 0)).toBe(start)
  })

  it('chooseCandidate(...) never takes what is worse than the start, nor what is not surely better', () => {
    const value = fc.double({min: -20, max: 0, noNaN: true})
    const values = fc.array(value, {minLength: 5, maxLength: 5})
    const other = fc.record({step: fc.nat(2), strength: fc.constantFrom(1, 0.7, 0.25), values})
    fc.assert(
      fc.property(values, fc.array(other, {maxLength: 6}), fc.constantFrom(0, 1, 2), (first, others, errors) => {
        const list = [candidate(0, 1, ...first), ...others.map(o => candidate(o.step, o.strength, ...o.values))]
        const chosen = chooseCandidate(list, errors)
        const {gain, gainError} = compare(chosen, list[0])
        expect(gain).toBeGreaterThanOrEqual(0)
        if (chosen !== list[0]) expect(gain).toBeGreaterThan(errors * gainError)
      })
    )
  })

  it('compare(...) gives mean and standard error of the score, and of the paired difference', () => {
    const {score, scoreError, gain, gainError} = compare(candidate(0, 1, -1, -3, -1, -5), start)
    expect([score, gain]).toEqual([-2.5, 0.5])
    // Deviations 1.5, -0.5, 1.5, -2.5 and 0.5, 0.5, 0.5, -1.5: root of their squares' sum, by the number of documents.
    expect(scoreError).toBeCloseTo(Math.sqrt(11) / 4, 12)
    expect(gainError).toBeCloseTo(Math.sqrt(3) / 4, 12)
  })
})

describe('refine(...)', () => {
  const truth = smallModel(41, 5, 30)
  const corpus = drawCorpus(truth, 400, 42)

  it('refine(...) improves a bad start on documents of the model, by its score and by the true failures', () => {
    const start = disturbed(truth, 43, 0.8)
    const {model, steps, scores} = refine(start, corpus, {steps: 3, startWeight: 0.2, strengths: []})
    expect(model.loadings).toEqual(runEm(start, corpus, {steps, startWeight: 0.2}).model.loadings)
    expect(steps).toBeGreaterThan(0)
    expect(scores).toHaveLength(4)
    expect(failureError(model, truth)).toBeLessThan(0.8 * failureError(start, truth))
    const held = drawCorpus(truth, 400, 44).documents
    const mean = (of: Model) => anchorScores(of, held).reduce((sum, value) => sum + value / 400, 0)
    expect(mean(model)).toBeGreaterThan(mean(start))
  })

  it('refine(...) weakens words that repeat each other, which plain EM cannot', () => {
    const {model, twice} = repeated(truth, corpus, 6)
    const refinement = refine(model, twice, {steps: 1})
    const em = {startWeight: refineDefaults.startWeight}
    const chosen = refinement.scores.find(
      ({step, strength}) => step === refinement.steps && strength === refinement.strength
    )
    expect(refinement.strength).toBeLessThan(1)
    expect(chosen?.gain).toBeGreaterThan(0)
    const {steps, strength} = refinement
    const followed = steps === 0 ? model : runEm(model, twice, {...em, steps}).model
    expect(refinement.model.loadings).toEqual(weakenWords(followed, strength).loadings)
  })

  it('refine(...) returns the start itself when the start is the truth and nothing else is tried', () => {
    const found = refine(truth, corpus, {steps: 0, strengths: []})
    const {certificate, ...model} = found.model
    expect({...model, certificate: truth.certificate}).toEqual(truth)
    expect(model.loadings).toBe(truth.loadings)
    expect(certificate.refinement).toMatchObject({steps: 0, strength: 1, candidates: 1, chosen: {gain: 0}})
    expect([found.steps, found.strength, found.trace]).toEqual([0, 1, undefined])
  })

  it('refine(...) starts every fold from a model that has not seen it, repeats, and refuses another shape', () => {
    const sizes: number[] = []
    const startFrom = (documents: Corpus['documents']) => {
      sizes.push(documents.length)
      return truth
    }
    const run = () => refine(truth, corpus, {steps: 1, folds: 4, strengths: []}, {startFrom})
    expect(run()).toEqual(run())
    expect(sizes).toEqual(new Array(8).fill(300))
    expect(() => refine(truth, corpus, {}, {startFrom: () => smallModel(1)})).toThrow(
      /must have the model's 5 concepts and 30 words; got 4 and 10/
    )
  })

  it('refine(...) writes what it chose, and why, into a model that keeps all else, also through its file', () => {
    const start = {...disturbed(truth, 45), certificate: {moments: {gap: 0}}}
    const {model, steps, strength, scores} = refine(start, corpus, {steps: 1, strengths: [0.5], seed: 7})
    const {seed: _, ...rest} = refineDefaults
    expect(model.certificate).toEqual({
      moments: {gap: 0},
      refinement: {
        steps,
        strength,
        documents: 400,
        candidates: 4,
        start: scores[0],
        chosen: scores.find(score => score.step === steps && score.strength === strength),
        seed: 7,
        options: {...rest, steps: 1, strengths: [0.5]}
      }
    })
    expect(steps).toBe(1)
    expect({...model, loadings: 0, certificate: 0}).toEqual({...start, loadings: 0, certificate: 0})
    expect(loadModel(saveModel(model), 'refined.json')).toStrictEqual(model)
  })

  it('refine(...) is never worse than its start by its score, whatever the start', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.constantFrom(0, 0.5, 0.9), (seed, size) => {
        const model = smallModel(seed, 3, 8)
        const start = disturbed(model, seed, size)
        const {certificate} = refine(start, drawCorpus(model, 60, seed + 1), {steps: 1, strengths: [0.5]}).model
        const {chosen, candidates} = certificate.refinement
        expect(candidates).toBe(4)
        expect(chosen.gain).toBeGreaterThanOrEqual(chosen.gainError)
      }),
      {numRuns: 12}
    )
  })

  it('refine(...) tells every step of every fold, and of the run on all documents', () => {
    const told: RefineProgress[] = []
    const onProgress = (progress: RefineProgress) => told.push(progress)
    const start = disturbed(truth, 43, 0.8)
    const {steps} = refine(start, corpus, {steps: 1, folds: 2, strengths: []}, {onProgress})
    expect(steps).toBe(1)
    expect(told.map(({fold, step}) => `${fold} ${step}`)).toEqual(['0 0', '0 1', '1 0', '1 1', '2 0', '2 1'])
    expect(told.every(({folds, steps: all}) => folds === 2 && all === 1)).toBe(true)
  })

  it('refine(...) refuses options that make no sense', () => {
    expect(() => refine(truth, corpus, {folds: 1})).toThrow(/`folds` must be a whole number from 2 .* got 1/)
    expect(() => refine(truth, corpus, {strengths: [1.5]})).toThrow(/`strengths` must be numbers above 0 and below 1/)
    expect(() => refine(truth, corpus, {standardErrors: -1})).toThrow(/`standardErrors` must be a number, at least 0/)
    expect(() => refine(truth, corpus, {samples: 0})).toThrow(/`samples` must be/)
  })
})

/** Every word written `times` over, as if each were a word of its own: the model is then too sure of itself. */
function repeated(model: Model, {documents}: Pick<Corpus, 'documents'>, times: number) {
  const {conceptCount: m, wordCount: n, failure, leak} = model.loadings
  const loadings = {
    conceptCount: m,
    wordCount: n * times,
    failure: Float64Array.from({length: m * n * times}, (_, cell) => {
      const j = cell % (n * times)
      return failure[Math.floor(cell / (n * times)) * n + (j % n)]
    }),
    leak: Float64Array.from({length: n * times}, (_, j) => leak[j % n])
  }
  const twice = documents.map(document => {
    const words = Array.from({length: times}, (_, time) => document.words.map(j => time * n + j)).flat()
    return {...document, words}
  })
  return {model: {...model, loadings}, twice: {documents: twice}}
}
