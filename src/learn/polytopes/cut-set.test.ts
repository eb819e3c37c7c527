import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {product} from '../../../test/moment-checks.ts'
import type {CutRow} from './cut-program.ts'
import {CutSet} from './cut-set.ts'

const COLUMNS = 6
/** Small whole numbers, so that sums are exact. */
const whole = fc.integer({min: -9, max: 9})
const row: fc.Arbitrary<CutRow> = fc
  .tuple(fc.uniqueArray(fc.nat({max: COLUMNS - 1})), fc.array(whole, {minLength: COLUMNS, maxLength: COLUMNS}), whole)
  .map(([indices, values, lower]) => ({indices, values: values.slice(0, indices.length), lower}))
const rows = fc.array(row, {maxLength: 12})
const point = fc.array(whole, {minLength: COLUMNS, maxLength: COLUMNS}).map(values => Float64Array.from(values))

function cutSet(list: readonly CutRow[]): CutSet {
  const cuts = new CutSet()
  for (const each of list) cuts.add(each)
  return cuts
}

function dense({indices, values}: CutRow): number[] {
  const out = Array.from({length: COLUMNS}, () => 0)
  indices.forEach((column, at) => {
    out[column] += values[at]
  })
  return out
}

describe('CutSet', () => {
  test('CutSet has the products and slacks of its rows', () => {
    fc.assert(
      fc.property(rows, point, (list, x) => {
        const cuts = cutSet(list)
        expect(cuts.size).toBe(list.length)
        list.forEach((each, at) => {
          expect(cuts.product(at, x)).toBe(product(dense(each), x))
          expect(cuts.slack(at, x)).toBe(product(dense(each), x) - each.lower)
        })
      })
    )
  })

  test('CutSet.addTo(...) and addSquaresTo(...) add a multiple of a row, and of its squares', () => {
    fc.assert(
      fc.property(row, row, point, whole, (first, second, x, factor) => {
        const cuts = cutSet([first, second])
        const [sum, squares] = [x.slice(), x.slice()]
        cuts.addTo(sum, 1, factor)
        cuts.addSquaresTo(squares, 1, factor)
        const values = dense(second)
        expect([...sum]).toEqual(values.map((value, at) => x[at] + factor * value))
        expect([...squares]).toEqual(values.map((value, at) => x[at] + factor * value * value))
      })
    )
  })

  test('CutSet.retain(...) keeps the rows that are wanted, in order, and rows can be added after it', () => {
    fc.assert(
      fc.property(rows, fc.array(fc.boolean(), {minLength: 12, maxLength: 12}), row, point, (list, wanted, next, x) => {
        const cuts = cutSet(list)
        cuts.retain(at => wanted[at])
        cuts.add(next)
        const left = [...list.filter((_, at) => wanted[at]), next]
        expect(cuts.size).toBe(left.length)
        left.forEach((each, at) => {
          expect(cuts.slack(at, x)).toBe(product(dense(each), x) - each.lower)
        })
      })
    )
  })
})
