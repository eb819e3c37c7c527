import fc from 'fast-check'
import {expect, test} from 'vitest'
import {logPrior} from './bayes-network.ts'
import {directedNetwork, familyTable} from './directed-network.ts'
import {topologicalOrder} from './graph.ts'
import {networkMarginals, networkTable} from './network-table.ts'
import {jointTable} from './pair-network.ts'
import {drawNetwork} from './test-networks.ts'
import {anyPairs, drawPairs, pairsOf, pairWeights} from './test-pairs.ts'

test('directedNetwork(...) returns a Bayesian network as it is', () => {
  const network = drawNetwork(6, 2)
  expect(directedNetwork(network)).toBe(network)
})

test('directedNetwork(...) equals P(y) of the pairs when they are a star around the commonest concept', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({min: 2, max: 8}), fc.constantFrom(1, 4), (seed, m, limit) => {
      const {prevalence, couplings} = drawPairs(m, seed, {spread: 3})
      const network = pairsOf(
        [0.5, ...prevalence.subarray(1)],
        Array.from({length: m - 1}, (_, at) => [0, at + 1, couplings[at + 1]])
      )
      const directed = directedNetwork(network, limit)
      const weights = pairWeights(network)
      const total = weights.reduce((sum, weight) => sum + weight)
      weights.forEach((weight, state) => {
        const y = Uint8Array.from({length: m}, (_, i) => (state >> i) & 1)
        expect(Math.exp(logPrior(directed, y)) / (weight / total)).toBeCloseTo(1, 9)
      })
    })
  )
})

test('directedNetwork(..., limit) is a graph of commoner parents, at most so many, with sound tables', () => {
  fc.assert(
    fc.property(anyPairs, fc.integer({min: 0, max: 4}), (network, limit) => {
      const {parents, cpt} = directedNetwork(network, limit)
      expect(topologicalOrder(parents)).toHaveLength(network.prevalence.length)
      parents.forEach((list, k) => {
        expect(list.length).toBeLessThanOrEqual(limit)
        for (const i of list) expect(network.prevalence[i]).toBeGreaterThanOrEqual(network.prevalence[k])
        expect(cpt[k]).toHaveLength(2 ** list.length)
        for (const p of cpt[k]) expect(p >= 1e-5 && p <= 1 - 1e-5).toBe(true)
      })
    })
  )
})

test('directedNetwork(..., 1) has exactly the prevalences and the table of every edge', () => {
  fc.assert(
    fc.property(anyPairs, network => {
      const {prevalence: p, couplings} = network
      const directed = directedNetwork(network, 1)
      const found = networkMarginals(directed)
      // Rows are kept 1e-5 away from certainty; nothing here is nearer.
      for (const [i, share] of found.entries()) expect(share).toBeCloseTo(p[i], 10)
      directed.parents.forEach(([i], k) => {
        if (i === undefined) return
        const wanted = jointTable(p[i], p[k], couplings[i * p.length + k])
        for (const [cell, share] of networkTable(directed, [i, k]).entries())
          expect(share).toBeCloseTo(wanted[cell], 10)
      })
    })
  )
})

test('familyTable(...) has the pairs that were asked for and no interaction of three where such a table exists', () => {
  // P(y) = exp(b y + J y y) / Z has the greatest entropy of all tables with its pairs.
  fc.assert(
    fc.property(fc.integer(), fc.integer({min: 2, max: 4}), (seed, k) => {
      const weights = pairWeights(drawPairs(k, seed, {spread: 0.5, prevalence: [0.2, 0.6]}))
      const total = weights.reduce((sum, weight) => sum + weight)
      const on = (state: number, a: number) => (state >> a) & 1
      const tableOf = (a: number, b: number) => {
        const table = [0, 0, 0, 0]
        weights.forEach((weight, state) => {
          table[2 * on(state, a) + on(state, b)] += weight / total
        })
        return table
      }
      const single = (a: number) => weights.reduce((sum, weight, state) => sum + (on(state, a) * weight) / total, 0)
      const found = familyTable(
        Array.from({length: k}, (_, a) => single(a)),
        tableOf
      )
      weights.forEach((weight, state) => {
        const cell = Array.from({length: k}, (_, a) => on(state, a)).reduce((sum, value) => 2 * sum + value, 0)
        // Five sweeps of iterative scaling; measured at couplings up to 0.5: below 1e-5.
        expect(Math.abs(found[cell] - weight / total)).toBeLessThan(1e-4)
      })
    })
  )
})
