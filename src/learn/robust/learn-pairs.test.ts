import fc from 'fast-check'
import {expect, test} from 'vitest'
import {networkTable} from '../../base/network/index.ts'
import {learnPairs, oddsOfLift} from './learn-pairs.ts'
import {alone, countsOf, coupled, ratesOf} from './test-anchor-counts.ts'

test('oddsOfLift(...) is the lift of rare concepts, rises with it, and leaves every cell of the table above 0', () => {
  const chance = fc.double({min: 1e-3, max: 0.9, noNaN: true})
  const modes = fc.constantFrom('noise', 'related')
  fc.assert(
    fc.property(chance, chance, fc.double({min: 0.02, max: 50, noNaN: true}), modes, (pi, pk, lift, mode) => {
      const odds = oddsOfLift(pi, pk, lift, mode)
      expect(odds).toBeGreaterThan(0)
      expect(odds).toBeLessThan(1e8)
      expect(oddsOfLift(pk, pi, lift, mode)).toBeCloseTo(odds, 9)
      expect(oddsOfLift(pi, pk, lift * 1.1, mode)).toBeGreaterThanOrEqual(odds * (1 - 1e-9))
      expect(odds > 1).toBe(lift > 1)
    })
  )
  // To first order in the prevalences.
  for (const lift of [0.2, 1, 3]) {
    expect(oddsOfLift(1e-4, 2e-4, lift, 'related')).toBeCloseTo(lift, 2)
    expect(oddsOfLift(1e-4, 2e-4, lift, 'noise')).toBeCloseTo(lift, 2)
  }
})

test('learnPairs(...) couples independent anchors hardly at all, and draws no edge', () => {
  const network = alone(10, 0.15)
  const rates = ratesOf(network, 0.7, 0.01)
  const {network: pairs, certificate, moments} = learnPairs(countsOf(network, rates, 20000, 1), rates)
  // Some 250 documents have both anchors: without other pairs a log lift has a standard error of .075. Lifts learned from
  // all 45 pairs, of which independence is one, shrink it; measured .004 at most.
  for (const coupling of pairs.couplings) expect(Math.abs(coupling)).toBeLessThan(0.02)
  expect(certificate).toEqual({
    method: 'pairs',
    status: 'optimal',
    couplings: 45,
    edges: 0,
    couplingShare: 1,
    residual: expect.closeTo(0, 9)
  })
  expect(moments.status).toBe('optimal')
  expect([...pairs.prevalence]).toEqual([...rates.prevalence])
})

test('learnPairs(...) recovers the lifts of concepts from anchors with noise, given their rates', () => {
  const network = coupled([
    [0.1, 0.05, 0.4],
    [0.2, 0.1, 0.1],
    [0.1, 0.2, 0.03],
    [0.15, 0.1, 0.3]
  ])
  const rates = ratesOf(network, 0.6, 0.05)
  const {network: pairs, certificate} = learnPairs(countsOf(network, rates, 60000, 2), rates)
  const liftOf = (i: number, k: number) =>
    networkTable(network, [i, k])[3] / (rates.prevalence[i] * rates.prevalence[k])
  for (const [i, k] of [
    [0, 1],
    [4, 5],
    [6, 7]
  ]) {
    const at = i * 8 + k
    // With 300 to 1,700 documents that have both anchors, some of them by chance, a log lift is known to about .06 (.15
    // where concepts exclude each other); the grid has steps of .25.
    const odds = oddsOfLift(rates.prevalence[i], rates.prevalence[k], liftOf(i, k), 'noise')
    expect(Math.abs(pairs.couplings[at] - Math.log(odds))).toBeLessThan(odds > 1 ? 0.25 : 0.6)
    expect(pairs.low[at]).toBeLessThan(odds)
    expect(pairs.high[at]).toBeGreaterThan(odds)
    expect(pairs.low[at] > 1 || pairs.high[at] < 1).toBe(true)
  }
  expect(certificate.edges).toBe(3)
})

test('learnPairs(...) takes a single concept, and an anchor that never fires', () => {
  const one = alone(1, 0.2)
  const single = learnPairs(countsOf(one, ratesOf(one, 0.7, 0.01), 100, 4), ratesOf(one, 0.7, 0.01))
  expect(single.certificate).toMatchObject({couplings: 0, edges: 0, status: 'optimal'})
  const two = alone(2, 0.2)
  const silent = {
    ...ratesOf(two, 0.7, 0.01),
    truePositive: Float64Array.of(0.7, 0),
    falsePositive: Float64Array.of(0.01, 0)
  }
  const {network} = learnPairs(countsOf(two, silent, 100, 5), silent)
  // The prior alone, which is symmetric: but for rounding.
  expect(network.couplings[1]).toBeCloseTo(0, 12)
  expect(network.low[1]).toBeLessThan(1)
  expect(network.high[1]).toBeGreaterThan(1)
})
