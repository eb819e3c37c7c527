import fc from 'fast-check'
import {expect, test} from 'vitest'
import {topologicalOrder} from './bayes-network.ts'
import {findCycle} from './graph.ts'

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
