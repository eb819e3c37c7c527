import fc from 'fast-check'
import {expect, test} from 'vitest'
import {exp, log, rng} from '../numeric/index.ts'
import {directedNetwork} from './directed-network.ts'
import {createLogPrior, type ExclusiveClasses} from './log-prior.ts'
import {type Network, type PairNetwork, pairNetwork} from './pair-network.ts'
import {anyPairs, drawPairs, pairWeights, randomPairs} from './test-pairs.ts'

const statesOf = (m: number) =>
  Array.from({length: 2 ** m}, (_, state) => Uint8Array.from({length: m}, (_, i) => (state >> i) & 1))

function groupOf({prevalence}: PairNetwork, concepts: number[], atMostOne: boolean): ExclusiveClasses {
  return {concepts, atMostOne, prevalence: concepts.map(i => prevalence[i])}
}

/** P(y) of the network times (1 - p) of each class that holds, over P(none) where at most one does; 0 where it is not allowed. */
function slowWeights(network: Network, groups: readonly ExclusiveClasses[], m: number): number[] {
  const {of} = createLogPrior(network)
  return statesOf(m).map(y => {
    let weight = exp(of(y))
    for (const {concepts, atMostOne, prevalence} of groups) {
      const present = concepts.filter(i => y[i] === 1)
      if (present.length > 1 || (present.length === 0 && !atMostOne)) return 0
      const none = Math.max(0.01, 1 - prevalence.reduce((a, b) => a + b))
      for (const i of present) weight *= (1 - prevalence[concepts.indexOf(i)]) / (atMostOne ? none : 1)
    }
    return weight
  })
}

test('createLogPrior(...) sums to 1 over all states and has the ratios of the definition', () => {
  fc.assert(
    fc.property(anyPairs, network => {
      const weights = pairWeights(network)
      const {of, standardError} = createLogPrior(network)
      expect(standardError).toBe(0)
      const shares = statesOf(network.biases.length).map(y => exp(of(y)))
      expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 12)
      for (const [state, share] of shares.entries()) expect(share / shares[0] / weights[state]).toBeCloseTo(1, 10)
    })
  )
})

test('createLogPrior(...) of more than 16 concepts is within 4 of its standard errors of enumeration', () => {
  // 12 draws, couplings up to 2: the chance that one of 12 normal deviations passes 4 is below 1 in 1,000.
  for (const m of [17, 18])
    for (let seed = 0; seed < 6; seed++) {
      const network = drawPairs(m, seed, {spread: 2, prevalence: [0.02, 0.3]})
      const exact = log(pairWeights(network).reduce((sum, weight) => sum + weight))
      const {of, standardError} = createLogPrior(network)
      expect(Math.abs(of(new Uint8Array(m)) + exact)).toBeLessThan(4 * standardError)
      expect(standardError).toBeGreaterThan(0)
      expect(standardError).toBeLessThan(0.05)
    }
})

test('createLogPrior(..., groups) is P(y) over the allowed states, for pairs and directed graphs', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.boolean(), fc.boolean(), (seed, atMostOne, isDirected) => {
      const pairs = randomPairs(6, rng(seed))
      const network = isDirected ? directedNetwork(pairs) : pairs
      const groups = [groupOf(pairs, [0, 2, 3], atMostOne), groupOf(pairs, [1, 5], false)]
      const {of, standardError} = createLogPrior(network, groups)
      const weights = slowWeights(network, groups, 6)
      const total = weights.reduce((a, b) => a + b)
      // Sums of 64 products.
      statesOf(6).forEach((y, at) => {
        expect(exp(of(y))).toBeCloseTo(weights[at] / total, 10)
      })
      expect(standardError).toBe(0)
    })
  )
})

test('createLogPrior(...) without couplings has the prevalences of a group', () => {
  const prevalence = Float64Array.of(0.6, 0.3, 0.1)
  const ones = new Float64Array(9).fill(1)
  const network = pairNetwork({prevalence, couplings: new Float64Array(9), low: ones, high: ones})
  const chances = (group: ExclusiveClasses) =>
    [0, 1, 2].map(i => exp(createLogPrior(network, [group]).of(new Uint8Array(3).with(i, 1))))
  for (const [i, p] of chances(groupOf(network, [0, 1, 2], false)).entries()) expect(p).toBeCloseTo(prevalence[i], 12)
  const some = {concepts: [0, 1], atMostOne: true, prevalence: [0.6, 0.3]}
  const {of} = createLogPrior(network, [some])
  expect(exp(of([0, 0, 0]))).toBeCloseTo(0.1 * 0.9, 12)
  expect(exp(of([1, 0, 0]))).toBeCloseTo(0.6 * 0.9, 12)
  expect(of([1, 1, 0])).toBe(Number.NEGATIVE_INFINITY)
})

test('createLogPrior(...) samples the constant where states are too many, within its standard error', () => {
  const m = 18
  for (const isDirected of [false, true]) {
    const pairs = randomPairs(m, rng(3))
    const network = isDirected ? directedNetwork(pairs, 1) : pairs
    const groups = [groupOf(pairs, [0, 1, 2], false)]
    const {of, standardError} = createLogPrior(network, groups)
    expect(standardError).toBeGreaterThan(0)
    expect(standardError).toBeLessThan(0.1)
    const total = statesOf(m).reduce((sum, y) => sum + exp(of(y)), 0)
    expect(Math.abs(log(total))).toBeLessThan(4 * standardError)
  }
})
