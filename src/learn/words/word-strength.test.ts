import {expect, test} from 'vitest'
import {log, rng, sigmoid} from '../../base/numeric/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {mean} from './test-documents.ts'
import {
  anchorLogLikelihood,
  type ConceptSample,
  conceptSamples,
  likeliestSlope,
  likeliestStrengths
} from './word-strength.ts'

/** Fields whose scores count with the strengths given; anchors drawn through the noise. */
function drawn(strengths: readonly number[], documents: number): {fields: ConceptSample[][]; rates: NoiseRates} {
  const random = rng(4)
  const [t, e] = [0.6, 0.02]
  const concepts = Array.from({length: 3}, () => {
    const others = Float64Array.from({length: documents}, () => -2 + 2 * random.next())
    const scores = strengths.map(() => Float64Array.from({length: documents}, () => 4 * random.next() - 2))
    const chances = others.map((o, d) =>
      sigmoid(o + strengths.reduce((sum, strength, f) => sum + strength * scores[f][d], 0))
    )
    const fired = Uint8Array.from(chances, chance => (random.next() < e + (t - e) * chance ? 1 : 0))
    return {others, scores, chances, fired, weights: new Float64Array(documents).fill(1)}
  })
  return {
    fields: strengths.map((_, f) =>
      concepts.map(({others, scores, weights, fired}) => ({others, scores: scores[f], weights, fired}))
    ),
    rates: {
      truePositive: new Float64Array(3).fill(t),
      falsePositive: new Float64Array(3).fill(e),
      prevalence: Float64Array.from(concepts, ({chances}) => mean(chances))
    }
  }
}

test('likeliestStrengths(...) finds the strengths that the anchors were drawn with, one a field', () => {
  const truth = [2, 0.5, 1]
  const {fields, rates} = drawn(truth, 1500)
  // Three concepts of 1,500 documents: the standard error of a strength is about 0.07 here; five of them.
  likeliestStrengths(fields, rates).forEach((found, f) => {
    expect(Math.abs(found - truth[f])).toBeLessThan(0.35)
  })
})

test('likeliestStrengths(...) of a single field is the one slope of all words', () => {
  const {fields, rates} = drawn([1.5], 300)
  expect(likeliestStrengths(fields, rates)).toEqual([likeliestSlope(fields[0], rates)])
})

/** Scores of which `slope` times is what they say of the concept; anchors likelihoodSamples through the noise. */
function likelihoodSamples(slope: number, documents: number): {samples: ConceptSample[]; rates: NoiseRates} {
  const random = rng(9)
  const [t, e] = [0.6, 0.02]
  const pairs = Array.from({length: 3}, () => {
    const others = Float64Array.from({length: documents}, () => -2 + 2 * random.next())
    const scores = Float64Array.from({length: documents}, () => 4 * random.next() - 2)
    const chances = others.map((o, d) => sigmoid(o + slope * scores[d]))
    const fired = Uint8Array.from(chances, chance => (random.next() < e + (t - e) * chance ? 1 : 0))
    return {chances, sample: {others, scores, weights: new Float64Array(documents).fill(1), fired}}
  })
  return {
    samples: pairs.map(({sample}) => sample),
    rates: {
      truePositive: new Float64Array(3).fill(t),
      falsePositive: new Float64Array(3).fill(e),
      prevalence: Float64Array.from(pairs, ({chances}) => mean(chances))
    }
  }
}

test('likeliestSlope(...) finds the strength that the anchors were likelihoodSamples with', () => {
  // Three concepts of 4,000 documents: the standard error of the slope is about 0.03 here; five of them.
  for (const slope of [0, 1, 2.5]) {
    const {samples, rates} = likelihoodSamples(slope, 4000)
    expect(Math.abs(likeliestSlope(samples, rates) - slope)).toBeLessThan(0.15)
  }
})

test('likeliestSlope(...) is not beaten by any slope of a fine grid', () => {
  const {samples, rates} = likelihoodSamples(1.5, 300)
  const best = anchorLogLikelihood(samples, rates, likeliestSlope(samples, rates))
  for (let slope = 0; slope < 8; slope += 0.25)
    expect(anchorLogLikelihood(samples, rates, slope)).toBeLessThan(best + 0.05)
})

test('anchorLogLikelihood(...) of words without effect is that of the other evidence alone, its mean set to the prevalence', () => {
  const {samples, rates} = likelihoodSamples(0, 50)
  const flat = samples.map(sample => ({...sample, others: new Float64Array(50).fill(3)}))
  const plain = flat.reduce((sum, {fired}, i) => {
    const firing = 0.02 + 0.58 * rates.prevalence[i]
    return sum + fired.reduce((part, a) => part + log(a ? firing : 1 - firing), 0)
  }, 0)
  expect(anchorLogLikelihood(flat, rates, 0)).toBeCloseTo(plain, 6)
})

test('conceptSamples(...) has the scores and anchors of each concept, and no other evidence', () => {
  const documents = [[], [1], [0, 1]].map((anchors, d) => ({
    key: `${d}`,
    words: [],
    anchors,
    members: [],
    labels: undefined
  }))
  const [first, second] = conceptSamples(documents, Float64Array.of(1, 2, 3, 4, 5, 6), 2)
  expect(first).toEqual({
    others: new Float64Array(3),
    scores: Float64Array.of(1, 3, 5),
    weights: Float64Array.of(1, 1, 1),
    fired: Uint8Array.of(0, 0, 1)
  })
  expect(second).toMatchObject({scores: Float64Array.of(2, 4, 6), fired: Uint8Array.of(0, 1, 1)})
})
