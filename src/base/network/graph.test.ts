import fc from 'fast-check'
import {expect, test} from 'vitest'
import {findCycle, maximumSpanningTree, topologicalOrder} from './graph.ts'

test('findCycle(...) walks from parent to child and comes back, and finds nothing exactly where an order exists', () => {
  const graphs = fc
    .integer({min: 1, max: 7})
    .chain(m => fc.array(fc.uniqueArray(fc.nat(m - 1), {maxLength: 2}), {minLength: m, maxLength: m}))
  fc.assert(
    fc.property(graphs, parents => {
      const cycle = findCycle(parents)
      expect(cycle === undefined).toBe(topologicalOrder(parents) !== undefined)
      if (cycle === undefined) return
      expect(new Set(cycle).size).toBe(cycle.length)
      cycle.forEach((i, at) => {
        expect(parents[cycle[(at + 1) % cycle.length]]).toContain(i)
      })
    })
  )
})

test('maximumSpanningTree(...) has the greatest weight of all trees, from any root', () => {
  const cases = fc.tuple(fc.integer({min: 1, max: 5}), fc.nat(4), fc.array(fc.nat(9), {minLength: 25, maxLength: 25}))
  fc.assert(
    fc.property(cases, ([m, start, weights]) => {
      const weight = (i: number, k: number) => weights[5 * Math.min(i, k) + Math.max(i, k)]
      const root = start % m
      const {order, parent} = maximumSpanningTree(m, weight, root)
      expect(order[0]).toBe(root)
      expect([...order].sort()).toEqual(Array.from(parent.keys()))
      expect(order.every((i, at) => (at === 0 ? parent[i] === -1 : order.indexOf(parent[i]) < at))).toBe(true)
      const total = order.slice(1).reduce((sum, i) => sum + weight(parent[i], i), 0)
      expect(total).toBe(heaviest(m, weight))
    })
  )
})

test('maximumSpanningTree(...) prefers lower numbers among equals', () => {
  expect(maximumSpanningTree(4, () => 1)).toEqual({order: [0, 1, 2, 3], parent: Int32Array.of(-1, 0, 0, 0)})
  expect(maximumSpanningTree(0, () => 1)).toEqual({order: [], parent: new Int32Array(0)})
})

/** The greatest weight of any parent function on 1 .. m - 1 that leads to 0. */
function heaviest(m: number, weight: (i: number, k: number) => number): number {
  let best = m === 1 ? 0 : Number.NEGATIVE_INFINITY
  for (let code = 0; code < m ** (m - 1); code++) {
    const parents = Array.from({length: m}, (_, i) => (i === 0 ? [] : [Math.floor(code / m ** (i - 1)) % m]))
    if (topologicalOrder(parents) === undefined) continue
    best = Math.max(
      best,
      parents.reduce((sum, list, i) => sum + list.reduce((total, k) => total + weight(k, i), 0), 0)
    )
  }
  return best
}
