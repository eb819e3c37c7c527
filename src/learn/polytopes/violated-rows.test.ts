import {describe, expect, test} from 'vitest'
import {allVertices, coordinatesOf, leastTriangle} from '../../../test/moment-checks.ts'
import {rng} from '../../base/numeric/index.ts'
import {independentCoordinates} from '../moments/index.ts'
import {coordinateCount, type MomentLayout, type MomentOrder, momentLayout, momentsAt} from './moment-layout.ts'
import {violatedPairs, violatedTriples} from './violated-cells.ts'
import {violatedHypermetrics} from './violated-hypermetrics.ts'
import {type CutRow, type Separate, violatedTriangles} from './violated-rows.ts'

const separators: readonly {
  readonly name: string
  readonly order: MomentOrder
  readonly separator: (layout: MomentLayout) => Separate
}[] = [
  {name: 'violatedPairs', order: 2, separator: violatedPairs},
  {name: 'violatedTriangles', order: 2, separator: violatedTriangles},
  {name: 'violatedTriples', order: 3, separator: violatedTriples}
]

describe.each(separators)('$name', ({name, order, separator}) => {
  const layout = momentLayout(5, order)
  const separate = separator(layout)

  test(`${name}(...) reports rows by as much as the point violates them`, () => {
    for (const x of randomPoints(layout, 20))
      for (const {violation, row} of reported(separate, x)) {
        expect(violation).toBeGreaterThan(0)
        expect(Math.abs(violation + slackOf(row, x))).toBeLessThan(1e-14)
      }
  })

  test(`${name}(...) reports rows that hold at every vertex of the marginal polytope`, () => {
    const vertices = allVertices(layout).map(vertex => coordinatesOf(layout, vertex))
    const rows = randomPoints(layout, 20).flatMap(x => reported(separate, x))
    expect(rows.length).toBeGreaterThan(100)
    for (const {row} of rows) for (const vertex of vertices) expect(slackOf(row, vertex)).toBeGreaterThanOrEqual(0)
  })

  test(`${name}(...) has nothing to report at vertices and at independent concepts`, () => {
    const independent = independentCoordinates([0.1, 0.9, 0.5, 0.3, 0.7], coordinateCount(layout))
    const points = [independent, ...allVertices(layout).map(vertex => coordinatesOf(layout, vertex))]
    for (const x of points) expect(reported(separate, x)).toEqual([])
  })
})

describe('violated rows', () => {
  const layout = momentLayout(5, 3)

  test('violatedPairs(...) and violatedTriples(...) report what there is of cells below 0', () => {
    const separate: Separate = (x, report) => {
      violatedPairs(layout)(x, report)
      violatedTriples(layout)(x, report)
    }
    const mu = new Float64Array(layout.size)
    for (const x of randomPoints(layout, 50)) {
      momentsAt(layout, x, mu)
      // The cells of singles and "all on" are the bounds 0 and 1 of the columns, no rows.
      const cells = mu.filter((_, c) => c >= layout.start(2))
      const isLast = (c: number) => (c < 40 ? c % 4 === 3 : c % 8 === 7)
      const below = Array.from(cells).filter((cell, c) => cell < 0 && !isLast(c))
      const violations = reported(separate, x).map(({violation}) => violation)
      expect(violations).toHaveLength(below.length)
      const rising = (a: number, b: number) => a - b
      const cellsInOrder = below.map(cell => -cell).sort(rising)
      violations.sort(rising).forEach((violation, at) => {
        expect(Math.abs(violation - cellsInOrder[at])).toBeLessThan(1e-14)
      })
    }
  })

  test('violatedTriangles(...) reports the triangle that is violated most', () => {
    const pairs = momentLayout(5, 2)
    const mu = new Float64Array(pairs.size)
    for (const x of randomPoints(pairs, 50)) {
      momentsAt(pairs, x, mu)
      const worst = Math.max(0, ...reported(violatedTriangles(pairs), x).map(({violation}) => violation))
      expect(Math.abs(worst + Math.min(0, leastTriangle(pairs, mu)))).toBeLessThan(1e-14)
    }
  })

  test('violatedTriangles(...) of three concepts that differ from each other all at once reports just that', () => {
    // p = 1/2 and q = 0: no two hold together, and none is the only one not to.
    const x = Float64Array.of(0.5, 0.5, 0.5, 0, 0, 0)
    expect(reported(violatedTriangles(momentLayout(3, 2)), x)).toEqual([
      {violation: 0.5, row: {indices: [0, 1, 2, 3, 4, 5], values: [-1, -1, -1, 1, 1, 1], lower: -1}}
    ])
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

function randomPoints(layout: MomentLayout, count: number): Float64Array[] {
  const random = rng(count)
  return Array.from({length: count}, () => Float64Array.from({length: coordinateCount(layout)}, () => random.next()))
}

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
