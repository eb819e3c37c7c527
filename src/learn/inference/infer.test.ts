import {readFileSync} from 'node:fs'
import {describe, expect, it} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {createInference, infer} from './infer.ts'
import {checkInferenceOptions} from './posterior.ts'
import {goldenModel, largestDifference, onBits, randomDocument, randomModel} from './test-models.ts'

describe.each(['m4', 'm8'])('infer(...) on the golden model %s', name => {
  const golden = JSON.parse(readFileSync(new URL(`../../../fixtures/${name}.json`, import.meta.url), 'utf8'))
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
})

interface GoldenDocument {
  readonly x: string
  readonly a: string
  readonly logEvidence: number
  readonly posteriorMarginals: readonly number[]
  readonly anchorsOnlyMarginals: readonly number[]
  readonly wordsOnlyMarginals: readonly number[]
}

it.each([{methd: 'exact'}, {method: 'guess'}, {anchors: true}, {tolerance: 0}])(
  'checkInferenceOptions(...) refuses %j',
  options => {
    expect(() => checkInferenceOptions(options as object)).toThrow(expect.objectContaining({code: 'bad-option'}))
  }
)

describe('createInference(...)', () => {
  const model = randomModel(rng(1), {conceptCount: 12, wordCount: 30, parentLimit: 1, density: 0.3})
  const {evidence} = randomDocument(model, rng(2))

  it('createInference(...) enumerates few unknown concepts and passes messages beyond', () => {
    const automatic = createInference(model)
    expect(automatic.posterior(evidence).certificate.method).toBe('message-passing')
    const known = Int8Array.from({length: 12}, (_, i) => (i < 2 ? 0 : -1))
    expect(automatic.posterior(evidence, known).certificate.method).toBe('exact')
  })
})
