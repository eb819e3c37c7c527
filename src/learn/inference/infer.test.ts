import {readFileSync} from 'node:fs'
import {describe, expect, it} from 'vitest'
import {directedNetwork, networkMarginals} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {buildTables} from './document-factors.ts'
import {createInference, infer} from './infer.ts'
import {checkInferenceOptions} from './posterior.ts'
import {goldenModel, largestDifference, onBits, randomDocument, randomModel} from './test-models.ts'
import {logOddsModel} from './test-weights.ts'

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

describe('buildTables(...) and readDocument(...)', () => {
  const model = randomModel(rng(1), {conceptCount: 3, wordCount: 4, parentLimit: 1, density: 0.5})
  const none = {words: [], anchors: [], members: []}

  it('buildTables(...) of pairs has the forest nearby, with the same prevalences', () => {
    const pairs = logOddsModel(3, 5, 8, 'pairs')
    const forest = directedNetwork(pairs.network, 1)
    expect(buildTables(pairs)).toEqual(buildTables({...pairs, network: forest}))
    networkMarginals(forest).forEach((p, i) => {
      expect(p).toBeCloseTo(pairs.concepts[i].prevalence, 10)
    })
  })

  it.each([
    [{words: [4]}, /words of a document must be ascending numbers below 4; got 4 after -1/],
    [{words: [1, 1]}, /got 1 after 1/],
    [{words: [2, 1]}, /got 1 after 2/],
    [{words: [0.5]}, /got 0.5/],
    [{anchors: [3]}, /anchors of a document must be ascending numbers below 3/]
  ])('readDocument(...) refuses the evidence %j', (evidence, message) => {
    expect(() => infer(model, {...none, ...evidence})).toThrow(message)
  })

  it('readDocument(...) refuses known tags of another length or value', () => {
    expect(() => infer(model, none, {known: [1, 0]})).toThrow(/expected 3, got 2/)
    expect(() => infer(model, none, {known: [1, 0, 2]})).toThrow(/concept 2 must be -1 .*; got 2/)
  })
})
