import {describe, expect, it} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {infer} from './infer.ts'
import {randomDocument, randomModel} from './test-models.ts'

describe.each([1, 3])('gibbsPosterior(...), at most %d parents', parentLimit => {
  const model = randomModel(rng(1), {conceptCount: 12, wordCount: 30, parentLimit, density: 0.3})
  const {evidence} = randomDocument(model, rng(2))

  it('gibbsPosterior(...) states standard errors that cover the truth, and repeats for the same seed', () => {
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
})
