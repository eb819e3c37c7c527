import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {topToShow, visibleRows} from './rows.ts'

const viewport = fc.record({
  top: fc.integer({min: 0, max: 9_000_000}),
  height: fc.integer({min: 1, max: 3000}),
  row: fc.integer({min: 20, max: 200})
})

describe('visibleRows', () => {
  it('holds every row that is partly visible, and few more', () => {
    fc.assert(
      fc.property(viewport, fc.nat(120_000), (view, total) => {
        const {from, to} = visibleRows(view, total)
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeLessThanOrEqual(total)
        const first = Math.floor(view.top / view.row)
        const last = Math.ceil((view.top + view.height) / view.row) - 1
        if (first < total) {
          expect(from).toBeLessThanOrEqual(first)
          expect(to).toBeGreaterThan(Math.min(last, total - 1))
        }
        expect(to - from).toBeLessThanOrEqual(last - first + 1 + 32)
      })
    )
  })

  it('changes seldom while scrolling', () => {
    const at = (top: number) => JSON.stringify(visibleRows({top, height: 600, row: 80}, 100_000))
    const ranges = new Set(Array.from({length: 40 * 80}, (_, step) => at(8000 + step)))
    expect(ranges.size).toBeLessThanOrEqual(2 * (40 / 4) + 1)
  })
})

describe('topToShow', () => {
  it('makes the row wholly visible and moves only where it is not', () => {
    fc.assert(
      fc.property(viewport, fc.nat(100_000), (view, at) => {
        fc.pre(view.height >= view.row)
        const top = topToShow(at, view)
        expect(at * view.row).toBeGreaterThanOrEqual(top)
        expect((at + 1) * view.row).toBeLessThanOrEqual(top + view.height)
        const isShown = at * view.row >= view.top && (at + 1) * view.row <= view.top + view.height
        if (isShown) expect(top).toBe(view.top)
      })
    )
  })
})
