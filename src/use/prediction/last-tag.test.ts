import {readFileSync} from 'node:fs'
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {
  composeTestModel,
  goldenModel,
  onBits,
  plainLogJoint,
  randomDocument,
  randomModel
} from '../../learn/inference/test-models.ts'
import {createLastTagScorer} from './last-tag.ts'

interface GoldenTask {
  readonly doc: number
  readonly given: string
  readonly logJointPerCandidate: readonly (number | null)[]
}

describe.each(['m4', 'm8'])('LastTagScorer.score(...) on the golden model %s', name => {
  const golden = JSON.parse(readFileSync(new URL(`../../../fixtures/${name}.json`, import.meta.url), 'utf8'))
  const scorer = createLastTagScorer(goldenModel(golden.truth))

  it.each(golden.lastTag as GoldenTask[])('LastTagScorer.score(...) gives the scores of document $doc', task => {
    const {X, A} = golden.sample
    const evidence = {words: onBits(X[task.doc]), anchors: onBits(A[task.doc]), members: []}
    const scores = scorer.score(evidence, onBits(task.given))
    task.logJointPerCandidate.forEach((truth, c) => {
      if (truth === null) expect(scores[c]).toBe(Number.NEGATIVE_INFINITY)
      else expect(scores[c]).toBeCloseTo(truth, 9)
    })
  })
})

describe('LastTagScorer.score(...)', () => {
  it('LastTagScorer.score(...) equals the joint probability, written out, of every completion', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({min: 0, max: 3}), fc.boolean(), fc.boolean(), (seed, parentLimit, ...use) => {
        const [anchors, words] = use
        const model = randomModel(rng(seed), {conceptCount: 6, wordCount: 12, parentLimit, density: 0.4})
        const {evidence, y} = randomDocument(model, rng(seed).stream('document'))
        const given = [...y.keys()].filter(i => y[i] === 1)
        const hide = {anchors: anchors ? 'used' : 'hidden', words: words ? 'used' : 'hidden'} as const
        const scores = createLastTagScorer(model, hide).score(evidence, given)
        for (let c = 0; c < 6; c++) {
          const completed = Int8Array.from(y)
          completed[c] = 1
          if (y[c] === 1) expect(scores[c]).toBe(Number.NEGATIVE_INFINITY)
          else expect(scores[c]).toBeCloseTo(plainLogJoint(model, evidence, completed, {anchors, words}), 9)
        }
      })
    )
  })

  it('LastTagScorer.score(...) ranks candidates by unexplained words first when leaks are 0, with finite scores', () => {
    const rates = {truePositive: 0.5, falsePositive: 0.1}
    const network = {parents: [[], [], []], cpt: [0.1, 0.001, 0.2].map(p => Float64Array.of(p))}
    const failure = [
      [0.5, 1, 1],
      [0.9, 0.9, 1],
      [1, 1, 1]
    ]
    const model = composeTestModel([rates, rates, rates], network, {failure, leak: [0, 0, 0]})
    const scores = createLastTagScorer(model).score({words: [0, 1, 2], anchors: [], members: []}, [])
    expect(scores[1]).toBeGreaterThan(scores[0])
    expect(scores[0]).toBeGreaterThan(scores[2])
    for (const score of scores) expect(Number.isFinite(score)).toBe(true)
  })

  it('LastTagScorer.score(...) refuses unknown options, values and tags', () => {
    const model = randomModel(rng(1), {conceptCount: 3, wordCount: 4, parentLimit: 1, density: 0.5})
    const none = {words: [], anchors: [], members: []}
    expect(() => createLastTagScorer(model, {anchor: 'used'} as object).score(none, [])).toThrow(
      /did you mean "anchors"/
    )
    expect(() => createLastTagScorer(model, {words: 'yes'} as object).score(none, [])).toThrow(/`words` must be/)
    expect(() => createLastTagScorer(model).score(none, [3])).toThrow(/given tag 3 is none of the 3/)
  })
})
