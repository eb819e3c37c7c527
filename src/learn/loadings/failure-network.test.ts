import fc from 'fast-check'
import {expect, test} from 'vitest'
import {expectNear} from '../../../test/expect.ts'
import {type BayesNetwork, junctionTree} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {failureDirect} from './failure.ts'
import {failureNetwork, networkSums, sampledSums} from './failure-network.ts'
import {arbitraryModel, exactWordMoments} from './test-exact.ts'

function sumsOf(network: BayesNetwork) {
  return networkSums(network, rng(0))
}

test('failureNetwork(...) finds the failures of any graph', () => {
  fc.assert(
    fc.property(arbitraryModel(6, 2), ({network, loadings}) => {
      const ratios = failureDirect(exactWordMoments(network, loadings, []))
      const {failure, residual} = failureNetwork(sumsOf(network), ratios, 2)
      expectNear(failure, loadings.failure, 1e-9)
      expect(residual).toBeLessThanOrEqual(1e-10)
    })
  )
})

test('failureNetwork(...) solves any ratios: each failure within the bounds is what the others leave to it', () => {
  const ratio = fc.oneof(fc.double({min: 0.05, max: 3, noNaN: true}), fc.constantFrom(0, 1e-6, 1, 50, Number.NaN))
  fc.assert(
    fc.property(arbitraryModel(5, 1), fc.array(ratio, {minLength: 5, maxLength: 5}), ({network}, list) => {
      const ratios = Float64Array.from(list)
      const {failure, residual} = failureNetwork(sumsOf(network), ratios, 1)
      expect(residual).toBeLessThanOrEqual(1e-10)
      const clipped = failure.map(f => (Number.isNaN(f) ? 1 : Math.min(Math.max(f, 1e-3), 1)))
      // With the clipped failures the direct estimator says r / f * (the clipped f), by enumeration.
      const loadings = {conceptCount: 5, wordCount: 1, failure: clipped, leak: Float64Array.of(0)}
      const found = failureDirect(exactWordMoments(network, loadings, []))
      for (let i = 0; i < 5; i++)
        if (Number.isNaN(ratios[i])) expect(failure[i]).toBeNaN()
        else if (ratios[i] === 1) expect(failure[i]).toBe(1)
        else expect(Math.abs((failure[i] * found[i]) / clipped[i] - ratios[i])).toBeLessThan(1e-8 * (1 + ratios[i]))
    })
  )
})

test('failureNetwork(...) goes on where concepts nearly always come together, or never occur', () => {
  const copies = Float64Array.of(1e-4, 1 - 1e-4)
  const network: BayesNetwork = {
    parents: [[], [0], [1], [0, 2], []],
    cpt: [Float64Array.of(0.05), copies, copies, Float64Array.of(1e-6, 0.5, 0.5, 1 - 1e-6), Float64Array.of(0)]
  }
  const truth = {
    conceptCount: 5,
    wordCount: 1,
    failure: Float64Array.of(0.5, 0.7, 0.9, 0.8, 1),
    leak: Float64Array.of(0.1)
  }
  const ratios = failureDirect(exactWordMoments(network, truth, []))
  const {failure, residual} = failureNetwork(sumsOf(network), ratios, 1)
  expect(residual).toBeLessThanOrEqual(1e-10)
  expect(failure[4]).toBeNaN()
  // The equations are solved to 1e-10; correlations of 0.998 spread that over the failures.
  expectNear(failure.subarray(0, 4), truth.failure.subarray(0, 4), 1e-6)
})

test('failureNetwork(...) says how far a word is that it could not finish', () => {
  const jumping = {
    conceptCount: 2,
    logTotal: () => 0,
    propagate(weights: Float64Array, marginals: Float64Array) {
      for (let i = 0; i < 2; i++) marginals[i] = weights[2 * i + 1] < 0.5 ? 0.05 : 0.95
      return 0
    }
  }
  expect(failureNetwork(jumping, Float64Array.of(1, 0.5, 1, 0.8), 2).residual).toBeGreaterThan(0.1)
})

test('propagate(...) over draws is within 5 standard errors of the exact sums', () => {
  const network: BayesNetwork = {
    parents: [[], [0], [0, 1], []],
    cpt: [[0.3], [0.1, 0.6], [0.05, 0.4, 0.5, 0.9], [0]].map(row => Float64Array.from(row))
  }
  const sums = sampledSums(network, rng(3))
  for (const failures of [
    [1, 1, 1, 1],
    [0.4, 0.7, 0.2, 0.5]
  ]) {
    const weights = Float64Array.from(failures.flatMap(f => [1, f]))
    const [found, exact] = [new Float64Array(4), new Float64Array(4)]
    const total = sums.propagate(weights, found)
    const expected = junctionTree(network)?.propagate(weights, exact) ?? Number.NaN
    expect(sums.logTotal(weights)).toBe(total)
    // The terms lie between 0 and 4 times their mean, so their deviation is below 2 means.
    expect(Math.abs(Math.exp(total - expected) - 1)).toBeLessThan((5 * 2) / Math.sqrt(20_000))
    expectNear(found, exact, (5 * 2) / Math.sqrt(20_000))
  }
})
