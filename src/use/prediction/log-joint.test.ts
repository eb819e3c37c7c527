import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {composeTestModel, plainLogJoint, randomDocument, randomModel} from '../../learn/inference/test-models.ts'
import {logJoint} from './log-joint.ts'

describe('logJoint(...)', () => {
  it('logJoint(...) equals the model written out, term by term', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({min: 0, max: 3}), (seed, parentLimit) => {
        const model = randomModel(rng(seed), {
          conceptCount: 5,
          wordCount: 10,
          parentLimit,
          density: 0.5,
          zeroLeaks: true
        })
        const {evidence, y} = randomDocument(model, rng(seed).stream('document'))
        expect(logJoint(model, evidence, y)).toBeCloseTo(plainLogJoint(model, evidence, y), 9)
      })
    )
  })

  it('logJoint(...) is -Infinity for a word that nothing explains, and refuses half an assignment', () => {
    const model = composeTestModel(
      [{truePositive: 0.5, falsePositive: 0.1}],
      {parents: [[]], cpt: [Float64Array.of(0.5)]},
      {failure: [[0.5]], leak: [0]}
    )
    const evidence = {words: [0], anchors: [], members: []}
    expect(logJoint(model, evidence, [0])).toBe(Number.NEGATIVE_INFINITY)
    expect(logJoint(model, evidence, [1])).toBeCloseTo(Math.log(0.5 * 0.5 * 0.5), 12)
    expect(() => logJoint(model, evidence, [-1])).toThrow(/concept 0 is unknown/)
  })
})
