import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {randomDocument, randomModel} from '../../learn/inference/test-models.ts'
import {simpleBaselines} from './simple-baselines.ts'
import {nothing, withPrevalences} from './test-predictors.ts'

const prevalences = [0.3, 0.05, 0.6, 0.2]

/** Four concepts with edges, words and anchors: all that the baselines must not look at is there. */
function example() {
  const model = withPrevalences(
    randomModel(rng(4), {conceptCount: 4, wordCount: 12, parentLimit: 2, density: 0.5}),
    prevalences
  )
  const documents = Array.from({length: 20}, (_, at) => randomDocument(model, rng(at)))
  return {model, documents}
}

test('simpleBaselines(...).prior gives every document the prevalences, and ranks last tags by them', () => {
  const {model, documents} = example()
  const {prior} = simpleBaselines(model)
  for (const {evidence, y} of documents) {
    Array.from(prior.posterior(evidence)).forEach((p, i) => {
      expect(p).toBeCloseTo(prevalences[i], 12)
    })
    const scores = Array.from(prior.lastTag(evidence, [2]))
    expect(scores[2]).toBe(Number.NEGATIVE_INFINITY)
    // Between candidates only the log-odds of the prior differ.
    for (const i of [0, 1, 3])
      expect(scores[i] - scores[0]).toBeCloseTo(logOdds(prevalences[i]) - logOdds(prevalences[0]), 10)
    const plain = prevalences.reduce((sum, p, i) => sum + Math.log(y[i] === 1 ? p : 1 - p), 0)
    expect(prior.logTags(y)).toBeCloseTo(plain, 12)
  }
})

test('simpleBaselines(...)["anchors-only"] is the rule of Bayes on each anchor alone', () => {
  const {model, documents} = example()
  const anchorsOnly = simpleBaselines(model)['anchors-only']
  for (const {evidence, y} of documents) {
    const odds = model.concepts.map(({truePositive: t, falsePositive: e}, i) => {
      const likelihood = evidence.anchors.includes(i) ? Math.log(t / e) : Math.log((1 - t) / (1 - e))
      return logOdds(prevalences[i]) + likelihood
    })
    Array.from(anchorsOnly.posterior(evidence)).forEach((p, i) => {
      expect(p).toBeCloseTo(1 / (1 + Math.exp(-odds[i])), 12)
    })
    const scores = Array.from(anchorsOnly.lastTag(evidence, [1]))
    for (const i of [0, 2, 3]) expect(scores[i] - scores[0]).toBeCloseTo(odds[i] - odds[0], 10)
    expect(anchorsOnly.logTags(y)).toBeCloseTo(simpleBaselines(model).prior.logTags(y), 12)
  }
})

test('simpleBaselines(...) stay finite for concepts that are never or always there', () => {
  const model = withPrevalences(example().model, [0, 1, 0.5, 0.5])
  for (const baseline of Object.values(simpleBaselines(model))) {
    expect(Array.from(baseline.posterior(nothing)).every(p => p >= 0 && p <= 1)).toBe(true)
    expect(Number.isFinite(baseline.logTags([1, 0, 1, 0]))).toBe(true)
    for (const i of [0, 1, 3]) expect(Number.isFinite(baseline.lastTag(nothing, [2])[i])).toBe(true)
  }
})

function logOdds(p: number): number {
  return Math.log(p / (1 - p))
}
