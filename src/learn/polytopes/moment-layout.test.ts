import {describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {pairIndex, tripleIndex} from '../../base/qubo/index.ts'
import {forEachTable, type MomentOrder, momentLayout} from './moment-layout.ts'

const orders: readonly MomentOrder[] = [1, 2, 3]

describe('momentLayout', () => {
  test('momentLayout(...) counts tables and cells as one does by hand', () => {
    const layout = momentLayout(5, 3)
    expect([1, 2, 3].map(layout.tableCount)).toEqual([5, 10, 10])
    expect([1, 2, 3].map(layout.start)).toEqual([0, 10, 50])
    expect(layout.size).toBe(10 + 40 + 80)
  })

  test('momentLayout(...) has no tables above its order', () => {
    const layout = momentLayout(5, 2)
    expect(layout.tableCount(3)).toBe(0)
    expect(layout.size).toBe(50)
    expect(momentLayout(5, 1).size).toBe(10)
  })

  test('momentLayout(...) of fewer concepts than its order has none of the larger tables', () => {
    expect(momentLayout(0, 3).size).toBe(0)
    expect(momentLayout(1, 3).size).toBe(2)
    expect(momentLayout(2, 3).size).toBe(8)
  })

  test('momentLayout(...) refuses an order that it does not have', () => {
    for (const order of [0, 4, 1.5, Number.NaN])
      expect(() => momentLayout(3, order as MomentOrder)).toThrow(
        new AdfaError('bad-option', `order is 1, 2 or 3: the most concepts in one moment; got ${order}`)
      )
  })
})

describe('forEachTable', () => {
  test.each(orders)('forEachTable(...) of order %i visits every set once, at the place that its index says', order => {
    const m = 6
    const layout = momentLayout(m, order)
    const seen = new Set<string>()
    let next = 0
    forEachTable(layout, (concepts, start) => {
      expect(start).toBe(next)
      next += 2 ** concepts.length
      seen.add(concepts.join())
      const [i, k, l] = concepts
      const index = [i, pairIndex(i, k, m), tripleIndex(i, k, l, m)][concepts.length - 1]
      expect(start).toBe(layout.start(concepts.length) + 2 ** concepts.length * index)
      expect([...concepts].sort((a, b) => a - b)).toEqual([...concepts])
    })
    expect(next).toBe(layout.size)
    expect(seen.size).toBe([6, 21, 41][order - 1])
  })
})
