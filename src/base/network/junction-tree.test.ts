import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {BayesNetwork} from './bayes-network.ts'
import {junctionTree} from './junction-tree.ts'
import {sparseNetwork, sumsByEnumeration, tableByEnumeration} from './test-networks.ts'

/** A network with weights of all sizes, some 0. */
const weighed = sparseNetwork.chain(network => {
  const weight = fc.oneof(
    {weight: 4, arbitrary: fc.double({min: 1e-3, max: 3, noNaN: true})},
    {weight: 1, arbitrary: fc.constantFrom(0, 1, 1e-20, 1e20)}
  )
  const count = 2 * network.parents.length
  return fc.tuple(
    fc.constant(network),
    fc.array(weight, {minLength: count, maxLength: count}).map(list => Float64Array.from(list))
  )
})

function treeOf(network: BayesNetwork, together: readonly number[] = []) {
  const tree = junctionTree(network, {together})
  if (tree === undefined) throw new Error('too wide')
  return tree
}

test('logTotal(...) and propagate(...) equal enumeration for any weights, zeros among them', () => {
  fc.assert(
    fc.property(weighed, ([network, weights]) => {
      const tree = treeOf(network)
      const {total, present} = sumsByEnumeration(network, weights)
      const marginals = new Float64Array(tree.conceptCount)
      const logTotal = tree.propagate(weights, marginals)
      expect(tree.logTotal(weights)).toBe(logTotal)
      if (total === 0) {
        expect(logTotal).toBe(Number.NEGATIVE_INFINITY)
        expect(marginals.every(Number.isNaN)).toBe(true)
        return
      }
      expect(logTotal).toBeCloseTo(Math.log(total), 9)
      for (const [i, found] of marginals.entries()) expect(found).toBeCloseTo(present[i] / total, 10)
    }),
    {numRuns: 200}
  )
})

test('table(...) equals enumeration for the largest family and for concepts asked together, in any order', () => {
  const cases = weighed.chain(([network, weights]) =>
    fc.tuple(fc.constant(network), fc.constant(weights), fc.shuffledSubarray([...network.parents.keys()]))
  )
  fc.assert(
    fc.property(cases, ([network, weights, together]) => {
      const tree = treeOf(network, together)
      const total = tableByEnumeration(network, [], weights)[0]
      if (total === 0) return
      tree.propagate(weights, new Float64Array(tree.conceptCount))
      const [family] = network.parents.map((list, i) => [i, ...list]).sort((a, b) => b.length - a.length)
      for (const group of [together, family]) {
        const expected = tableByEnumeration(network, group, weights)
        for (const [cell, found] of tree.table(group).entries()) expect(found).toBeCloseTo(expected[cell] / total, 10)
      }
    })
  )
})

test('logTotal(...) neither underflows nor overflows where the sum itself would', () => {
  // One cause of 3,000 signs; the signs that are seen and those that are not hold each other at bay.
  const signs = Array.from({length: 3000}, (_, i) => (i % 2 === 0 ? [0.001, 0.9] : [0.9, 0.001]))
  const star = {
    parents: [[], ...signs.map(() => [0])],
    cpt: [Float64Array.of(0.5), ...signs.map(p => Float64Array.from(p))]
  }
  const weights = new Float64Array(6002).fill(1)
  for (let i = 1; i <= 3000; i++) weights[2 * i] = 0
  const tree = treeOf(star)
  const marginals = new Float64Array(3001)
  expect(tree.propagate(weights, marginals)).toBeCloseTo(1500 * Math.log(0.0009), 6)
  expect(marginals[0]).toBeCloseTo(0.5, 10)
  const huge = weights.map((w, at) => (at < 2 ? w : 1e300 * w))
  expect(tree.logTotal(huge)).toBeCloseTo(1500 * Math.log(0.0009) + 3000 * Math.log(1e300), 4)
})

test('logTotal(...) is not finite for weights that are not, and refuses a wrong number of them', () => {
  const tree = treeOf({parents: [[], [0]], cpt: [Float64Array.of(0.5), Float64Array.of(0.1, 0.2)]})
  const at = (...weights: number[]) => tree.logTotal(Float64Array.from(weights))
  for (const place of [0, 1, 2, 3]) {
    expect(at(...[1, 1, 1, 1].with(place, Number.NaN))).toBeNaN()
    expect(at(...[1, 1, 1, 1].with(place, Number.POSITIVE_INFINITY))).toBe(Number.POSITIVE_INFINITY)
  }
  expect(at(0, 0, 1, 1)).toBe(Number.NEGATIVE_INFINITY)
  expect(() => at(1, 1, 1)).toThrow('junctionTree: 3 weights for 2 variables; give two for each')
})

test('junctionTree(...) visits as few cells as graphs of known width need, and is undefined beyond its limit', () => {
  const isWithin = (parents: readonly (readonly number[])[], cellLimit: number) =>
    junctionTree({parents, cpt: parents.map(list => new Float64Array(2 ** list.length))}, {cellLimit}) !== undefined
  // A path of 40: tables of two variables, and 38 messages into such a table, one into the last with one variable.
  const path = Array.from({length: 40}, (_, i) => (i === 0 ? [] : [i - 1]))
  const cells = 39 * 4 + 2 + 38 * 4 + 2
  expect([isWithin(path, cells), isWithin(path, cells - 1)]).toEqual([true, false])
  // A ring of 8, of which one has both its neighbours as parents: six tables of three variables, one of two, one of one.
  const ring = [[], [0], [1], [2], [3], [4], [5], [6, 0]]
  const ringCells = 6 * 8 + 4 + 2 + (5 * 8 + 4 + 2)
  expect([isWithin(ring, ringCells), isWithin(ring, ringCells - 1)]).toEqual([true, false])
  expect(isWithin([...path, [...path.keys()].slice(0, 30)], 2 ** 24)).toBe(false)
  expect(() => isWithin([[1], [0]], 100)).toThrow(/the network has a cycle/)
})
