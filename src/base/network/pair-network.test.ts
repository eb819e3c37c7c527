import fc from 'fast-check'
import {expect, test} from 'vitest'
import {jointTable, networkEdges, pairNetwork} from './pair-network.ts'
import {drawPairs, marginalsOf, pairsOf, pairWeights} from './test-pairs.ts'

const chance = fc.double({min: 1e-4, max: 1 - 1e-4, noNaN: true})

test('jointTable(...) has the singles and the log odds ratio that were asked for, and no cell below 0', () => {
  fc.assert(
    fc.property(chance, chance, fc.double({min: -4, max: 4, noNaN: true}), (pi, pk, logOddsRatio) => {
      const [none, second, first, both] = jointTable(pi, pk, logOddsRatio)
      for (const cell of [none, second, first, both]) expect(cell).toBeGreaterThan(0)
      expect(first + both).toBeCloseTo(pi, 14)
      expect(second + both).toBeCloseTo(pk, 14)
      expect(none + second + first + both).toBeCloseTo(1, 14)
      // Cells down to 1e-10 are differences of numbers near 1.
      expect(Math.log((none * both) / (second * first))).toBeCloseTo(logOddsRatio, 4)
    })
  )
})

test('pairNetwork(...) has exactly the prevalences and the tables of its pairs when the pairs are a tree', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({min: 2, max: 8}), (seed, m) => {
      const {prevalence, couplings} = drawPairs(m, seed, {spread: 3})
      const edges = Array.from({length: m - 1}, (_, k) => [Math.abs(seed) % (k + 1), k + 1] as const)
      const network = pairsOf(
        [...prevalence],
        edges.map(([i, k]) => [i, k, couplings[i * m + k]])
      )
      const weights = pairWeights(network)
      const total = weights.reduce((sum, weight) => sum + weight)
      const found = marginalsOf(weights, m)
      for (let i = 0; i < m; i++) expect(found[i]).toBeCloseTo(prevalence[i], 12)
      for (const [i, k] of edges) {
        const both = weights.reduce((sum, weight, state) => ((state >> i) & (state >> k) & 1 ? sum + weight : sum), 0)
        expect(both / total).toBeCloseTo(jointTable(prevalence[i], prevalence[k], couplings[i * m + k])[3], 12)
      }
    })
  )
})

test('networkEdges(...) are the pairs whose interval excludes 1, the commoner concept first, ordered by the second', () => {
  const network = pairsOf(
    [0.1, 0.3, 0.1],
    [
      [0, 1, 0.6],
      [0, 2, -0.6],
      [1, 2, 0.4]
    ]
  )
  expect(networkEdges(network)).toEqual([
    [1, 0],
    [0, 2]
  ])
  const {biases: _, ...parts} = network
  const touching = pairNetwork({...parts, low: parts.low.map(() => 1), high: parts.high.map(() => 1)})
  expect(networkEdges(touching)).toEqual([])
  expect(networkEdges({...touching, required: [[2, 0]]})).toEqual([[0, 2]])
})
