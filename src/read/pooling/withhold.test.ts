import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {NumberBounds, tellNumber} from './withhold.ts'

/** The cells of a table over k variables, and from them how many documents have all of each set T. */
const anyTable = fc.integer({min: 1, max: 3}).chain(k =>
  fc.record({
    k: fc.constant(k),
    cells: fc.array(fc.oneof(fc.nat(40), fc.constant(0)), {minLength: 2 ** k, maxLength: 2 ** k})
  })
)

function sumsOf(cells: readonly number[]): number[] {
  return cells.map((_, T) => cells.reduce((sum, cell, ones) => sum + ((ones & T) === T ? cell : 0), 0))
}

/** The cells that the sums of smaller tables leave when all fired in `value` documents. */
function cellsWith(sums: readonly number[], value: number): number[] {
  const full = sums.length - 1
  const given = sums.map((sum, T) => (T === full ? value : sum))
  const size = (bits: number) => bits.toString(2).replaceAll('0', '').length
  return given.map((_, ones) =>
    given.reduce((sum, s, T) => sum + ((T & ones) === ones ? (-1) ** size(T ^ ones) * s : 0), 0)
  )
}

function boundsOf(k: number, sums: readonly number[]): NumberBounds {
  const bounds = new NumberBounds()
  bounds.read(k, sums, sums)
  return bounds
}

describe('NumberBounds', () => {
  test('read(k, sums, sums) allows just the numbers that leave no negative cell', () => {
    fc.assert(
      fc.property(anyTable, fc.integer({min: -5, max: 120}), ({k, cells}, value) => {
        const sums = sumsOf(cells)
        const {low, high} = boundsOf(k, sums)
        const isPossible = cellsWith(sums, value).every(cell => cell >= 0)
        expect(low <= value && value <= high).toBe(isPossible)
      }),
      {seed: 1, numRuns: 500}
    )
  })

  test('read(k, low, high) allows what any sums in between allow', () => {
    fc.assert(
      fc.property(anyTable, fc.array(fc.nat(5), {minLength: 16, maxLength: 16}), ({k, cells}, slack) => {
        const sums = sumsOf(cells)
        const bounds = new NumberBounds()
        bounds.read(
          k,
          sums.map((sum, T) => sum - slack[T]),
          sums.map((sum, T) => sum + slack[8 + T])
        )
        const exact = boundsOf(k, sums)
        expect(bounds.low).toBeLessThanOrEqual(exact.low)
        expect(bounds.high).toBeGreaterThanOrEqual(exact.high)
      }),
      {seed: 2, numRuns: 300}
    )
  })
})

describe('tellNumber', () => {
  const isSmall = (minCell: number) => (cell: number) => cell >= 1 && cell < minCell

  test('tellNumber(...) withholds a number if some cell is small, as an interval of at least two', () => {
    fc.assert(
      fc.property(anyTable, fc.integer({min: 2, max: 12}), ({k, cells}, minCell) => {
        const sums = sumsOf(cells)
        const bounds = boundsOf(k, sums)
        const value = sums[2 ** k - 1]
        const told = tellNumber(value, bounds, minCell)
        const isPinned = bounds.low === bounds.high
        expect(told.low <= value && value <= told.high).toBe(true)
        if (cells.some(isSmall(minCell)) && !isPinned) expect(told.high).toBeGreaterThan(told.low)
        // Cells of 1 hide among cells of 2; and a number between two empty cells among its bounds.
        else if (minCell > 2 && bounds.high - bounds.low !== 2) expect(told.low).toBe(told.high)
      }),
      {seed: 3, numRuns: 1000}
    )
  })

  test('tellNumber(...) gives the same answer for every number in the interval: the answer says no more', () => {
    fc.assert(
      fc.property(anyTable, fc.integer({min: 2, max: 12}), ({k, cells}, minCell) => {
        const sums = sumsOf(cells)
        const bounds = boundsOf(k, sums)
        const told = tellNumber(sums[2 ** k - 1], bounds, minCell)
        if (told.low === told.high) return
        expect(told.low).toBeGreaterThanOrEqual(bounds.low)
        expect(told.high).toBeLessThanOrEqual(bounds.high)
        for (let value = told.low; value <= told.high; value++) expect(tellNumber(value, bounds, minCell)).toEqual(told)
      }),
      {seed: 4, numRuns: 1000}
    )
  })

  test('tellNumber(...) names the end that is near: few with, few without, or an empty cell beside a small one', () => {
    const pair = (N: number, a: number, b: number, both: number) => tellNumber(both, boundsOf(2, [N, a, b, both]), 10)
    expect(pair(1000, 100, 80, 3)).toEqual({low: 1, high: 9})
    expect(pair(1000, 100, 80, 0)).toEqual({low: 0, high: 0})
    expect(pair(1000, 100, 80, 40)).toEqual({low: 40, high: 40})
    expect(pair(1000, 100, 80, 78)).toEqual({low: 71, high: 79})
    expect(pair(1000, 100, 80, 80)).toEqual({low: 80, high: 80})
    expect(pair(1000, 85, 80, 80)).toEqual({low: 71, high: 80})
    expect(pair(183, 100, 80, 0)).toEqual({low: 0, high: 9})
    expect(pair(1000, 15, 15, 8)).toEqual({low: 1, high: 14})
  })
})
