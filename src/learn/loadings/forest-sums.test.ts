import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {expectNear} from '../../../test/expect.ts'
import {assignment} from '../../../test/golden.ts'
import {type BayesNetwork, junctionTree, logPrior} from '../../base/network/index.ts'
import {failureNetwork} from './failure-network.ts'
import {forestSums} from './forest-sums.ts'
import {arbitraryModel} from './test-exact.ts'

const m = 7
const forest = arbitraryModel(m, 1, 1).map(({network}) => network)
const some = <T>(value: fc.Arbitrary<T>, length: number) => fc.array(value, {minLength: length, maxLength: length})
const number = (min: number, max: number) => fc.double({min, max, noNaN: true})

describe('forestSums', () => {
  const weight = fc.oneof(
    {weight: 4, arbitrary: number(1e-3, 3)},
    {weight: 1, arbitrary: fc.constantFrom(0, 1, 1e-40, 1e40)}
  )

  test('logTotal(...) and propagate(...) equal those of the junction tree, zeros among the weights', () => {
    fc.assert(
      fc.property(forest, some(weight, 2 * m), (network, list) => {
        const weights = Float64Array.from(list)
        const [found, expected] = [new Float64Array(m), new Float64Array(m)]
        const {sums, tree} = bothSums(network)
        const total = tree.propagate(weights, expected)
        expect(sums.logTotal(weights)).toBe(sums.propagate(weights, found))
        if (total === Number.NEGATIVE_INFINITY) {
          expect(sums.logTotal(weights)).toBe(total)
          expect(found.every(Number.isNaN)).toBe(true)
          return
        }
        // Sums and products of 7 positive numbers: rounding only.
        expect(Math.abs(sums.logTotal(weights) - total)).toBeLessThan(1e-12 * (1 + Math.abs(total)))
        expectNear(found, expected, 1e-12)
      })
    )
  })

  test('newtonStep(...) changes the means of free concepts as wanted, by the covariance from enumeration', () => {
    const given = fc.tuple(
      forest,
      some(number(0.01, 1), m),
      some(number(-1, 1), m),
      some(fc.integer({min: 0, max: 1}), m)
    )
    fc.assert(
      fc.property(given, ([network, failures, wanted, held]) => {
        const {sums} = bothSums(network)
        const step = new Float64Array(m).fill(9)
        sums.propagate(
          Float64Array.from({length: 2 * m}, (_, at) => (at % 2 ? failures[at >> 1] : 1)),
          step
        )
        sums.newtonStep(Float64Array.from(wanted), Uint8Array.from(held), step)
        const covariance = covarianceOf(network, failures)
        const largest = Math.max(1, ...step.map(Math.abs))
        for (let i = 0; i < m; i++) {
          const change = covariance[i].reduce((sum, c, k) => sum + c * step[k], 0)
          // Rounding, relative to the terms of the sums: the steps and wanted changes.
          if (held[i]) expect(Math.abs(step[i])).toBeLessThan(1e-11 * largest)
          else expect(Math.abs(change - wanted[i])).toBeLessThan(1e-11 * largest)
        }
      })
    )
  })

  test('forestSums(...) neither underflows nor overflows where the sum itself would', () => {
    const count = 3000
    const star: BayesNetwork = {
      parents: Array.from({length: count}, (_, i) => (i === 0 ? [] : [0])),
      cpt: Array.from({length: count}, (_, i) => (i === 0 ? Float64Array.of(0.5) : Float64Array.of(0.2, 0.3)))
    }
    const {sums, tree} = bothSums(star)
    for (const factor of [1e-3, 1e-90, 1e90]) {
      const weights = new Float64Array(2 * count).fill(factor)
      const [found, expected] = [new Float64Array(count), new Float64Array(count)]
      const total = tree.propagate(weights, expected)
      expect(Math.abs(sums.propagate(weights, found) / total - 1)).toBeLessThan(1e-12)
      // 3,000 products, each rounded.
      expectNear(found, expected, 1e-11)
    }
  })

  test('forestSums(...) is undefined where a concept has two parents, or for a cycle', () => {
    const half = (count: number) => new Float64Array(count).fill(0.5)
    expect(forestSums({parents: [[], [], [0, 1]], cpt: [half(1), half(1), half(4)]})).toBeUndefined()
    expect(forestSums({parents: [[1], [0]], cpt: [half(2), half(2)]})).toBeUndefined()
  })
})

describe('failureNetwork', () => {
  test('failureNetwork(...) on a forest finds what it finds with estimated covariances over the junction tree', () => {
    const ratio = fc.oneof(
      {weight: 3, arbitrary: fc.constant(1)},
      {weight: 3, arbitrary: number(0.05, 3)},
      {weight: 1, arbitrary: fc.constantFrom(0, 1e-6, 50, Number.NaN)}
    )
    fc.assert(
      fc.property(forest, some(ratio, 2 * m), fc.option(number(0.01, 1)), (network, list, known) => {
        const {sums, tree} = bothSums(network)
        const ratios = Float64Array.from(list)
        const fixed = new Map(known === null ? [] : [[3, Float64Array.of(known, 1)]])
        const [fast, slow] = [sums, tree].map(by => failureNetwork(by, ratios, 2, fixed))
        expect([fast.unfinished, slow.unfinished]).toEqual([0, 0])
        // Each ends within 1e-10 of what a single failure would change to; correlated concepts multiply that.
        for (const [at, failure] of fast.failure.entries())
          if (Number.isNaN(slow.failure[at])) expect(failure).toBeNaN()
          else expect(Math.abs(failure / slow.failure[at] - 1) || 0).toBeLessThan(1e-7)
      })
    )
  })

  test('failureNetwork(...) on a forest goes on where concepts nearly always, or always, come together, or never', () => {
    const network: BayesNetwork = {
      parents: [[], [0], [1], [0], [3]],
      cpt: [[0.05], [1e-4, 1 - 1e-4], [0, 1], [0, 0], [0.3, 0.6]].map(row => Float64Array.from(row))
    }
    const {failure, unfinished} = failureNetwork(bothSums(network).sums, Float64Array.of(0.3, 0.31, 0.31, 0.5, 0.4), 1)
    expect(unfinished).toBe(0)
    expect(failure[3]).toBeNaN()
    expect(failure[4]).toBeCloseTo(0.4, 9)
    // 1 and 2 are one, so only their product is determined; all three together give the ratio of 0, of which a part beyond 1 is clipped.
    const [f0, f1, f2] = failure.map(f => Math.min(f, 1))
    const others = (p: number) => 1 - p + p * f1 * f2
    expect((failure[0] * others(1 - 1e-4)) / others(1e-4)).toBeCloseTo(0.3, 8)
    expect(f0 * f1 * f2).toBeCloseTo(0.3, 2)
  })
})

function bothSums(network: BayesNetwork) {
  const [sums, tree] = [forestSums(network), junctionTree(network)]
  if (sums === undefined || tree === undefined) throw new Error('not a forest')
  return {sums, tree}
}

/** Of P(y) prod_i failures[i]^y_i, normalised. */
function covarianceOf(network: BayesNetwork, failures: readonly number[]): number[][] {
  const states = Array.from({length: 2 ** m}, (_, state) => {
    const y = assignment(state, m)
    return {
      y,
      weight: y.reduce((product, on, i) => (on ? product * failures[i] : product), Math.exp(logPrior(network, y)))
    }
  })
  const mean = (value: (y: readonly number[]) => number) =>
    states.reduce((sum, {y, weight}) => sum + weight * value(y), 0) / states.reduce((sum, {weight}) => sum + weight, 0)
  const means = Array.from({length: m}, (_, i) => mean(y => y[i]))
  return means.map((p, i) => means.map((q, k) => mean(y => (y[i] - p) * (y[k] - q))))
}
