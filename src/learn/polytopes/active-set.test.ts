import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {ActiveSet} from './active-set.ts'

const start = Float64Array.of(0.25, 0.25, 0.5)
const [first, second] = [Float64Array.of(1, 0, 0), Float64Array.of(0, 1, 0)]

describe('ActiveSet', () => {
  test('new ActiveSet(...) is mixed from its start alone', () => {
    const active = new ActiveSet(start)
    expect([active.count, active.carrierCount, active.weight(0)]).toEqual([1, 1, 1])
    expect(pointOf(active)).toEqual(start)
  })

  test('add(...) gives a vertex its number, the same when it comes again, and when it comes again with rounding', () => {
    const active = new ActiveSet(start)
    expect(active.add(first)).toBe(1)
    expect(active.add(second)).toBe(2)
    expect(active.add(first)).toBe(1)
    expect(active.add(Float64Array.of(1 - 1e-12, 1e-12, 0))).toBe(1)
    expect(active.count).toBe(3)
    expect(active.carrierCount).toBe(1)
  })

  test('add(...) tells apart vertices that agree wherever one of them is not 0', () => {
    const active = new ActiveSet(Float64Array.of(1, 0, 0, 0))
    expect(active.add(Float64Array.of(1, 0, 0, 1))).toBe(1)
    expect(active.add(Float64Array.of(1, 0, 1e-6, 0))).toBe(2)
    expect(active.add(Float64Array.of(1, 0, 0, 0))).toBe(0)
  })

  test('moveTowards(...) moves the point, and towards(...) writes where another would go', () => {
    const active = new ActiveSet(start)
    active.moveTowards(active.add(first), 0.5)
    expect(pointOf(active)).toEqual(Float64Array.of(0.625, 0.125, 0.25))
    const d = new Float64Array(3).fill(9)
    active.towards(1, start, 0.5, d)
    expect([...d]).toEqual([0.625, 0.125, 0.25])
  })

  test('products(...) and mix(...) are each other transposed', () => {
    const numbers = fc.array(fc.integer({min: -5, max: 5}), {minLength: 3, maxLength: 3})
    fc.assert(
      fc.property(numbers, numbers, (shares, g) => {
        const active = new ActiveSet(start)
        active.add(first)
        active.add(second)
        const x = new Float64Array(3)
        active.mix(shares, x)
        const products = active.products(Float64Array.from(g))
        const sum = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
        expect(sum(products, shares)).toBeCloseTo(sum(x, g), 12)
      })
    )
  })
})

function pointOf(active: ActiveSet): Float64Array {
  const x = new Float64Array(3)
  active.point(x)
  return x
}
