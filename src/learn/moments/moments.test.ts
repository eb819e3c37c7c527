import {describe, expect, test} from 'vitest'
import {stopAt} from '../../../test/moment-checks.ts'
import {tablesOf} from '../../../test/problems.ts'
import {rng} from '../../base/numeric/index.ts'
import {momentLayout} from '../polytopes/index.ts'
import {certified, momentsFrom} from './moments.ts'

const certificate = {objective: 0, lowerBound: 0, gap: 0, steps: 0, atoms: 0, cuts: 0, status: 'optimal'} as const

describe('momentsFrom', () => {
  const m = 5
  const layout = momentLayout(m, 3)
  const random = rng(4)
  const rows = Array.from({length: 50}, () => Uint8Array.from({length: m}, () => (random.next() < 0.4 ? 1 : 0)))
  const moments = momentsFrom(layout, tablesOf(layout, rows), 50, certificate)

  /** The share of rows in which these concepts have the values of the cell's bits. */
  function share(concepts: readonly number[], cell: number): number {
    const last = concepts.length - 1
    return rows.filter(row => concepts.every((i, at) => row[i] === ((cell >> (last - at)) & 1))).length / rows.length
  }

  function expectTable(table: Float64Array, concepts: readonly number[]): void {
    expect(table).toHaveLength(2 ** concepts.length)
    // Fifty additions of 1/50.
    table.forEach((value, cell) => {
      expect(Math.abs(value - share(concepts, cell))).toBeLessThan(1e-14)
    })
  }

  test('momentsFrom(...).single(i) is P(Y_i = 1)', () => {
    for (let i = 0; i < m; i++) expect(moments.single(i)).toBeCloseTo(share([i], 1), 14)
  })

  test('momentsFrom(...).pair(...) and table(...) have their concepts in whatever order is asked for', () => {
    for (let i = 0; i < m; i++)
      for (let k = 0; k < m; k++) {
        if (k === i) continue
        expectTable(moments.pair(i, k), [i, k])
        expectTable(moments.table([i, k]), [i, k])
        for (let l = 0; l < m; l++) if (l !== i && l !== k) expectTable(moments.table([i, k, l]), [i, k, l])
      }
  })

  test('momentsFrom(...) gives fresh tables, and what else it was told', () => {
    const before = moments.table([3, 0, 4])
    moments.table([3, 0, 4]).fill(9)
    expect(moments.table([3, 0, 4])).toEqual(before)
    expect(moments).toMatchObject({conceptCount: m, sampleCount: 50, certificate})
  })

  test('momentsFrom(...) refuses tables of more concepts than it has', () => {
    const pairs = momentLayout(m, 2)
    const two = momentsFrom(pairs, tablesOf(pairs, rows), 50, certificate)
    expectTable(two.pair(4, 1), [4, 1])
    expect(() => two.table([0, 1, 2])).toThrow(
      expect.objectContaining({
        code: 'bad-option',
        message: 'moments of order 2 have no tables of 3 concepts; recover order 3'
      })
    )
    const singles = momentLayout(m, 1)
    const one = momentsFrom(singles, tablesOf(singles, rows), 50, certificate)
    expect(() => one.pair(0, 1)).toThrow(/order 1 have no tables of 2 concepts/)
    expect(one.single(2)).toBe(moments.single(2))
  })
})

describe('certified', () => {
  const parts = {objective: 3, lowerBound: 2.5, steps: 7, atoms: 1, cuts: 2, status: 'gap'} as const

  test('certified(...) is its parts and the gap between the bounds', () => {
    expect(certified(parts, stopAt({}))).toEqual({...parts, gap: 0.5})
    expect(certified({...parts, heuristicGap: 0.25}, stopAt({}))).toEqual({...parts, gap: 0.5, heuristicGap: 0.25})
  })

  test('certified(...) has the time when there is a clock', () => {
    let now = 5
    const rule = stopAt({}, {clock: () => now})
    now = 8
    expect(certified(parts, rule)).toEqual({...parts, gap: 0.5, seconds: 3})
  })

  test('certified(...) never has a bound above the objective', () => {
    expect(certified({...parts, lowerBound: 3 + 1e-15}, stopAt({}))).toMatchObject({lowerBound: 3, gap: 0})
  })
})
