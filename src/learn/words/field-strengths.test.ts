import {expect, test} from 'vitest'
import {rng, sigmoid} from '../../base/numeric/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {likeliestSlope} from './anchor-likelihood.ts'
import type {ConceptSample} from './concept-sample.ts'
import {likeliestStrengths} from './field-strengths.ts'
import {mean} from './test-documents.ts'

/** Fields whose scores speak with the strengths given; anchors drawn through the noise. */
function drawn(strengths: readonly number[], documents: number): {fields: ConceptSample[][]; rates: NoiseRates} {
  const random = rng(4)
  const [t, e] = [0.6, 0.02]
  const concepts = Array.from({length: 3}, () => {
    const others = Float64Array.from({length: documents}, () => -2 + 2 * random.next())
    const scores = strengths.map(() => Float64Array.from({length: documents}, () => 4 * random.next() - 2))
    const chances = others.map((o, d) => sigmoid(o + strengths.reduce((sum, say, f) => sum + say * scores[f][d], 0)))
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
