import {describe, expect, test} from 'vitest'
import {allVertices, coordinatesOf, leastTriangle} from '../../../test/moment-checks.ts'
import {rng} from '../../base/numeric/index.ts'
import {independentCoordinates} from '../moments/index.ts'
import type {CutRow, Separate} from './cut-program.ts'
import {coordinateCount, momentsAt} from './moment-coordinates.ts'
import {type MomentLayout, type MomentOrder, momentLayout} from './moment-layout.ts'
import {violatedPairs, violatedTriangles, violatedTriples} from './violated-rows.ts'

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
