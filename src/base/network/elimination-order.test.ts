import fc from 'fast-check'
import {expect, test} from 'vitest'
import {eliminationOrder} from './elimination-order.ts'
import {classicNetwork, libraryIsThere} from './test-bif.ts'
import {sparseNetwork} from './test-networks.ts'

const withGroup = sparseNetwork.chain(network =>
  fc.tuple(fc.constant(network), fc.shuffledSubarray([...network.parents.keys()]))
)

const graphOf = (parents: readonly (readonly number[])[]) => ({parents, cpt: []})

test('eliminationOrder(...) has every concept once, and every family and group in the table of its first concept', () => {
  fc.assert(
    fc.property(withGroup, ([network, together]) => {
      const {order, separators, width} = eliminationOrder(network, together)
      expect([...order].sort((a, b) => a - b)).toEqual([...network.parents.keys()])
      const rank = (i: number) => order.indexOf(i)
      for (const group of [...network.parents.map((list, i) => [i, ...list]), together]) {
        if (group.length === 0) continue
        const first = group.reduce((best, i) => (rank(i) < rank(best) ? i : best))
        expect(separators[rank(first)]).toEqual(expect.arrayContaining(group.filter(i => i !== first)))
      }
      expect(width).toBe(Math.max(...separators.map(separator => separator.length)))
    })
  )
})

test('eliminationOrder(...) finds the width of graphs whose width is known', () => {
  const path = Array.from({length: 40}, (_, i) => (i === 0 ? [] : [i - 1]))
  expect(eliminationOrder(graphOf(path))).toMatchObject({width: 1, size: 39 * 4 + 2 + 38 * 4 + 2})
  expect(eliminationOrder(graphOf([[], [], []]))).toMatchObject({width: 0, size: 6})
  expect(eliminationOrder(graphOf([]))).toMatchObject({width: 0, size: 0})
  const family = Array.from({length: 31}, (_, i) => (i === 30 ? [...Array(30).keys()] : []))
  expect(eliminationOrder(graphOf(family)).width).toBe(30)
  // A cycle of 8 without its directions, one node with both its neighbours as parents.
  const ring = [[], [0], [1], [2], [3], [4], [5], [6, 0]]
  expect(eliminationOrder(graphOf(ring)).width).toBe(2)
})

test('eliminationOrder(...) breaks ties by fewer neighbours, then by the lower number', () => {
  // All are free of fill: 3 alone has no neighbour; then the ends 0 and 2 of the chain have one, the middle would fill.
  expect(eliminationOrder(graphOf([[], [0], [1], []])).order).toEqual([3, 0, 1, 2])
  // A triangle whose corner 1 has a tail 3: neither fills, the tail has fewer neighbours.
  expect(eliminationOrder(graphOf([[], [0], [0, 1], [1]])).order[0]).toBe(3)
})

test('eliminationOrder(...) refuses a cycle', () => {
  expect(() => eliminationOrder(graphOf([[1], [0]]))).toThrow(/the network has a cycle/)
})

test.runIf(libraryIsThere)('eliminationOrder(...) is narrow enough for the classic networks', () => {
  const widthOf = (name: string) => eliminationOrder(classicNetwork(name).network).width
  expect(['asia', 'cancer', 'earthquake'].map(widthOf)).toEqual([2, 2, 2])
  expect(widthOf('win95pts')).toBeLessThanOrEqual(8)
  expect(widthOf('andes')).toBeLessThanOrEqual(17)
})
