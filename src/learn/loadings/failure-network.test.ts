import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {expectNear} from '../../../test/expect.ts'
import {goldenNames, readGolden, truthLoadings, truthNetwork} from '../../../test/golden.ts'
import {type BayesNetwork, junctionTree} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {failureDirect} from './failure.ts'
import {failureNetwork, sampledSums} from './failure-network.ts'
import {arbitraryModel, exactWordMoments} from './test-exact.ts'

describe('failureNetwork', () => {
  test.each(goldenNames)('failureNetwork(...) gives back the true failures of %s from exact moments', name => {
    const golden = readGolden(name)
    const network = truthNetwork(golden)
    const ratios = failureDirect(exactWordMoments(network, truthLoadings(golden), []))
    const {failure, residual, steps, unfinished} = failureNetwork(treeOf(network), ratios, golden.n)
    expectNear(failure, golden.truth.failures.flat(), 1e-9)
    expect(residual).toBeLessThanOrEqual(1e-10)
    expect(unfinished).toBe(0)
    expect(steps).toBeGreaterThan(golden.n)
    expect(steps).toBeLessThan(15 * golden.n)
  })

  test('failureNetwork(...) finds the failures of any graph', () => {
    fc.assert(
      fc.property(arbitraryModel(6, 2), ({network, loadings}) => {
        const ratios = failureDirect(exactWordMoments(network, loadings, []))
        const {failure, unfinished} = failureNetwork(treeOf(network), ratios, 2)
        expectNear(failure, loadings.failure, 1e-9)
        expect(unfinished).toBe(0)
      })
    )
  })

  test('failureNetwork(...) solves any ratios: each failure within the bounds is what the others leave to it', () => {
    const ratio = fc.oneof(fc.double({min: 0.05, max: 3, noNaN: true}), fc.constantFrom(0, 1e-6, 50, Number.NaN))
    fc.assert(
      fc.property(arbitraryModel(5, 1), fc.array(ratio, {minLength: 5, maxLength: 5}), ({network}, list) => {
        const ratios = Float64Array.from(list)
        const {failure, unfinished} = failureNetwork(treeOf(network), ratios, 1)
        expect(unfinished).toBe(0)
        const clipped = failure.map(f => (Number.isNaN(f) ? 1 : Math.min(Math.max(f, 1e-3), 1)))
        // With the clipped failures the direct estimator says r / f * (the clipped f), by enumeration.
        const loadings = {conceptCount: 5, wordCount: 1, failure: clipped, leak: Float64Array.of(0)}
        const found = failureDirect(exactWordMoments(network, loadings, []))
        for (let i = 0; i < 5; i++)
          if (Number.isNaN(ratios[i])) expect(failure[i]).toBeNaN()
          else expect(Math.abs((failure[i] * found[i]) / clipped[i] - ratios[i])).toBeLessThan(1e-8 * (1 + ratios[i]))
      })
    )
  })

  test('failureNetwork(...) is failureDirect(...) when the concepts are independent, however much is clipped', () => {
    const network: BayesNetwork = {parents: [[], [], []], cpt: [0.1, 0.4, 0.8].map(p => Float64Array.of(p))}
    const ratios = Float64Array.of(0.3, 1.7, 0.9, 1e-5, 1, 0.5)
    expectNear(failureNetwork(treeOf(network), ratios, 2).failure, ratios, 1e-9)
  })

  test('failureNetwork(...) leaves fixed failures as they are and fits the others to them', () => {
    const golden = readGolden('m8')
    const {n, truth} = golden
    const network = truthNetwork(golden)
    const ratios = failureDirect(exactWordMoments(network, truthLoadings(golden), []))
    const rows = new Map([1, 4].map(i => [i, Float64Array.from(truth.failures[i])]))
    // What the ratios say of a fixed concept does not count.
    const blurred = ratios.map((ratio, at) => (rows.has(Math.floor(at / n)) ? Number.NaN : ratio))
    expectNear(failureNetwork(treeOf(network), blurred, n, rows).failure, truth.failures.flat(), 1e-9)
    const wrong = failureNetwork(treeOf(network), ratios, n, new Map([[1, new Float64Array(n).fill(0.5)]])).failure
    expect(wrong.subarray(n, 2 * n)).toEqual(new Float64Array(n).fill(0.5))
    expect(Math.max(...wrong.map((f, at) => (at < n ? Math.abs(f - ratios[at]) : 0)))).toBeGreaterThan(0.01)
  })

  test('failureNetwork(...) goes on where concepts nearly always come together', () => {
    const copies = Float64Array.of(1e-4, 1 - 1e-4)
    const network: BayesNetwork = {
      parents: [[], [0], [1], [0, 2]],
      cpt: [Float64Array.of(0.05), copies, copies, Float64Array.of(1e-6, 0.5, 0.5, 1 - 1e-6)]
    }
    const loadings = {
      conceptCount: 4,
      wordCount: 2,
      failure: Float64Array.of(0.5, 1, 0.7, 0.02, 1, 1, 0.9, 0.3),
      leak: Float64Array.of(0.1, 0)
    }
    const ratios = failureDirect(exactWordMoments(network, loadings, []))
    const {failure, unfinished} = failureNetwork(treeOf(network), ratios, 2)
    expect(unfinished).toBe(0)
    // The equations are solved to 1e-10; correlations of 0.998 spread that over the failures.
    expectNear(failure, loadings.failure, 1e-6)
    // In a few draws they are one: the failures are not determined, but something that solves the equations is found.
    expect(failureNetwork(sampledSums(network, 300, rng(2)), ratios, 2).unfinished).toBe(0)
  })

  test('failureNetwork(...) says which words it could not finish, and how far they were', () => {
    // Sums that promise more with every call and never come nearer.
    let calls = 0
    const stuck = {
      conceptCount: 2,
      propagate: (_: Float64Array, marginals: Float64Array) => {
        marginals.fill(0.5)
        return -calls++
      }
    }
    const {unfinished, residual, steps} = failureNetwork(stuck, Float64Array.of(1, 0.5, 1, 0.8), 2)
    expect(unfinished).toBe(1)
    expect(residual).toBeGreaterThan(0.1)
    expect(steps).toBe(100)
  })

  test('failureNetwork(...) goes on where draws never have a concept, or two always together', () => {
    const network: BayesNetwork = {
      parents: [[], [0], []],
      cpt: [Float64Array.of(0.5), Float64Array.of(1e-6, 1 - 1e-6), Float64Array.of(1e-6)]
    }
    const {failure, unfinished} = failureNetwork(sampledSums(network, 100, rng(1)), Float64Array.of(0.4, 0.4, 0.5), 1)
    expect(unfinished).toBe(0)
    // Nothing tells the two apart; together they make the ratio. Of the third the draws say nothing.
    expect(failure[0] * failure[1]).toBeCloseTo(0.4, 9)
    expect(failure[2]).toBeNaN()
  })

  test('failureNetwork(...) over draws of y comes as near to the truth as so many documents with known concepts', () => {
    const golden = readGolden('m8')
    const network = truthNetwork(golden)
    const ratios = failureDirect(exactWordMoments(network, truthLoadings(golden), []))
    const error = (samples: number) => {
      const {failure, unfinished} = failureNetwork(sampledSums(network, samples, rng(1)), ratios, golden.n)
      expect(unfinished).toBe(0)
      const truth = golden.truth.failures.flat()
      return Math.sqrt(failure.reduce((sum, f, at) => sum + (Math.min(f, 1) - truth[at]) ** 2, 0) / failure.length)
    }
    // Errors fall as one over the root of the draws, here to 0.22; twice that for chance.
    expect(error(20_000)).toBeLessThan(0.45 * error(1000))
    expect(error(20_000)).toBeLessThan(0.005)
  })
})

function treeOf(network: BayesNetwork) {
  const tree = junctionTree(network)
  if (tree === undefined) throw new Error('too wide')
  return tree
}

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
