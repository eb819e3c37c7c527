import fc from 'fast-check'
import {expect, test} from 'vitest'
import {matchBiases} from './match-biases.ts'
import {logPartition, networkEdges, pairNetwork} from './pair-network.ts'
import {anyPairs, drawPairs, marginalsOf, pairWeights} from './test-pairs.ts'

test('matchBiases(...) gives few concepts exactly their prevalences', () => {
  fc.assert(
    fc.property(anyPairs, given => {
      const {network, threshold, residual} = matchBiases(given)
      const found = marginalsOf(pairWeights(network), network.prevalence.length)
      // Differences in log-odds shrink to 1e-12, or for 200 rounds; couplings up to 4 slow them down.
      for (const [i, p] of network.prevalence.entries()) expect(Math.abs(found[i] - p)).toBeLessThan(1e-6)
      expect(residual).toBeLessThan(1e-6)
      expect(threshold).toBe(0)
    })
  )
})

test('matchBiases(...) of 16 concepts, by sampling, is nearer to the prevalences than the closed form', () => {
  const gaps = [1, 2, 3, 4, 5].map(seed => {
    const given = drawPairs(16, seed, {spread: 1.5, prevalence: [0.03, 0.3]})
    const {network, residual} = matchBiases(given)
    const gapOf = (biases: Float64Array) =>
      marginalsOf(pairWeights({...given, biases}), 16).reduce(
        (most, p, i) => Math.max(most, Math.abs(p - given.prevalence[i])),
        0
      )
    const [before, after] = [gapOf(given.biases), gapOf(network.biases)]
    // The measured residual has the error of 30 sweeps of 200 chains.
    expect(Math.abs(residual - after)).toBeLessThan(0.01)
    return {before, after}
  })
  const sum = (name: 'before' | 'after') => gaps.reduce((total, gap) => total + gap[name], 0)
  // States of one chain are alike, so that one network may be off by .01; the mean of five was .0017 to .0039 over 20 seeds.
  expect(sum('after') / 5).toBeLessThan(0.005)
  expect(sum('after')).toBeLessThan(sum('before') / 3)
})

test('matchBiases(...) weakens couplings that would make all concepts present at once', () => {
  const m = 50
  const couplings = new Float64Array(m * m).fill(0.5)
  for (let i = 0; i < m; i++) couplings[i * m + i] = 0
  const ones = couplings.map(() => 1)
  const crowd = pairNetwork({prevalence: new Float64Array(m).fill(0.03), couplings, low: ones, high: ones})
  const {network, threshold, residual} = matchBiases(crowd)
  expect(threshold).toBeGreaterThan(0)
  expect(network.couplings[1]).toBeCloseTo(Math.max(0, 0.5 - threshold), 12)
  expect(logPartition(network).standardError).toBeLessThan(1)
  expect(residual).toBeLessThan(0.02)
})

test('matchBiases(...) keeps every coupling inside its interval, and edges only where the interval still excludes 1', () => {
  const given = drawPairs(40, 3, {spread: 0.6, prevalence: [0.01, 0.1]})
  const couplings = given.couplings.map(Math.abs)
  const around = (by: number) => couplings.map((coupling, at) => (at % 41 === 0 ? 1 : Math.exp(coupling + by)))
  const crowd = pairNetwork({prevalence: given.prevalence, couplings, low: around(-0.1), high: around(0.1)})
  const {network, threshold} = matchBiases(crowd)
  expect(threshold).toBeGreaterThan(0)
  for (const [at, coupling] of network.couplings.entries()) {
    expect(Math.exp(coupling)).toBeGreaterThanOrEqual(network.low[at] - 1e-12)
    expect(Math.exp(coupling)).toBeLessThanOrEqual(network.high[at] + 1e-12)
  }
  expect(networkEdges(network).length).toBeLessThan(networkEdges(crowd).length)
})

test('matchBiases(...) keeps required couplings with their intervals where it weakens all others', () => {
  const given = drawPairs(40, 3, {spread: 0.6, prevalence: [0.01, 0.1]})
  const crowd = pairNetwork({...given, couplings: given.couplings.map(Math.abs)})
  const required = [[3, 1]] as const
  const {network, threshold} = matchBiases({...crowd, required})
  expect(threshold).toBeGreaterThan(0)
  for (const at of [3 * 40 + 1, 1 * 40 + 3])
    for (const name of ['couplings', 'low', 'high'] as const) expect(network[name][at]).toBe(crowd[name][at])
  expect(network.couplings[2]).toBe(Math.max(0, crowd.couplings[2] - threshold))
  expect(networkEdges(network).map(edge => edge.toSorted())).toContainEqual([1, 3])
})

test('matchBiases(...) refuses required couplings that leave no network with the prevalences', () => {
  const m = 50
  const couplings = new Float64Array(m * m).fill(0.5)
  for (let i = 0; i < m; i++) couplings[i * m + i] = 0
  const ones = couplings.map(() => 1)
  const crowd = pairNetwork({prevalence: new Float64Array(m).fill(0.03), couplings, low: ones, high: ones})
  const required = Array.from({length: m}, (_, i) => Array.from({length: i}, (_, k) => [i, k] as const)).flat()
  expect(() => matchBiases({...crowd, required})).toThrow(/required edges alone .* require fewer edges/)
})

test('matchBiases(...) leaves independence as it is, and gives the same bytes twice', () => {
  const alone = drawPairs(20, 7, {spread: 0})
  expect(matchBiases(alone)).toEqual({network: alone, threshold: 0, residual: 0})
  const coupled = drawPairs(20, 8)
  expect(matchBiases(coupled)).toEqual(matchBiases(coupled))
})
