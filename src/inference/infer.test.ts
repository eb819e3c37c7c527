import {readFileSync} from 'node:fs'
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import type {Evidence} from '../data/index.ts'
import {rng} from '../numeric/index.ts'
import {createInference, infer} from './index.ts'
import {describePosterior} from './posterior.contract.ts'
import {
  composeTestModel,
  goldenModel,
  largestDifference,
  onBits,
  plainPosterior,
  randomDocument,
  randomModel
} from './test-models.ts'

// Sums in another order: 2^7 states, log weights of some tens of nats.
describePosterior({method: 'exact', accuracy: 1e-11, renumbering: 1e-11})
// The Bethe approximation: 0.09 is the worst of the suite's 32 comparisons. Renumbering: both answers are within 1e-9.
describePosterior({method: 'message-passing', options: {tolerance: 1e-10}, accuracy: 0.12, renumbering: 1e-8})
// Four chains of 1,000 sweeps: the largest standard error is below 0.008; 5 of them, and sqrt(2) more for two runs.
describePosterior({method: 'gibbs', accuracy: 0.04, renumbering: 0.057})

describe.each(['m4', 'm8'])('infer(...) on the golden model %s', name => {
  const golden = JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8'))
  const model = goldenModel(golden.truth)

  it.each(golden.documents as GoldenDocument[])('infer(...) gives the posteriors of document $x $a', document => {
    const evidence: Evidence = {words: onBits(document.x), anchors: onBits(document.a), members: []}
    const posterior = infer(model, evidence, {method: 'exact'})
    expect(posterior.logEvidence).toBeCloseTo(document.logEvidence, 9)
    expect(largestDifference(posterior.probabilities, document.posteriorMarginals)).toBeLessThan(1e-9)
    const anchorsOnly = infer(model, evidence, {method: 'exact', words: 'hidden'})
    expect(largestDifference(anchorsOnly.probabilities, document.anchorsOnlyMarginals)).toBeLessThan(1e-9)
    const wordsOnly = infer(model, evidence, {method: 'exact', anchors: 'hidden'})
    expect(largestDifference(wordsOnly.probabilities, document.wordsOnlyMarginals)).toBeLessThan(1e-9)
  })

  it.each(golden.documents as GoldenDocument[])('infer(...) by messages is exact without words, $a', document => {
    const evidence: Evidence = {words: onBits(document.x), anchors: onBits(document.a), members: []}
    const {probabilities, certificate} = infer(model, evidence, {method: 'message-passing', words: 'hidden'})
    expect(largestDifference(probabilities, document.anchorsOnlyMarginals)).toBeLessThan(1e-9)
    expect(certificate).toMatchObject({status: 'converged', steps: 1})
  })
})

interface GoldenDocument {
  readonly x: string
  readonly a: string
  readonly logEvidence: number
  readonly posteriorMarginals: readonly number[]
  readonly anchorsOnlyMarginals: readonly number[]
  readonly wordsOnlyMarginals: readonly number[]
}

describe('infer(...)', () => {
  it('infer(...) by enumeration equals the plain sum, evidence included, on any small model', () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.nat(),
          latentCount: fc.integer({min: 1, max: 6}),
          wordCount: fc.integer({min: 0, max: 10}),
          parentLimit: fc.integer({min: 0, max: 3}),
          density: fc.constantFrom(0, 0.2, 0.6, 1),
          knownShare: fc.constantFrom(0, 0.4, 1)
        }),
        ({seed, knownShare, ...shape}) => {
          const model = randomModel(rng(seed), shape)
          const random = rng(seed).stream('document')
          const {evidence, y} = randomDocument(model, random)
          const known = Array.from(y, tag => (random.next() < knownShare ? tag : -1))
          const posterior = infer(model, evidence, {method: 'exact', known})
          const plain = plainPosterior(model, evidence, {known})
          expect(posterior.logEvidence).toBeCloseTo(plain.logEvidence, 9)
          expect(largestDifference(posterior.probabilities, plain.probabilities)).toBeLessThan(1e-10)
        }
      ),
      {numRuns: 60}
    )
  })

  it('infer(...) by messages is exact on a forest without words, and on independent concepts with one word', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({min: 1, max: 7}), fc.boolean(), (seed, latentCount, tree) => {
        const shape = {latentCount, wordCount: 6, parentLimit: tree ? 1 : 0, density: 0.6}
        const model = randomModel(rng(seed), shape)
        const {evidence} = randomDocument(model, rng(seed).stream('document'))
        const asked = {...evidence, words: tree ? [] : [seed % 6]}
        const {probabilities} = infer(model, asked, {method: 'message-passing'})
        expect(largestDifference(probabilities, plainPosterior(model, asked).probabilities)).toBeLessThan(1e-9)
      })
    )
  })

  it('infer(...) by messages is exact on a polytree, where a concept has two parents but no loop', () => {
    const parents = [[], [], [0, 1], [2], [], [4, 2]]
    const random = rng(3)
    const cpt = parents.map(list => Float64Array.from({length: 2 ** list.length}, () => 0.05 + 0.9 * random.next()))
    const rates = parents.map((_, i) => ({truePositive: 0.5 + 0.05 * i, falsePositive: 0.1}))
    const model = composeTestModel(rates, {parents, cpt}, {failure: parents.map(() => [0.5, 0.9]), leak: [0.1, 0.2]})
    const evidence = {words: [], anchors: [0, 3, 5], members: []}
    const {probabilities} = infer(model, evidence, {method: 'message-passing', tolerance: 1e-12})
    expect(largestDifference(probabilities, plainPosterior(model, evidence).probabilities)).toBeLessThan(1e-9)
  })

  it('infer(...) by messages is within a mean of 0.002 and 0.2 at most of enumeration on 200 realistic models', () => {
    // Ten concepts, a tree, 100 words of which 15% hang on a concept, weakly; about ten words a document. Measured: mean
    // 0.0016, largest 0.154 (one document in which two concepts explain the same words equally well).
    let sum = 0
    let top = 0
    for (let seed = 0; seed < 200; seed++) {
      const shape = {latentCount: 10, wordCount: 100, parentLimit: 1, density: 0.15, weakest: 0.75}
      const model = randomModel(rng(seed), shape)
      const {evidence} = randomDocument(model, rng(seed).stream('document'))
      const {probabilities, certificate} = infer(model, evidence, {method: 'message-passing'})
      const exact = infer(model, evidence, {method: 'exact'})
      expect(certificate.status).toBe('converged')
      top = Math.max(top, largestDifference(probabilities, exact.probabilities))
      for (let i = 0; i < 10; i++) sum += Math.abs(probabilities[i] - exact.probabilities[i]) / 2000
    }
    console.log({sum, top})
    expect(sum).toBeLessThan(0.002)
    expect(top).toBeLessThan(0.2)
  })
})

describe('createInference(...)', () => {
  const model = randomModel(rng(1), {latentCount: 12, wordCount: 30, parentLimit: 1, density: 0.3})
  const {evidence} = randomDocument(model, rng(2))

  it('createInference(...) enumerates few unknown concepts and passes messages beyond', () => {
    const automatic = createInference(model)
    expect(automatic.posterior(evidence).certificate.method).toBe('message-passing')
    const known = Int8Array.from({length: 12}, (_, i) => (i < 2 ? 0 : -1))
    expect(automatic.posterior(evidence, known).certificate.method).toBe('exact')
    expect(createInference(model, {exactLimit: 12}).posterior(evidence).certificate.method).toBe('exact')
  })

  it('createInference(...) by messages reports the step limit, and how far it still moved', () => {
    const {certificate} = infer(model, evidence, {method: 'message-passing', stepLimit: 1, tolerance: 1e-12})
    expect(certificate).toMatchObject({status: 'step-limit', steps: 1})
    expect(certificate.method === 'message-passing' && certificate.residual > 1e-12).toBe(true)
  })

  it('createInference(...) by messages reaches the same point with damping', () => {
    const damped = infer(model, evidence, {method: 'message-passing', damping: 0.6, stepLimit: 300, tolerance: 1e-12})
    const slow = infer(model, evidence, {method: 'message-passing', damping: 0.6, stepLimit: 2, tolerance: 1e-12})
    const free = infer(model, evidence, {method: 'message-passing', tolerance: 1e-12})
    expect(largestDifference(damped.probabilities, free.probabilities)).toBeLessThan(1e-9)
    expect(largestDifference(slow.probabilities, free.probabilities)).toBeGreaterThan(1e-9)
  })

  it('createInference(...) by Gibbs states standard errors that cover the truth, and repeats for the same seed', () => {
    const exact = infer(model, evidence, {method: 'exact'}).probabilities
    const sample = infer(model, evidence, {method: 'gibbs', seed: 5})
    expect(sample.standardErrors).toHaveLength(12)
    const errors = sample.standardErrors ?? new Float64Array(12)
    // 5 standard errors each, and 1e-4 for concepts whose chains hardly ever moved.
    for (let i = 0; i < 12; i++) expect(Math.abs(sample.probabilities[i] - exact[i])).toBeLessThan(5 * errors[i] + 1e-4)
    expect(sample.certificate).toMatchObject({status: 'sampled', steps: 4000, standardError: Math.max(...errors)})
    expect(infer(model, evidence, {method: 'gibbs', seed: 5})).toEqual(sample)
    expect(infer(model, evidence, {method: 'gibbs', seed: 6}).probabilities).not.toEqual(sample.probabilities)
  })

  it('createInference(...) reads documents of any length, one after another', () => {
    const wide = randomModel(rng(4), {latentCount: 6, wordCount: 500, parentLimit: 1, density: 0.9})
    const inference = createInference(wide, {method: 'message-passing', tolerance: 1e-10})
    const words = Array.from({length: 500}, (_, j) => j)
    const short = {words: [3, 17], anchors: [], members: []}
    const before = inference.posterior(short)
    for (const count of [70, 500, 200]) inference.posterior({words: words.slice(0, count), anchors: [], members: []})
    expect(inference.posterior(short)).toEqual(before)
  })
})
