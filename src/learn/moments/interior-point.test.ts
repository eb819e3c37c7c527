import {describe, expect, test} from 'vitest'
import {
  expectInside,
  leastTriangle,
  minimizeByExchange,
  objectiveByTables,
  stopAt
} from '../../../test/moment-checks.ts'
import {randomProblem} from '../../../test/problems.ts'
import {rowProduct, violatedTriangles} from './cuts.ts'
import {InteriorPoint} from './interior-point.ts'
import type {MomentProblem} from './problem.ts'
import {halvesProblem} from './recover-moments.contract.ts'

const start = (problem: MomentProblem) => new InteriorPoint(problem, stopAt({}))

function solved(problem: MomentProblem): InteriorPoint {
  const point = start(problem)
  point.solve(1e-7)
  return point
}

describe.each([
  {lambda: 0, divergence: 'kl'},
  {lambda: 0.01, divergence: 'kl'},
  {lambda: 0, divergence: 'l2'},
  {lambda: 0.01, divergence: 'l2'}
] as const)('InteriorPoint with $divergence and lambda $lambda', spec => {
  const problem = halvesProblem(5, 0.12, spec)
  const triangles = violatedTriangles(5)
  // Few documents and weak anchors: an optimum with cells at or near 0.
  const atBoundary = randomProblem({conceptCount: 5, seed: 5, sampleCount: 40, gain: 0.1, ...spec})

  test.each([
    ['inside', problem],
    ['at the boundary', atBoundary]
  ] as const)(
    'InteriorPoint.step() to an optimum %s stays within, and its bounds are below every objective',
    (_, problem) => {
      const point = start(problem)
      const bounds: number[] = []
      do {
        const {mu} = point.solution()
        expect(Math.min(...mu)).toBeGreaterThan(0)
        expect(Math.abs(point.objective - objectiveByTables(problem, mu))).toBeLessThan(1e-11)
        expect(point.lowerBound).toBeGreaterThanOrEqual(point.objective - point.gap)
        bounds.push(point.lowerBound)
      } while (point.gap > 1e-8 && point.step())
      expectInside(problem.layout, 'local', point.solution().mu)
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
    expect(point.addCuts(triangles)).toBeGreaterThan(0)
    for (let n = 0; n < 10; n++) {
      for (const cut of point.cuts) expect(rowProduct(cut, point.x)).toBeGreaterThan(cut.lower)
      point.step()
    }
    // The bound of the polytope without cuts is one of the polytope with them.
    expect(point.lowerBound).toBeGreaterThan(before - 1e-6)
    expect(point.objective).toBeGreaterThan(before - 1e-6)
  })

  test('InteriorPoint.comply(...) moves inside until no triangle is violated', () => {
    const point = solved(problem)
    const bound = point.lowerBound
    point.comply(triangles)
    const {mu} = point.solution()
    expect(leastTriangle(problem.layout, mu)).toBeGreaterThanOrEqual(0)
    expectInside(problem.layout, 'cycle', mu)
    expect(point.lowerBound).toBeGreaterThanOrEqual(bound)
    expect(Math.abs(point.objective - objectiveByTables(problem, mu))).toBeLessThan(1e-11)
    const x = point.x.slice()
    point.comply(triangles)
    expect(point.x).toEqual(x)
  })
})

test('InteriorPoint with all triangles of three concepts comes to the optimum over the marginal polytope', () => {
  const problem = halvesProblem(3, 0.1, {lambda: 0.001})
  const point = solved(problem)
  const local = point.objective
  const bounds: number[] = []
  const triangles = violatedTriangles(3)
  // A hundred times over, so that the cuts have most of the gap: each product of slack and multiplier counts.
  while (point.addCuts((x, report) => Array.from({length: 100}, () => triangles(x, report))) > 0)
    do bounds.push(point.objective - point.gap)
    while (point.gap > 1e-7 && point.step())
  const twin = minimizeByExchange(problem, 1e-7)
  expect(Math.abs(point.objective - twin.objective)).toBeLessThan(2e-7)
  for (const bound of bounds) expect(bound).toBeLessThanOrEqual(twin.objective)
  expect(point.objective).toBeGreaterThan(local + 1e-6)
})
