import {describe, expect, test} from 'vitest'
import {expectInside, leastTriangle, minimizeByExchange, objectiveByTables} from '../../../test/moment-checks.ts'
import {randomProblem} from '../../../test/problems.ts'
import {type CutRow, violatedTriangles} from './cuts.ts'
import {InteriorPoint} from './interior-point.ts'
import {momentsAt} from './layout.ts'
import type {MomentProblem} from './problem.ts'
import {halvesProblem} from './recover-moments.contract.ts'

describe.each([
  {lambda: 0, divergence: 'kl'},
  {lambda: 0.01, divergence: 'kl'},
  {lambda: 0, divergence: 'l2'},
  {lambda: 0.01, divergence: 'l2'}
] as const)('InteriorPoint with $divergence and lambda $lambda', spec => {
  const problem = halvesProblem(5, 0.12, spec)
  const {layout} = problem

  // Few documents and weak anchors: an optimum with cells at or near 0.
  const atBoundary = randomProblem({conceptCount: 5, seed: 5, sampleCount: 40, gain: 0.1, ...spec})

  test.each([
    ['inside', problem],
    ['at the boundary', atBoundary]
  ] as const)(
    'InteriorPoint.step() to an optimum %s stays within, and its bounds are below every objective',
    (_, problem) => {
      const {layout} = problem
      const point = start(problem)
      const bounds: number[] = []
      const mu = new Float64Array(layout.size)
      do {
        momentsAt(layout, point.x, mu)
        expect(point.mu).toEqual(mu)
        expect(Math.min(...mu)).toBeGreaterThan(0)
        expect(Math.abs(point.objective - objectiveByTables(problem, mu))).toBeLessThan(1e-11)
        expect(point.lowerBound).toBeGreaterThanOrEqual(point.objective - point.gap)
        bounds.push(point.lowerBound)
      } while (point.gap > 1e-8 && point.step())
      expectInside(layout, 'local', point.mu)
      expect(point.gap).toBeLessThan(1e-8)
      expect(point.steps).toBeLessThan(40)
      // Up to the rounding of objectives.
      for (const bound of bounds) expect(bound).toBeLessThanOrEqual(point.objective + 1e-13)
      expect(bounds).toEqual([...bounds].sort((a, b) => a - b))
    }
  )

  test('InteriorPoint.addCuts(...) leaves room in every cut, and the steps that follow keep it', () => {
    const point = solved(problem)
    const before = point.objective
    const rows = violatedRows(problem, point)
    expect(rows.length).toBeGreaterThan(0)
    point.addCuts(rows)
    expect(point.cuts.size).toBe(rows.length)
    for (let n = 0; n < 10; n++) {
      for (let row = 0; row < rows.length; row++) expect(point.cuts.slack(row, point.x)).toBeGreaterThan(0)
      point.step()
    }
    // The bound of the polytope without cuts is one of the polytope with them.
    expect(point.lowerBound).toBeGreaterThan(before - 1e-6)
    expect(point.objective).toBeGreaterThan(before - 1e-6)
  })

  test('InteriorPoint.comply(...) moves inside until no triangle is violated', () => {
    const point = solved(problem)
    const bound = point.lowerBound
    point.comply(violatedTriangles(layout.conceptCount))
    expect(leastTriangle(layout, point.mu)).toBeGreaterThanOrEqual(0)
    expectInside(layout, 'cycle', point.mu)
    expect(point.lowerBound).toBeGreaterThanOrEqual(bound)
    expect(Math.abs(point.objective - objectiveByTables(problem, point.mu))).toBeLessThan(1e-11)
    const x = point.x.slice()
    point.comply(violatedTriangles(layout.conceptCount))
    expect(point.x).toEqual(x)
  })
})

describe('InteriorPoint', () => {
  test('InteriorPoint with all triangles of three concepts comes to the optimum over the marginal polytope', () => {
    const problem = halvesProblem(3, 0.1, {lambda: 0.001})
    const point = solved(problem)
    const local = point.objective
    const bounds: number[] = []
    for (let rows = violatedRows(problem, point); rows.length > 0; rows = violatedRows(problem, point)) {
      // A hundred times over, so that the cuts have most of the gap: each product of slack and multiplier counts.
      point.addCuts(Array.from({length: 100}, () => rows).flat())
      do bounds.push(point.objective - point.gap)
      while (point.gap > 1e-7 && point.step())
    }
    const twin = minimizeByExchange(problem, 1e-7)
    expect(Math.abs(point.objective - twin.objective)).toBeLessThan(2e-7)
    for (const bound of bounds) expect(bound).toBeLessThanOrEqual(twin.objective)
    expect(point.objective).toBeGreaterThan(local + 1e-6)
  })

  test('InteriorPoint comes to what was seen where that lies inside', () => {
    const problem = halvesProblem(5, 0.17)
    const point = solved(problem)
    expect(point.objective).toBeLessThan(1e-7)
    expect(point.x[0]).toBeCloseTo(0.5, 3)
    expect(point.x[7]).toBeCloseTo(0.17, 3)
  })
})

function start(problem: MomentProblem): InteriorPoint {
  return new InteriorPoint(problem)
}

function solved(problem: MomentProblem): InteriorPoint {
  const point = start(problem)
  while (point.gap > 1e-7 && point.step());
  return point
}

function violatedRows({layout}: MomentProblem, point: InteriorPoint): CutRow[] {
  const rows: CutRow[] = []
  violatedTriangles(layout.conceptCount)(point.x, (violation, row) => {
    if (violation > 1e-8) rows.push(row)
  })
  return rows
}
