import {describe, expect, it} from 'vitest'
import type {Corpus} from '../data/index.ts'
import {logJoint} from '../inference/index.ts'
import type {Model} from '../model/index.ts'
import {anchorScores} from './anchor-score.ts'
import {type Candidate, chooseCandidate} from './choose-candidate.ts'
import {refine, runEm} from './index.ts'
import {disturbed, drawCorpus, failureError, smallModel} from './test-corpora.ts'
import {weakenWords} from './weaken-words.ts'

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
    const plain = documents.map(({evidence: {words, anchors}}) => {
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
})

describe('weakenWords(...)', () => {
  it('weakenWords(...) keeps how often words occur when concepts are independent, and takes their voice', () => {
    const model = smallModel(5, 3, 6)
    const frequency = ({latents, loadings: {failure, leak, wordCount}}: Model, j: number) =>
      1 -
      latents.reduce((off, {prevalence}, i) => off * (1 - prevalence * (1 - failure[i * wordCount + j])), 1 - leak[j])
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
})

describe('refine(...)', () => {
  const truth = smallModel(41, 5, 30)
  const corpus = drawCorpus(truth, 400, 42)

  it('refine(...) improves a bad start on documents of the model, by its score and by the true failures', () => {
    const start = disturbed(truth, 43, 0.8)
    const {model, steps, scores} = refine(start, corpus, {steps: 3, startWeight: 0.2, strengths: []})
    expect(model).toEqual(runEm(start, corpus, {steps, startWeight: 0.2}).model)
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
    const chosen = refinement.scores.find(
      ({step, strength}) => step === refinement.steps && strength === refinement.strength
    )
    expect(refinement.strength).toBeLessThan(1)
    expect(chosen?.gain).toBeGreaterThan(0)
    expect(refinement.model.loadings.failure).not.toEqual(model.loadings.failure)
  })

  it('refine(...) returns the start itself when the start is the truth and nothing else is tried', () => {
    const found = refine(truth, corpus, {steps: 0, strengths: []})
    expect(found.model).toBe(truth)
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

  it('refine(...) refuses options that make no sense', () => {
    expect(() => refine(truth, corpus, {folds: 1})).toThrow(/"folds" must be a whole number from 2 .* got 1/)
    expect(() => refine(truth, corpus, {strengths: [1.5]})).toThrow(/"strengths" must be numbers above 0 and below 1/)
    expect(() => refine(truth, corpus, {standardErrors: -1})).toThrow(/"standardErrors" must be a number from 0 on/)
    expect(() => refine(truth, corpus, {samples: 0})).toThrow(/"samples" must be/)
  })
})

/** Every word written `times` over, as if each were a word of its own: the model is then too sure of itself. */
function repeated(model: Model, {documents}: Pick<Corpus, 'documents'>, times: number) {
  const {latentCount: m, wordCount: n, failure, leak} = model.loadings
  const loadings = {
    latentCount: m,
    wordCount: n * times,
    failure: Float64Array.from({length: m * n * times}, (_, cell) => {
      const j = cell % (n * times)
      return failure[Math.floor(cell / (n * times)) * n + (j % n)]
    }),
    leak: Float64Array.from({length: n * times}, (_, j) => leak[j % n])
  }
  const twice = documents.map(document => {
    const words = Array.from({length: times}, (_, time) => document.evidence.words.map(j => time * n + j)).flat()
    return {...document, evidence: {...document.evidence, words}}
  })
  return {model: {...model, loadings}, twice: {documents: twice}}
}
