import fc from 'fast-check'
import {expect, test} from 'vitest'
import {largestDifference, randomTable} from '../../../test/tables.ts'
import {rng} from '../../base/numeric/index.ts'
import {fitMargins} from './fit-margins.ts'

/** The table without its k-th of `count` concepts. */
function marginWithout(table: ArrayLike<number>, k: number, count: number): number[] {
  const margin = new Array<number>(table.length / 2).fill(0)
  Array.from(table).forEach((share, cell) => {
    const bits = Array.from({length: count}, (_, at) => (cell >> (count - 1 - at)) & 1).toSpliced(k, 1)
    margin[bits.reduce((index, bit) => 2 * index + bit, 0)] += share
  })
  return margin
}

const marginsOf = (table: ArrayLike<number>, count: number) =>
  Array.from({length: count}, (_, k) => marginWithout(table, k, count))

test('fitMargins(...) gives a table its margins and keeps its interaction of all concepts', () => {
  fc.assert(
    fc.property(fc.constantFrom(2, 3, 4), fc.integer(), (count, seed) => {
      const random = rng(seed)
      // Cells of at least 1/4 of the mean, so that 50 sweeps reach the tolerance.
      const inside = () => Float64Array.from(randomTable(2 ** count, 0.75, random), share => share + 0.25 / 2 ** count)
      const [table, wanted] = [inside(), inside()]
      const before = interaction(table)
      fitMargins(table, marginsOf(wanted, count))
      marginsOf(table, count).forEach((margin, k) => {
        expect(largestDifference(margin, marginWithout(wanted, k, count))).toBeLessThan(1e-8)
      })
      // What proportional fitting cannot change: the product of cells with an even number of concepts over the others.
      expect(interaction(table)).toBeCloseTo(before, 9)
    })
  )
})

test('fitMargins(...) leaves a table that has its margins as it is, and cells of 0 at 0', () => {
  const table = Float64Array.of(0.5, 0, 0.3, 0.2)
  fitMargins(table, marginsOf([0.5, 0, 0.3, 0.2], 2))
  expect([...table]).toEqual([0.5, 0, 0.3, 0.2])
  const empty = Float64Array.of(0, 0, 0.6, 0.4)
  fitMargins(empty, [
    [0.5, 0.5],
    [0.2, 0.8]
  ])
  expect([...empty.subarray(0, 2)]).toEqual([0, 0])
  expect(empty.every(Number.isFinite)).toBe(true)
})

function interaction(table: Float64Array): number {
  return table.reduce((sum, share, cell) => {
    const ones = cell.toString(2).replaceAll('0', '').length
    return sum + (ones % 2 === 0 ? 1 : -1) * Math.log(share)
  }, 0)
}
