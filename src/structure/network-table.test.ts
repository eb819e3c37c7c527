import fc from 'fast-check'
import {expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {type LatentNetwork, logPrior} from './latent-network.ts'
import {networkMarginals, networkTable} from './network-table.ts'

/** Graphs without a cycle over up to 7 concepts, in an arbitrary order of names. */
const anyNetwork: fc.Arbitrary<LatentNetwork> = fc.integer({min: 1, max: 7}).chain(m =>
  fc
    .tuple(
      fc.shuffledSubarray(
        Array.from({length: m}, (_, i) => i),
        {minLength: m, maxLength: m}
      ),
      fc.array(fc.boolean(), {minLength: m * m, maxLength: m * m}),
      fc.integer()
    )
    .map(([order, edges, seed]) => {
      const random = rng(seed)
      const rank = order.map((_, i) => order.indexOf(i))
      const parents = order.map((_, i) => order.filter(k => rank[k] < rank[i] && edges[i * m + k]))
      return {parents, cpt: parents.map(list => Float64Array.from({length: 2 ** list.length}, () => random.next()))}
    })
)

function tableByEnumeration(network: LatentNetwork, variables: readonly number[]): number[] {
  const m = network.parents.length
  const table = new Array<number>(2 ** variables.length).fill(0)
  for (let s = 0; s < 2 ** m; s++) {
    const y = Array.from({length: m}, (_, i) => (s >> i) & 1)
    table[variables.reduce((cell, i) => 2 * cell + y[i], 0)] += Math.exp(logPrior(network, y))
  }
  return table
}

test('networkTable(...) equals enumeration on any network and any variables in any order', () => {
  const cases = anyNetwork.chain(network =>
    fc.tuple(fc.constant(network), fc.shuffledSubarray(network.parents.map((_, i) => i)))
  )
  fc.assert(
    fc.property(cases, ([network, variables]) => {
      const expected = tableByEnumeration(network, variables)
      networkTable(network, variables).forEach((value, cell) => {
        expect(value).toBeCloseTo(expected[cell], 12)
      })
      networkMarginals(network).forEach((value, i) => {
        expect(value).toBeCloseTo(tableByEnumeration(network, [i])[1], 12)
      })
    }),
    {seed: 1}
  )
})

test('networkMarginals(...) goes through a chain of 500 concepts, and refuses a cycle and a concept with 30 parents', () => {
  const chain = Array.from({length: 500}, (_, i) => (i === 0 ? [] : [i - 1]))
  const cpt = chain.map(list => (list.length === 0 ? Float64Array.of(0.2) : Float64Array.of(0.2, 0.2)))
  for (const value of networkMarginals({parents: chain, cpt})) expect(value).toBeCloseTo(0.2, 12)
  expect(() => networkMarginals({parents: [[1], [0]], cpt: cpt.slice(1, 3)})).toThrow(/cycle/)
  const wide = {parents: [Array.from({length: 30}, (_, i) => i + 1), ...chain.slice(1, 31).map(() => [])], cpt}
  expect(() => networkTable(wide, [0])).toThrow(/more than 20 concepts at once/)
})
