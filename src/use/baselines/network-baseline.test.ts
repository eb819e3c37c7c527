import fc from 'fast-check'
import {expect, test} from 'vitest'
import {logPrior, networkMarginals} from '../../base/network/index.ts'
import {log, rng} from '../../base/numeric/index.ts'
import {logIndependent, networkBaseline} from './baseline.ts'

import {learnableModel} from './test-corpora.ts'

const {network, concepts} = learnableModel()
const m = concepts.length
const nothing = {words: [], anchors: [], members: []}
const anyScores = fc.array(fc.double({min: -6, max: 6, noNaN: true}), {minLength: m, maxLength: m})
const states = Array.from({length: 2 ** m}, (_, state) => concepts.map((_, i) => (state >> i) & 1))
const base = networkMarginals(network).map(p => log(p / (1 - p)))

test('networkBaseline(...).posterior(...) equals the sum over all states', () => {
  fc.assert(
    fc.property(anyScores, z => {
      const baseline = networkBaseline(() => Float64Array.from(z), network, {})
      const weights = states.map(y =>
        Math.exp(logPrior(network, y) + y.reduce((sum, on, i) => sum + on * (z[i] - base[i]), 0))
      )
      const total = weights.reduce((sum, w) => sum + w, 0)
      Array.from(baseline.posterior(nothing)).forEach((p, i) => {
        const with1 = weights.reduce((sum, w, state) => sum + states[state][i] * w, 0)
        expect(p).toBeCloseTo(with1 / total, 9)
      })
    })
  )
})

test('networkBaseline(...) says what the network says when the classifiers say nothing new', () => {
  const baseline = networkBaseline(() => base.slice(), network, {})
  const posterior = baseline.posterior(nothing)
  networkMarginals(network).forEach((p, i) => {
    expect(posterior[i]).toBeCloseTo(p, 12)
  })
  const y = states[11]
  expect(baseline.logTags(y)).toBe(logPrior(network, y))
})

test('networkBaseline(...).lastTag(...) ranks candidates by the joint of given tags and candidate', () => {
  fc.assert(
    fc.property(anyScores, fc.subarray(concepts.map((_, i) => i)), (z, given) => {
      const scores = networkBaseline(() => Float64Array.from(z), network, {}).lastTag(nothing, given)
      concepts.forEach((_, c) => {
        const y = concepts.map((_, i) => (i === c || given.includes(i) ? 1 : 0))
        if (given.includes(c)) expect(scores[c]).toBe(Number.NEGATIVE_INFINITY)
        else expect(scores[c]).toBeCloseTo(logPrior(network, y) + z[c] - base[c], 9)
      })
    })
  )
})

test('networkBaseline(...) stays a probability for scores beyond what exp can hold', () => {
  const baseline = networkBaseline(() => Float64Array.from({length: m}, (_, i) => (i % 2 ? 5000 : -5000)), network, {})
  Array.from(baseline.posterior(nothing)).forEach((p, i) => {
    expect(p).toBe(i % 2)
  })
})

test('networkBaseline(...) of a network without edges is the classifiers', () => {
  const alone = {parents: concepts.map(() => []), cpt: concepts.map(({prevalence}) => Float64Array.of(prevalence))}
  const random = rng(1)
  const z = Float64Array.from({length: m}, () => 8 * random.next() - 4)
  const baseline = networkBaseline(() => z.slice(), alone, {})
  Array.from(baseline.posterior(nothing)).forEach((p, i) => {
    expect(p).toBeCloseTo(1 / (1 + Math.exp(-z[i])), 10)
  })
  const prevalence = concepts.map(concept => concept.prevalence)
  expect(baseline.logTags(states[5])).toBeCloseTo(logIndependent(prevalence, states[5]), 12)
})
