import {describe, expect, test} from 'vitest'
import {composeModel} from './compose-model.ts'
import {smallParts} from './test-small-model.ts'

describe('composeModel', () => {
  test('composeModel(...) keeps its parts, adds the noisy-or wordModel, and moves the rates to the concepts', () => {
    const model = composeModel(smallParts)
    const {lexicon, ...rest} = smallParts
    expect(model).toMatchObject({...rest, wordModel: {kind: 'noisy-or'}})
    expect(model.lexicon.anchors.map(({rates}) => rates)).toEqual([undefined, undefined, undefined])
    expect(model.lexicon).toEqual({
      ...lexicon,
      anchors: lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))
    })
  })

  test('composeModel(...) does not touch the parts it was given', () => {
    const before = structuredClone(smallParts)
    composeModel(smallParts)
    expect(smallParts).toEqual(before)
    expect(smallParts.lexicon.anchors[0].rates).toBeDefined()
  })

  test('composeModel(...) refuses parts that do not fit together', () => {
    expect(() => composeModel({...smallParts, concepts: smallParts.concepts.slice(1)})).toThrow(
      expect.objectContaining({
        code: 'bad-model',
        message: expect.stringMatching(/^model: anchors, network and concepts/)
      })
    )
  })
})
