import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {bicScores} from '../../learn/structure/index.ts'
import {rng} from '../numeric/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {networkTable} from './network-table.ts'
import {networkTables} from './network-tables.ts'

/** Each concept has two of those before it as parents, if there are two; some chances are exactly 0 or 1. */
function randomNetwork(m: number, seed: number): BayesNetwork {
  const random = rng(seed)
  const chance = () => {
    const u = random.next()
    return u < 0.1 ? 0 : u > 0.9 ? 1 : u
  }
  const parents = Array.from({length: m}, (_, i) => (i < 2 ? [] : [i - 1, Math.floor(random.next() * (i - 1))]))
  return {parents, cpt: parents.map(list => Float64Array.from({length: 2 ** list.length}, chance))}
}

describe('networkTables(network)', () => {
  test('networkTables(network) gives the tables of networkTable, asked for in any order', () => {
    fc.assert(
      fc.property(fc.integer({min: 4, max: 9}), fc.integer(), (m, seed) => {
        const network = randomNetwork(m, seed)
        const tables = networkTables(network)
        const random = rng(seed).stream('sets')
        for (let n = 0; n < 12; n++) {
          const concepts = Array.from({length: m}, (_, i) => i).filter(() => random.next() < 0.4)
          if (concepts.length === 0) continue
          const exact = networkTable(network, concepts)
          Array.from(tables(concepts)).forEach((cell, at) => {
            expect(cell).toBeCloseTo(exact[at], 12)
          })
        }
      }),
      {numRuns: 40}
    )
  })
})

test('networkTables(network) serves the scores of in-degree 2 of 50 concepts in moments', () => {
  const parents = Array.from({length: 50}, (_, i) => (i < 2 ? [] : [i - 1, i - 2]))
  const cpt = parents.map(list => Float64Array.from({length: 2 ** list.length}, (_, s) => 0.2 + 0.15 * s))
  const scores = bicScores(networkTables({parents, cpt}), 50, 1e6)
  // Given the two before it, a concept of this chain depends on no other before it: they are its best parents there.
  const before = scores[20].filter(family => family.parents.every(k => k < 20))
  expect(before[0].parents).toEqual([18, 19])
})
