import fc from 'fast-check'
import {expect, test} from 'vitest'
import {NodeHeap} from './node-heap.ts'

test('NodeHeap.pop() gives the lowest bound, and the last that came among equals', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({min: 0, max: 9})), bounds => {
      const heap = new NodeHeap<{bound: number; at: number}>()
      bounds.forEach((bound, at) => {
        heap.push({bound, at})
      })
      const nodes = bounds.map((bound, at) => ({bound, at})).sort((x, y) => x.bound - y.bound || y.at - x.at)
      for (const node of nodes) {
        expect(heap.lowest).toBe(node.bound)
        expect(heap.pop()).toEqual(node)
      }
      expect(heap.lowest).toBe(Number.POSITIVE_INFINITY)
      expect(heap.pop()).toBeUndefined()
    })
  )
})
