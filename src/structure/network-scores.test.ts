import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {bicScores} from './family-scores.ts'
import type {LatentNetwork} from './latent-network.ts'
import {networkScores, networkTables} from './network-scores.ts'
import {networkTable} from './network-table.ts'
import {searchExact} from './search-exact.ts'

/** Each concept has two of those before it as parents, if there are two; some chances are exactly 0 or 1. */
function randomNetwork(m: number, seed: number): LatentNetwork {
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

describe('networkScores(network, sampleCount)', () => {
  test('networkScores(network, sampleCount) are the BIC scores of the exact tables', () => {
    const network = randomNetwork(7, 3)
    const options = {maxParents: 3, penalty: 1}
    const found = networkScores(network, 5000, options)
    const expected = bicScores(concepts => networkTable(network, concepts), 7, 5000, options)
    // Where a parent is a function of others, families tie and rounding decides which of them is listed first, or at all.
    const best = searchExact(expected)
    expect(searchExact(found).score).toBeCloseTo(best.score, 6)
    expect(found.map(([family]) => family.score.toFixed(6))).toEqual(
      expected.map(([family]) => family.score.toFixed(6))
    )
  })

  test('networkScores(network, sampleCount) takes seconds for in-degree 2 of 50 concepts', {timeout: 20_000}, () => {
    const parents = Array.from({length: 50}, (_, i) => (i < 2 ? [] : [i - 1, i - 2]))
    const cpt = parents.map(list => Float64Array.from({length: 2 ** list.length}, (_, s) => 0.2 + 0.15 * s))
    const scores = networkScores({parents, cpt}, 1e6)
    // Given the two before it, a concept of this chain depends on no other before it: they are its best parents there.
    const before = scores[20].filter(family => family.parents.every(k => k < 20))
    expect(before[0].parents).toEqual([18, 19])
  })
})
