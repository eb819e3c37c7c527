import {describe, expect, it} from 'vitest'
import {directedNetwork, networkMarginals} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {buildTables} from './document-factors.ts'
import {infer} from './infer.ts'
import {randomModel} from './test-models.ts'
import {logOddsModel} from './test-weights.ts'

describe('buildTables(...)', () => {
  const model = randomModel(rng(1), {conceptCount: 3, wordCount: 4, parentLimit: 1, density: 0.5})
  const {concepts} = model

  it('buildTables(...) of pairs has the forest nearby, with the same prevalences', () => {
    const pairs = logOddsModel(3, 5, 8, 'pairs')
    const forest = directedNetwork(pairs.network, 1)
    expect(buildTables(pairs)).toEqual(buildTables({...pairs, network: forest}))
    networkMarginals(forest).forEach((p, i) => {
      expect(p).toBeCloseTo(pairs.concepts[i].prevalence, 10)
    })
  })

  it('buildTables(...) refuses rates of 0, which would make a concept certain', () => {
    const certain = concepts.map(concept => ({...concept, falsePositive: 0}))
    expect(() => buildTables({...model, concepts: certain})).toThrow(/rates of "concept 0" must lie .* got 0/)
  })
})

describe('readDocument(...)', () => {
  const model = randomModel(rng(1), {conceptCount: 3, wordCount: 4, parentLimit: 1, density: 0.5})
  const none = {words: [], anchors: [], members: []}

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
