import {expect, test} from 'vitest'
import {logPrior} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {
  composeTestModel,
  plainLogJoint,
  plainPosterior,
  randomDocument,
  randomModel
} from '../../learn/inference/test-models.ts'
import {logOddsModel} from '../../learn/inference/test-weights.ts'
import {createPredictor} from './predictor.ts'
import {tagRule} from './tags-from.ts'

function example() {
  const model = randomModel(rng(4), {conceptCount: 4, wordCount: 12, parentLimit: 2, density: 0.5})
  const documents = Array.from({length: 20}, (_, at) => randomDocument(model, rng(at)))
  return {model, documents}
}

test('createPredictor(...) answers as the sums over all states do', () => {
  const {model, documents} = example()
  const predictor = createPredictor(model)
  for (const {evidence, y} of documents) {
    const {probabilities} = plainPosterior(model, evidence)
    Array.from(predictor.posterior(evidence)).forEach((p, i) => {
      expect(p).toBeCloseTo(probabilities[i], 10)
    })
    expect(predictor.logTags(y)).toBe(logPrior(model.network, y))
    const scores = predictor.lastTag(evidence, [0])
    for (const i of [1, 2, 3]) {
      const candidate = [1, 0, 0, 0].map((tag, k) => (k === i ? 1 : tag))
      expect(scores[i]).toBeCloseTo(plainLogJoint(model, evidence, candidate), 8)
    }
  }
})

test('createPredictor(..., use) looks at anchors and words only as it is told', () => {
  const model = composeTestModel(
    [{truePositive: 0.9, falsePositive: 0.1}],
    {parents: [[]], cpt: [Float64Array.of(0.5)]},
    {failure: [[0.2]], leak: [0.2]}
  )
  const seen = {words: [0], anchors: [0], members: []}
  const ask = (anchors: 'used' | 'hidden', words: 'used' | 'hidden') =>
    createPredictor(model, {anchors, words}).posterior(seen)[0]
  expect(ask('hidden', 'hidden')).toBeCloseTo(0.5, 12)
  expect(ask('used', 'hidden')).toBeCloseTo(0.9, 12)
  expect(ask('hidden', 'used')).toBeCloseTo(0.84 / (0.84 + 0.2), 12)
  expect(ask('used', 'used')).toBeCloseTo((0.9 * 0.84) / (0.9 * 0.84 + 0.1 * 0.2), 12)
})

test('createPredictor(...) has the rule of a model in log-odds, as long as everything is in sight', () => {
  const model = logOddsModel(2, 3, 8)
  expect(createPredictor(model).tags).toEqual(tagRule(model))
  expect(createPredictor(model, {wordModel: 'model', anchors: 'used', words: 'used'}).tags?.silent[0]).toBe(0.4)
  for (const use of [{wordModel: 'noisy-or'}, {anchors: 'hidden'}, {words: 'hidden'}] as const)
    expect(createPredictor(model, use)).not.toHaveProperty('tags')
  expect(createPredictor(example().model)).not.toHaveProperty('tags')
})
