import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type BayesNetwork, logPrior} from './bayes-network.ts'
import {networkToUai} from './network-to-uai.ts'
import {anyNetwork} from './test-bif.ts'

test('networkToUai(...) writes a v-structure with each child last in its own function', () => {
  const network = {
    parents: [[], [2, 0], []],
    cpt: [[0.25], [0.5, 0.125, 0.75, 1], [0.0625]].map(p => Float64Array.from(p))
  }
  expect(networkToUai(network)).toBe(`BAYES
3
2 2 2
3
1 0
3 2 0 1
1 2

2
 0.75 0.25

8
 0.5 0.5
 0.875 0.125
 0.25 0.75
 0 1

2
 0.9375 0.0625
`)
})

test('networkToUai(...) multiplies out to P(y) when it is read by the rules of the format', () => {
  fc.assert(
    fc.property(anyNetwork, network => {
      const product = readUai(networkToUai(network))
      for (const y of assignments(network)) expect(product(y)).toBeCloseTo(Math.exp(logPrior(network, y)), 12)
    })
  )
})

/** A reader straight from the format's description: the product of all functions, the last variable of each fastest. */
function readUai(text: string): (y: readonly number[]) => number {
  const words = text.split(/\s+/).filter(word => word !== '')
  expect(words.shift()).toBe('BAYES')
  const numbers = words.map(Number)
  const take = (count: number) => numbers.splice(0, count)
  const [m] = take(1)
  expect(take(m)).toEqual(new Array(m).fill(2))
  const [count] = take(1)
  const scopes = Array.from({length: count}, () => take(take(1)[0]))
  const tables = scopes.map(() => take(take(1)[0]))
  expect(numbers).toEqual([])
  return y => scopes.reduce((product, scope, c) => product * tables[c][scope.reduce((s, i) => 2 * s + y[i], 0)], 1)
}

function assignments({parents}: BayesNetwork): number[][] {
  return Array.from({length: 2 ** parents.length}, (_, s) => parents.map((_, i) => (s >> i) & 1))
}
