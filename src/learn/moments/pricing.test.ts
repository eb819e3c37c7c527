import {describe, expect, test} from 'vitest'
import {allVertices, coordinatesOf, product} from '../../../test/moment-checks.ts'
import {tablesOf} from '../../../test/problems.ts'
import {rng} from '../../base/numeric/index.ts'
import {coordinateCount, type MomentOrder, momentLayout} from '../polytopes/index.ts'
import {pricing} from './pricing.ts'

const orders: readonly MomentOrder[] = [2, 3]

describe.each(orders)('pricing of order %i', order => {
  test('pricing(...).search(...) gives assignments with their prices, rising, the lowest of all first', () => {
    const layout = momentLayout(7, order)
    const vertices = allVertices(layout).map(vertex => coordinatesOf(layout, vertex))
    const price = pricing(layout, rng(1))
    expect(price).toMatchObject({isExact: true, takesAll: true})
    for (const gradient of randomGradients(coordinateCount(layout), 10)) {
      const {count, values, rows, bound} = price.search(gradient)
      const lowest = Math.min(...vertices.map(vertex => product(gradient, vertex)))
      expect(bound).toBeCloseTo(lowest, 12)
      expect(values[0]).toBeCloseTo(lowest, 12)
      for (let n = 0; n < count; n++) {
        const y = Uint8Array.from(rows.subarray(7 * n, 7 * n + 7))
        expect(values[n]).toBeCloseTo(product(gradient, coordinatesOf(layout, tablesOf(layout, [y]))), 12)
        if (n > 0) expect(values[n]).toBeGreaterThanOrEqual(values[n - 1])
      }
    }
  })

  test('pricing(...).prove(...) bounds the lowest price from below, with a row that comes near it', () => {
    const layout = momentLayout(9, order)
    const vertices = allVertices(layout).map(vertex => coordinatesOf(layout, vertex))
    const price = pricing(layout, rng(1))
    for (const gradient of randomGradients(coordinateCount(layout), 5)) {
      const lowest = Math.min(...vertices.map(vertex => product(gradient, vertex)))
      for (const tolerance of [0, 0.1]) {
        const proof = price.prove(gradient, {incumbent: new Uint8Array(9), tolerance, stop: () => false})
        if (proof === undefined) throw new Error('9 concepts can be proven')
        expect(proof.bound).toBeLessThanOrEqual(lowest + 1e-12)
        const value = product(gradient, coordinatesOf(layout, tablesOf(layout, [proof.y])))
        expect(value).toBeGreaterThanOrEqual(lowest - 1e-12)
        expect(value - proof.bound).toBeLessThanOrEqual(tolerance + 1e-9)
      }
    }
  })

  test('pricing(...) of more concepts than can be looked through proves nothing, and says so', () => {
    const layout = momentLayout(17, order)
    const price = pricing(layout, rng(1))
    expect(price).toMatchObject({isExact: false, takesAll: false})
    const [gradient] = randomGradients(coordinateCount(layout), 1)
    const {bound, values} = price.search(gradient)
    expect(bound).toBe(Number.NEGATIVE_INFINITY)
    expect(values[0]).toBeLessThan(0)
    expect(pricing(momentLayout(9, order), rng(1))).toMatchObject({isExact: true, takesAll: false})
  })
})

function randomGradients(length: number, count: number): Float64Array[] {
  const random = rng(length)
  return Array.from({length: count}, () => Float64Array.from({length}, () => random.next() - 0.5))
}
