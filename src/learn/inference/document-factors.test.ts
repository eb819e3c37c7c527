import {describe, expect, it} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {infer} from './infer.ts'
import {randomModel} from './test-models.ts'

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
