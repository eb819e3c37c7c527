import fc from 'fast-check'
import {expect, test} from 'vitest'
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

test('networkMarginals(...) equals enumeration', () => {
  fc.assert(
    fc.property(sparseNetwork, network => {
      const {present} = sumsByEnumeration(network)
      for (const [i, value] of networkMarginals(network).entries()) expect(value).toBeCloseTo(present[i], 12)
    })
  )
})

test('networkTable(...) looks at ancestors alone: what is wide elsewhere is no hindrance', () => {
  const parents = [[], [0], [...Array(30).keys()].map(k => (k < 2 ? k : k + 1)), ...Array.from({length: 29}, () => [])]
  const wide = {
    parents,
    cpt: [Float64Array.of(0.3), Float64Array.of(0.1, 0.5), ...parents.slice(2).map(() => Float64Array.of(0.5))]
  }
  expect(networkTable(wide, [1, 0])[3]).toBeCloseTo(0.15, 12)
  expect(() => networkTable(wide, [2])).toThrow(/need tables of more than 2\^24 numbers; sample instead/)
  expect(() => networkMarginals(wide)).toThrow(/need tables of more than/)
})

test('networkTable(...) and networkMarginals(...) refuse a cycle, and concepts that are not there or asked for twice', () => {
  const loop = {parents: [[1], [0]], cpt: [Float64Array.of(0.2, 0.2), Float64Array.of(0.2, 0.2)]}
  expect(() => networkMarginals(loop)).toThrow(/cycle/)
  expect(() => networkTable(loop, [0])).toThrow(/cycle/)
  const pair = {parents: [[], [0]], cpt: [Float64Array.of(0.2), Float64Array.of(0.2, 0.2)]}
  for (const variables of [[0, 0], [2], [-1], [0.5]])
    expect(() => networkTable(pair, variables)).toThrow(/distinct numbers from 0 to 1; got/)
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
