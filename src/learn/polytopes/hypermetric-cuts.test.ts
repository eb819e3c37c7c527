import {describe, expect, test} from 'vitest'
import {allVertices, coordinatesOf, leastTriangle} from '../../../test/moment-checks.ts'
import {rng} from '../../base/numeric/index.ts'
import {independentCoordinates} from '../moments/index.ts'
import type {CutRow, Separate} from './cut-program.ts'
import {violatedHypermetrics} from './hypermetric-cuts.ts'
import {coordinateCount, momentsAt} from './moment-coordinates.ts'
import {momentLayout} from './moment-layout.ts'

describe('violatedHypermetrics', () => {
  const m = 6
  const layout = momentLayout(m, 2)
  const random = rng(6)
  const points = Array.from({length: 20}, () =>
    Float64Array.from({length: coordinateCount(layout)}, (_, at) => random.next() * (at < m ? 1 : 0.4))
  )
  const vertices = allVertices(layout).map(vertex => coordinatesOf(layout, vertex))

  test('violatedHypermetrics(...) reports rows by as much as the point violates them', () => {
    for (const x of points) {
      const rows = reported(violatedHypermetrics(m, 50, rng(1)), x)
      expect(rows.length).toBeGreaterThan(0)
      for (const {violation, row} of rows) {
        expect(violation).toBeGreaterThan(0)
        // Some twenty sums while the entries changed.
        expect(Math.abs(violation + slackOf(row, x))).toBeLessThan(1e-12)
      }
    }
  })

  test('violatedHypermetrics(...) reports rows that hold at every 0/1 assignment', () => {
    for (const x of points)
      for (const {row} of reported(violatedHypermetrics(m, 50, rng(2)), x))
        for (const vertex of vertices) expect(slackOf(row, vertex)).toBeGreaterThanOrEqual(0)
  })

  test('violatedHypermetrics(...) reports no row twice', () => {
    const rows = reported(violatedHypermetrics(m, 500, rng(3)), points[0]).map(({row}) => JSON.stringify(row))
    expect(new Set(rows).size).toBe(rows.length)
  })

  test('violatedHypermetrics(...) has nothing to report at vertices and at independent concepts', () => {
    const independent = independentCoordinates([0.1, 0.9, 0.5, 0.3, 0.7, 0.4], coordinateCount(layout))
    for (const x of [independent, ...vertices]) expect(reported(violatedHypermetrics(m, 50, rng(4)), x)).toEqual([])
  })

  test('violatedHypermetrics(...) finds the pentagon that no triangle sees', () => {
    const five = momentLayout(5, 2)
    const x = new Float64Array(coordinateCount(five)).fill(0.17).fill(0.5, 0, 5)
    const mu = new Float64Array(five.size)
    momentsAt(five, x, mu)
    expect(leastTriangle(five, mu)).toBeGreaterThan(0)
    const rows = reported(violatedHypermetrics(5, 200, rng(5)), x)
    // Half of the mean of (s - 2)(s - 3), where s concepts hold: (5.9 - 12.5 + 6) / 2.
    expect(Math.max(...rows.map(({violation}) => violation))).toBeCloseTo(0.3, 12)
  })

  test('violatedHypermetrics(...) finds a triangle where that is what is violated', () => {
    const rows = reported(violatedHypermetrics(3, 20, rng(6)), Float64Array.of(0.5, 0.5, 0.5, 0, 0, 0))
    expect(rows).toHaveLength(1)
    expect(rows[0].violation).toBeCloseTo(0.5, 12)
    expect(rows[0].row.lower).toBe(-1)
  })

  test('violatedHypermetrics(...) finds the same for the same randomness', () => {
    const find = () => reported(violatedHypermetrics(m, 30, rng(7)), points[3])
    expect(find()).toEqual(find())
  })
})

function reported(separate: Separate, x: Float64Array): {violation: number; row: CutRow}[] {
  const found: {violation: number; row: CutRow}[] = []
  separate(x, (violation, row) => found.push({violation, row}))
  return found
}

function slackOf({indices, values, lower}: CutRow, x: Float64Array): number {
  return indices.reduce((sum, column, at) => sum + values[at] * x[column], -lower)
}
