import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {assignment} from '../../../test/golden.ts'
import {tablesOf} from '../../../test/problems.ts'
import {coordinateCount, coordinateParts, momentsAt, polynomialOf} from './moment-coordinates.ts'
import {forEachTable, type MomentLayout, type MomentOrder, momentLayout} from './moment-layout.ts'

const orders: readonly MomentOrder[] = [1, 2, 3]

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
