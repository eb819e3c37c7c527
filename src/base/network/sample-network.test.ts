import fc from 'fast-check'
import {expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {networkMarginals} from './network-table.ts'
import {sampleNetwork} from './sample-network.ts'
import {classicNetwork, libraryIsThere} from './test-bif.ts'
import {drawNetwork, sparseNetwork, tableByEnumeration, weighedAssignments} from './test-networks.ts'

/** Every assignment within 5 standard errors of its share; what cannot be is never drawn. */
function expectShares(rows: Uint8Array, shares: Float64Array): void {
  const m = Math.log2(shares.length)
  const count = rows.length / m
  const seen = new Float64Array(shares.length)
  for (let row = 0; row < count; row++)
    seen[rows.subarray(row * m, (row + 1) * m).reduce((cell, y) => 2 * cell + y, 0)] += 1 / count
  for (const [cell, share] of shares.entries())
    expect(Math.abs(seen[cell] - share)).toBeLessThanOrEqual(5 * Math.sqrt((share * (1 - share)) / count) + 1e-12)
}

test.each([1, 2, 3])('sampleNetwork(...) draws every assignment as often as P(Y) says (network %i)', seed => {
  const network = drawNetwork(5, seed)
  expectShares(sampleNetwork(network, 20_000, rng(seed)), tableByEnumeration(network, [0, 1, 2, 3, 4]))
})

test.each([1, 2, 3])('sampleNetwork(...) draws from P(Y | known) where some are known (network %i)', seed => {
  const network = drawNetwork(5, seed, {certain: 0})
  const known = [-1, 1, -1, -1, 0]
  const weights = [1, 1, 0, 1, 1, 1, 1, 1, 1, 0]
  const table = tableByEnumeration(network, [0, 1, 2, 3, 4], weights)
  const total = table.reduce((sum, share) => sum + share)
  expectShares(
    sampleNetwork(network, 20_000, rng(seed), {known}),
    table.map(share => share / total)
  )
})

test('sampleNetwork(...) never contradicts what is known, nor draws what cannot be', () => {
  fc.assert(
    fc.property(sparseNetwork, fc.integer(), (network, seed) => {
      const m = network.parents.length
      const possible = [...weighedAssignments(network)].filter(({share}) => share > 0).map(({y}) => y)
      const known = Int8Array.from(possible[Math.abs(seed) % possible.length], (y, i) => (i % 2 === 0 ? y : -1))
      const rows = sampleNetwork(network, 5, rng(seed), {known})
      const texts = new Set(possible.map(String))
      for (let row = 0; row < 5; row++) {
        const y = rows.subarray(row * m, (row + 1) * m)
        expect(texts).toContain(String(y))
        for (let i = 0; i < m; i += 2) expect(y[i]).toBe(known[i])
      }
    })
  )
})

test('sampleNetwork(...) gives the same rows for the same seed, and others for another', () => {
  const network = drawNetwork(10, 4)
  const draw = (seed: number, known?: number[]) => sampleNetwork(network, 20, rng(seed), {known})
  expect(draw(1)).toEqual(draw(1))
  expect(draw(1)).not.toEqual(draw(2))
  const unknown = Array.from({length: 10}, () => -1)
  expect(draw(1, unknown)).toEqual(draw(1, unknown))
  expect(sampleNetwork(network, 0, rng(1))).toHaveLength(0)
})

test('sampleNetwork(...) refuses bad counts, a cycle, what cannot be, and known entries that do not fit', () => {
  const network = {parents: [[], [0]], cpt: [Float64Array.of(0.5), Float64Array.of(0, 1)]}
  for (const count of [-1, 0.5, Number.NaN])
    expect(() => sampleNetwork(network, count, rng(1))).toThrow(/`count` must be a whole number, at least 0; got/)
  expect(() => sampleNetwork({...network, parents: [[1], [0]]}, 1, rng(1))).toThrow(/cycle/)
  expect(() => sampleNetwork(network, 1, rng(1), {known: [0, 1]})).toThrow(/known values have probability 0/)
  expect(() => sampleNetwork(network, 1, rng(1), {known: [1]})).toThrow(/one per variable/)
})

test.runIf(libraryIsThere)('sampleNetwork(...) agrees with networkMarginals(...) on win95pts given a fault', () => {
  const {network} = classicNetwork('win95pts')
  const m = network.parents.length
  const free = networkMarginals(network)
  const rarest = free.indexOf(free.filter(p => p > 0).reduce((low, p) => Math.min(low, p)))
  const known = free.map((_, i) => (i === rarest ? 1 : -1))
  const expected = networkMarginals(network, known)
  const count = 4000
  const rows = sampleNetwork(network, count, rng(9), {known})
  for (const [i, p] of expected.entries()) {
    let seen = 0
    for (let row = 0; row < count; row++) seen += rows[row * m + i]
    expect(Math.abs(seen / count - p)).toBeLessThanOrEqual(5 * Math.sqrt((p * (1 - p)) / count) + 1e-9)
  }
})
