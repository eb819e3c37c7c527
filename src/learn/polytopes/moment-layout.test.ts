import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {assignment} from '../../../test/golden.ts'
import {tablesOf} from '../../../test/problems.ts'
import {pairIndex, tripleIndex} from '../../base/qubo/index.ts'
import {
  coordinateCount,
  coordinateParts,
  forEachTable,
  type MomentLayout,
  type MomentOrder,
  momentLayout,
  momentsAt,
  polynomialOf
} from './moment-layout.ts'

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
        expect.objectContaining({
          code: 'bad-option',
          message: `momentLayout: \`order\` must be 1, 2 or 3; got ${order}`
        })
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

describe.each(orders)('moment coordinates of order %i', order => {
  const layout = momentLayout(5, order)

  test('momentsAt(...) of a 0/1 vertex gives its tables', () => {
    const mu = new Float64Array(layout.size)
    for (let state = 0; state < 32; state++) {
      const y = Uint8Array.from(assignment(state, 5))
      momentsAt(layout, productsOf(layout, y), mu)
      expect([...mu].map(cell => cell + 0)).toEqual([...tablesOf(layout, [y])])
    }
  })

  test('polynomialOf(...) has at every point the value of <gradient, moments>', () => {
    const numbers = (length: number) =>
      fc.array(fc.double({min: -10, max: 10, noNaN: true}), {minLength: length, maxLength: length})
    fc.assert(
      fc.property(numbers(layout.size), numbers(coordinateCount(layout)), (gradient, point) => {
        const coefficients = new Float64Array(coordinateCount(layout)).fill(7)
        const constant = polynomialOf(layout, Float64Array.from(gradient), coefficients)
        const mu = new Float64Array(layout.size)
        momentsAt(layout, Float64Array.from(point), mu)
        const product = gradient.reduce((sum, slope, c) => sum + slope * mu[c], 0)
        const polynomial = point.reduce((sum, value, n) => sum + coefficients[n] * value, constant)
        // At most some 100 terms below 10 * 80 each.
        expect(Math.abs(product - polynomial)).toBeLessThan(1e-9)
      })
    )
  })

  test('coordinateParts(...) are the singles, pairs and triples', () => {
    const {p, q, r} = coordinateParts(layout, new Float64Array(coordinateCount(layout)))
    expect([p.length, q.length, r.length]).toEqual([5, order > 1 ? 10 : 0, order > 2 ? 10 : 0])
  })
})

/** P(all on) of every set: the last cell of its table. */
function productsOf(layout: MomentLayout, y: Uint8Array): Float64Array {
  const products: number[] = []
  forEachTable(layout, concepts => products.push(concepts.every(i => y[i] === 1) ? 1 : 0))
  return Float64Array.from(products)
}
