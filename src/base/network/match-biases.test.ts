import fc from 'fast-check'
import {expect, test} from 'vitest'
import {exp, rng} from '../numeric/index.ts'
import {matchBiases} from './match-biases.ts'
import {networkEdges, type PairNetwork} from './pair-network.ts'
import {anyPairs, drawPairs, marginalsOf, pairsOf, pairWeights} from './test-pairs.ts'

const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)

/** 50 concepts that attract each other so much that they would be present all at once. */
const everyPair = Array.from({length: 50}, (_, i) => Array.from({length: i}, (_, k) => [i, k] as const)).flat()
const crowd = pairsOf(
  new Array(50).fill(0.03),
  everyPair.map(([i, k]) => [i, k, 0.5] as const)
)

test('matchBiases(...) gives few concepts exactly their prevalences', () => {
  fc.assert(
    fc.property(anyPairs, given => {
      const {network, factor, residual} = matchBiases(given)
      const found = marginalsOf(pairWeights(network), network.prevalence.length)
      // Differences in log-odds shrink to 1e-12, or for 200 rounds; couplings up to 4 slow them down.
      for (const [i, p] of network.prevalence.entries()) expect(Math.abs(found[i] - p)).toBeLessThan(1e-6)
      expect(residual).toBeLessThan(1e-6)
      expect(factor).toBe(1)
    })
  )
})

test('matchBiases(...) of 16 concepts, by sampling, is nearer to the prevalences than the closed form', () => {
  const gaps = [1, 2, 3, 4, 5].map(seed => {
    const given = drawPairs(16, seed, {spread: 1.5, prevalence: [0.03, 0.3]})
    const {network, factor} = matchBiases(given)
    expect(factor).toBe(1)
    return [given, network].map(({biases}) => {
      const found = marginalsOf(pairWeights({...given, biases}), 16)
      return Math.max(...found.map((p, i) => Math.abs(p - given.prevalence[i])))
    })
  })
  const mean = (at: number) => gaps.reduce((total, pair) => total + pair[at], 0) / 5
  // States of one chain are alike, so that one network may be off by .01; the mean of five was .0017 to .0039 over 20 seeds.
  expect(mean(1)).toBeLessThan(0.005)
  expect(mean(1)).toBeLessThan(mean(0) / 3)
})

/** The marginals of a network: of 50 chains that start with all concepts or none. */
function sampledMarginals({biases, couplings}: PairNetwork, start: 0 | 1): Float64Array {
  const m = biases.length
  const random = rng(5)
  const sums = new Float64Array(m)
  for (let chain = 0; chain < 50; chain++) {
    const y = new Uint8Array(m).fill(start)
    for (let sweep = 0; sweep < 300; sweep++)
      for (let i = 0; i < m; i++) {
        let field = biases[i]
        for (let k = 0; k < m; k++) if (y[k]) field += couplings[i * m + k]
        const chance = 1 / (1 + exp(-field))
        y[i] = random.next() < chance ? 1 : 0
        if (sweep >= 100) sums[i] += chance / (50 * 200)
      }
  }
  return sums
}

test('matchBiases(...) weakens pairs that attract each other until the network has the prevalences', () => {
  const draw = (m: number, seed: number, mean: number, spread: number) =>
    drawPairs(m, seed, {mean, spread, prevalence: [0.01, 0.12]})
  // Chains that stay in the mode where they are found .22 (18 concepts, seed 2) and .75 (40 concepts, seed 1) of the prevalences.
  const cases = [draw(18, 2, 0.7, 1), draw(18, 3, 0.7, 1), draw(18, 5, 1.2, 1), draw(40, 1, 0.15, 1.5), crowd]
  for (const given of cases) {
    const {network, factor, residual} = matchBiases(given)
    const m = given.prevalence.length
    const truths =
      m <= 20 ? [marginalsOf(pairWeights(network), m)] : [sampledMarginals(network, 0), sampledMarginals(network, 1)]
    for (const truth of truths) {
      expect(Math.abs(sum(truth) / sum(given.prevalence) - 1)).toBeLessThan(0.1)
      for (const [i, p] of given.prevalence.entries()) expect(Math.abs(truth[i] - p)).toBeLessThan(0.01 + 0.1 * p)
    }
    expect(factor).toBeLessThan(1)
    expect(residual).toBeLessThan(0.015)
    // Couplings and intervals are multiplied in logarithms, so that edges stay edges.
    for (const [at, coupling] of given.couplings.entries()) {
      expect(network.couplings[at]).toBeCloseTo(factor * coupling, 12)
      expect(Math.log(network.high[at])).toBeCloseTo(factor * Math.log(given.high[at]), 12)
    }
    expect(networkEdges(network)).toEqual(networkEdges(given))
  }
})

test('matchBiases(...) keeps required couplings, and refuses those that leave no network with the prevalences', () => {
  const given = drawPairs(18, 2, {mean: 0.7, prevalence: [0.01, 0.12]})
  const {network, factor} = matchBiases({...given, required: [[3, 1]]})
  expect(factor).toBeLessThan(1)
  for (const at of [3 * 18 + 1, 1 * 18 + 3])
    for (const name of ['couplings', 'low', 'high'] as const) expect(network[name][at]).toBe(given[name][at])
  expect(() => matchBiases({...crowd, required: everyPair})).toThrow(/require fewer edges/)
})

test('matchBiases(...) does not change independence, and gives the same bytes twice', () => {
  const alone = drawPairs(20, 7, {spread: 0})
  expect(matchBiases(alone)).toEqual({network: alone, factor: 1, residual: 0})
  const coupled = drawPairs(20, 8)
  expect(matchBiases(coupled)).toEqual(matchBiases(coupled))
})
