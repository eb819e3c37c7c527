import {describe, expect, test} from 'vitest'
import {type BayesNetwork, junctionTree} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {sampledSums} from './sampled-sums.ts'

describe('sampledSums', () => {
  const network: BayesNetwork = {
    parents: [[], [0], [0, 1], []],
    cpt: [Float64Array.of(0.3), Float64Array.of(0.1, 0.6), Float64Array.of(0.05, 0.4, 0.5, 0.9), Float64Array.of(0)]
  }
  const tree = junctionTree(network)
  const samples = 40_000

  test.each([
    {what: 'plain', weights: [1, 1, 1, 1, 1, 1, 1, 1]},
    {what: 'with failures', weights: [1, 0.4, 1, 0.7, 1, 0.2, 1, 0.5]},
    {what: 'with evidence', weights: [0, 1, 1, 1, 1, 0, 1, 1]},
    {what: 'with any', weights: [0.5, 2, 3, 0.1, 0, 0.7, 2, 9]}
  ])('propagate(...) over draws is within 5 standard errors of the exact sums, $what', given => {
    const weights = Float64Array.from(given.weights)
    const [found, exact] = [new Float64Array(4), new Float64Array(4)]
    const total = sampledSums(network, samples, rng(3)).propagate(weights, found)
    const expected = tree?.propagate(weights, exact) ?? Number.NaN
    // The terms lie between 0 and 4 times their mean in all four cases, so their deviation is below 2 means.
    expect(Math.abs(Math.exp(total - expected) - 1)).toBeLessThan((5 * 2) / Math.sqrt(samples))
    for (let i = 0; i < 4; i++) expect(Math.abs(found[i] - exact[i])).toBeLessThan((5 * 2) / Math.sqrt(samples))
  })

  test('propagate(...) over draws has no shares where no draw has weight', () => {
    const marginals = new Float64Array(4)
    const weights = Float64Array.of(1, 1, 1, 1, 1, 1, 0, 1)
    expect(sampledSums(network, 100, rng(3)).propagate(weights, marginals)).toBe(Number.NEGATIVE_INFINITY)
    expect([...marginals].every(Number.isNaN)).toBe(true)
  })

  test('sampledSums(...) gives the same sums for the same seed, and for every call', () => {
    const draw = (seed: number) => sampledSums(network, 50, rng(seed))
    const weights = new Float64Array(8).fill(0.5)
    const total = draw(1).propagate(weights, new Float64Array(4))
    const again = draw(1)
    again.propagate(new Float64Array(8).fill(1), new Float64Array(4))
    expect(again.propagate(weights, new Float64Array(4))).toBe(total)
  })
})
