import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {BayesNetwork} from './bayes-network.ts'
import {networkMarginals, networkTable} from './network-table.ts'
import {classicNetwork, libraryIsThere} from './test-bif.ts'
import {sparseNetwork, sumsByEnumeration, tableByEnumeration} from './test-networks.ts'

test('networkTable(...) equals enumeration on any network and any variables in any order', () => {
  const cases = sparseNetwork.chain(network =>
    fc.tuple(fc.constant(network), fc.shuffledSubarray([...network.parents.keys()]))
  )
  fc.assert(
    fc.property(cases, ([network, variables]) => {
      const expected = tableByEnumeration(network, variables)
      const found = networkTable(network, variables)
      expect(found).toHaveLength(expected.length)
      for (const [cell, value] of found.entries()) expect(value).toBeCloseTo(expected[cell], 12)
    })
  )
})

test('networkMarginals(...) equals enumeration, whatever is known', () => {
  const cases = sparseNetwork.chain(network => {
    const m = network.parents.length
    return fc.tuple(fc.constant(network), fc.array(fc.constantFrom(-1, -1, -1, 0, 1), {minLength: m, maxLength: m}))
  })
  fc.assert(
    fc.property(cases, ([network, known]) => {
      const weights = known.flatMap(value => (value < 0 ? [1, 1] : [1 - value, value]))
      const {total, present} = sumsByEnumeration(network, weights)
      if (total === 0) expect(() => networkMarginals(network, known)).toThrow(/known values have probability 0/)
      else
        for (const [i, value] of networkMarginals(network, known).entries()) {
          expect(value).toBeCloseTo(present[i] / total, 10)
          if (known[i] >= 0) expect(value).toBe(known[i])
        }
      const free = sumsByEnumeration(network).present
      for (const [i, value] of networkMarginals(network).entries()) expect(value).toBeCloseTo(free[i], 12)
    })
  )
})

test('networkMarginals(...) explains away: one cause that is known makes the other less likely', () => {
  const v: BayesNetwork = {
    parents: [[], [], [0, 1]],
    cpt: [[0.1], [0.1], [0.01, 0.9, 0.9, 0.95]].map(p => Float64Array.from(p))
  }
  const cause = (...known: number[]) => networkMarginals(v, known)[0]
  expect(cause(-1, 1, -1)).toBeCloseTo(0.1, 12)
  expect(cause(-1, -1, 1)).toBeGreaterThan(0.5)
  expect(cause(-1, 1, 1)).toBeCloseTo((0.1 * 0.95) / (0.1 * 0.95 + 0.9 * 0.9), 12)
})

const chain = Array.from({length: 500}, (_, i) => (i === 0 ? [] : [i - 1]))
const chainTables = chain.map(list => new Float64Array(2 ** list.length).fill(0.2))

test('networkTable(...) looks at ancestors alone: what is wide elsewhere is no hindrance', () => {
  const parents = [[], [0], [...Array(30).keys()].map(k => (k < 2 ? k : k + 1)), ...Array.from({length: 29}, () => [])]
  const wide = {
    parents,
    cpt: [Float64Array.of(0.3), Float64Array.of(0.1, 0.5), ...parents.slice(2).map(() => Float64Array.of(0.5))]
  }
  expect(networkTable(wide, [1, 0])[3]).toBeCloseTo(0.15, 12)
  expect(() => networkTable(wide, [2])).toThrow(
    /need tables of 31 variables, .* the limits are 21 and 1.7e\+7; sample instead/
  )
  expect(() => networkMarginals(wide)).toThrow(/need tables of 31 variables/)
})

test('networkTable(...) and networkMarginals(...) refuse a cycle, and concepts that are not there or asked for twice', () => {
  const loop = {parents: [[1], [0]], cpt: chainTables.slice(1, 3)}
  expect(() => networkMarginals(loop)).toThrow(/cycle/)
  expect(() => networkTable(loop, [0])).toThrow(/cycle/)
  const pair = {parents: [[], [0]], cpt: chainTables.slice(0, 2)}
  for (const variables of [[0, 0], [2], [-1], [0.5]])
    expect(() => networkTable(pair, variables)).toThrow(/distinct numbers from 0 to 1; got/)
  expect(() => networkMarginals(pair, [1])).toThrow(/one per variable; expected 2, got 1/)
  expect(() => networkMarginals(pair, [1, 2])).toThrow(/known value of variable 1 must be -1 .* got 2/)
})

test.runIf(libraryIsThere)('networkTable(...) and networkMarginals(...) agree on win95pts and andes', () => {
  for (const name of ['win95pts', 'andes']) {
    const {network} = classicNetwork(name)
    const marginals = networkMarginals(network)
    const given = networkMarginals(
      network,
      marginals.map((_, k) => (k === 5 ? 0 : -1))
    )
    for (const i of [0, 20, 40, marginals.length - 1]) {
      const [neither, alone, first] = networkTable(network, [5, i])
      expect(networkTable(network, [i])[1]).toBeCloseTo(marginals[i], 10)
      expect(alone / (neither + alone)).toBeCloseTo(given[i], 10)
      expect(neither + first).toBeCloseTo(1 - marginals[i], 10)
    }
  }
})

test.runIf(libraryIsThere)('networkMarginals(...) gives the published figures of asia', () => {
  const {network, names} = classicNetwork('asia')
  const marginals = networkMarginals(network)
  const of = (name: string) => marginals[names.indexOf(name)]
  // Lauritzen and Spiegelhalter (1988): P(lung) = 0.055, P(either) = 0.0648, P(xray) = 0.110, P(dysp) = 0.436.
  expect([of('lung'), of('either'), of('xray'), of('dysp')].map(p => p.toFixed(4))).toEqual([
    '0.0550',
    '0.0648',
    '0.1103',
    '0.4360'
  ])
})
