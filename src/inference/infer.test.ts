import {readFileSync} from 'node:fs'
import {describe, expect, it} from 'vitest'
import type {Evidence} from '../data/index.ts'
import {rng} from '../numeric/index.ts'
import {createInference, infer} from './index.ts'
import {goldenModel, largestDifference, onBits, randomDocument, randomModel} from './test-models.ts'

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
