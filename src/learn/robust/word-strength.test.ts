import {expect, test} from 'vitest'
import {log, rng, sigmoid} from '../../base/numeric/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {mean} from './test-documents.ts'
import {anchorLogLikelihoods, type ConceptSample, likeliestSlope} from './word-strength.ts'

const anchorLogLikelihood = (...given: Parameters<typeof anchorLogLikelihoods>) =>
  anchorLogLikelihoods(...given).reduce((sum, value) => sum + value, 0)

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
