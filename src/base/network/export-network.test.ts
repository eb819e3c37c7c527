import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type BayesNetwork, logPrior} from './bayes-network.ts'
import {directedNetwork} from './directed-network.ts'
import {networkToBif, networkToUai} from './export-network.ts'
import {anyNames, anyNetwork, parseBif} from './test-bif.ts'
import {anyPairs, drawPairs, pairWeights} from './test-pairs.ts'

const named = anyNetwork.chain(network => fc.tuple(fc.constant(network), anyNames(network.parents.length)))

test('networkToBif(...) is read back with the same names, edges and numbers', () => {
  fc.assert(
    fc.property(named, ([network, names]) => {
      const read = parseBif(networkToBif(network, names))
      expect(read.names).toEqual(names)
      expect(read.network).toEqual(network)
    }),
    {numRuns: 150}
  )
})

test('networkToBif(...) keeps to what simple readers understand, whatever the names', () => {
  fc.assert(
    fc.property(named, ([network, names]) => {
      const text = networkToBif(network, names)
      const m = names.length
      // Readers that search for the words of blocks, and for "}" at the end of a line, must find each block once.
      for (const [word, count] of [
        ['network', 1],
        ['variable', m],
        ['probability', m],
        ['}\n', 2 * m + 1]
      ] as const)
        expect(text.split(word)).toHaveLength(count + 1)
      expect(text).toMatch(/^[\x20-\x7e\n]*$/)
      expect(text).not.toMatch(/["/]/)
      expect(text).not.toMatch(/variable (type|discrete|property|default|table) /)
    }),
    {numRuns: 150}
  )
})

test('networkToBif(...) writes a v-structure as the classic networks are written', () => {
  const network = {
    parents: [[], [0, 2], []],
    cpt: [[0.25], [0.5, 0.125, 0.75, 1], [1e-7]].map(p => Float64Array.from(p))
  }
  expect(networkToBif(network, ['fever', 'septic shock', 'flu'])).toBe(`network unknown {
}
variable fever {
  type discrete [ 2 ] { no, yes };
}
variable septic_shock {
  type discrete [ 2 ] { no, yes };
  property adfa-name = septic%20shock ;
}
variable flu {
  type discrete [ 2 ] { no, yes };
}
probability ( fever ) {
  table 0.75, 0.25;
}
probability ( septic_shock | fever, flu ) {
  (no, no) 0.5, 0.5;
  (no, yes) 0.875, 0.125;
  (yes, no) 0.25, 0.75;
  (yes, yes) 0, 1;
}
probability ( flu ) {
  table 0.9999999, 1e-7;
}
`)
})

test('networkToBif(...) refuses names that are too few, empty, repeated or half a character', () => {
  const network = {parents: [[], []], cpt: [Float64Array.of(0.5), Float64Array.of(0.5)]}
  expect(() => networkToBif(network, ['a'])).toThrow('networkToBif: 1 names for 2 variables; give one for each')
  expect(() => networkToBif(network, ['a', ''])).toThrow(/variable 1 has an empty name/)
  expect(() => networkToBif(network, ['a', 'a'])).toThrow(/two variables are called "a"/)
  expect(() => networkToBif(network, ['a', '\ud800'])).toThrow(/half a character .* rename the concept/)
})

test('networkToUai(...) multiplies out to P(y) when it is read by the rules of the format', () => {
  fc.assert(
    fc.property(anyNetwork, network => {
      const product = readUai(networkToUai(network))
      for (const y of assignments(network)) expect(product(y)).toBeCloseTo(Math.exp(logPrior(network, y)), 12)
    })
  )
})

test('networkToUai(...) of pairs multiplies out to P(y) but for its constant', () => {
  fc.assert(
    fc.property(anyPairs, network => {
      const product = readUai(networkToUai(network), 'MARKOV')
      const m = network.prevalence.length
      pairWeights(network).forEach((weight, state) => {
        const y = Array.from({length: m}, (_, i) => (state >> i) & 1)
        expect(product(y) / weight).toBeCloseTo(1, 10)
      })
    })
  )
})

test('networkToBif(...) of pairs holds the directed network nearby', () => {
  const pairs = drawPairs(5, 3)
  const names = ['a', 'b', 'c', 'd', 'e']
  expect(parseBif(networkToBif(pairs, names))).toMatchObject({names, network: directedNetwork(pairs)})
})

/** A reader straight from the format's description: the product of all functions, the last variable of each fastest. */
function readUai(text: string, kind = 'BAYES'): (y: readonly number[]) => number {
  const words = text.split(/\s+/).filter(word => word !== '')
  expect(words.shift()).toBe(kind)
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
