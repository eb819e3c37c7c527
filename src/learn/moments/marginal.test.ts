import {describe, expect, test} from 'vitest'
import {allVertices, coordinatesOf, expectSound, stopAt} from '../../../test/moment-checks.ts'
import {randomProblem} from '../../../test/problems.ts'
import {rng} from '../../base/numeric/index.ts'
import {type CutRow, rowProduct, type Separate, violatedHypermetrics, violatedTriangles} from './cuts.ts'
import {solveCycle} from './interior-point.ts'
import {solveMarginal} from './marginal.ts'
import {independentCoordinates, type MomentProblem, momentLayout} from './problem.ts'
import {expectOverlap, halvesProblem} from './recover-moments.contract.ts'
import {solveMoments} from './recover-moments.ts'

function minimize(problem: MomentProblem, gap: number, seed = 0) {
  return solveMarginal(problem, stopAt({gap, stepLimit: 2000}), seed)
}

describe('solveMarginal', () => {
  // Up to 16 concepts the best vertex is enumerated.
  test.each([3, 8, 9, 12])('solveMarginal(...) of %i concepts is the best mixture of all assignments', async m => {
    for (const problem of [
      halvesProblem(m, 0.15, {lambda: 0.01}),
      randomProblem({conceptCount: m, seed: m, lambda: 0.001, sampleCount: 60, gain: 0.25})
    ]) {
      const found = minimize(problem, 1e-5)
      expect(['optimal', 'tolerance']).toContain(found.certificate.status)
      expect(found.certificate.heuristicGap).toBeUndefined()
      expectSound(problem, 'marginal', found, 1e-5)
      // The method of the paper takes minutes for more concepts.
      if (m > 8) continue
      const paper = {solver: 'conditional-gradient', polytope: 'marginal', seed: 0} as const
      expectOverlap(found, await solveMoments(problem, stopAt({gap: 1e-5}), paper))
    }
  })

  test('solveMarginal(...) of 20 concepts, beyond enumeration, proves a gap of 1e-4', () => {
    const problem = randomProblem({conceptCount: 20, seed: 1, lambda: 0.01, sampleCount: 50_000})
    const found = minimize(problem, 1e-4)
    expectSound(problem, 'marginal', found, 1e-4)
    expect(['optimal', 'tolerance']).toContain(found.certificate.status)
    const cycle = solveCycle(problem, stopAt({gap: 1e-4})).certificate
    expect(found.certificate.objective).toBeGreaterThanOrEqual(cycle.lowerBound)
  })

  test('solveMarginal(...) gives the same twice, and another seed does not contradict it', () => {
    const problem = randomProblem({conceptCount: 17, seed: 5, lambda: 0.01, sampleCount: 2000})
    const first = minimize(problem, 1e-2)
    expect(minimize(problem, 1e-2)).toEqual(first)
    expectOverlap(first, minimize(problem, 1e-2, 1))
  })
})

describe.each<[string, (m: number) => Separate]>([
  ['violatedTriangles', violatedTriangles],
  ['violatedHypermetrics', m => violatedHypermetrics(m, 200, rng(1))]
])('%s', (name, separator) => {
  const m = 5
  const layout = momentLayout(m)
  const vertices = allVertices(layout).map(vertex => coordinatesOf(layout, vertex))
  const random = rng(9)
  const points = Array.from({length: 20}, () => Float64Array.from({length: 15}, () => random.next()))

  test(`${name}(...) reports rows that the point violates by as much, and every vertex satisfies`, () => {
    const separate = separator(m)
    const rows = points.flatMap(x => reported(separate, x).map(found => ({x, ...found})))
    expect(rows.length).toBeGreaterThan(30)
    for (const {x, violation, row} of rows) {
      expect(violation).toBeGreaterThan(0)
      expect(Math.abs(violation + rowProduct(row, x) - row.lower)).toBeLessThan(1e-12)
      for (const vertex of vertices) expect(rowProduct(row, vertex) - row.lower).toBeGreaterThanOrEqual(-1e-12)
    }
  })

  test(`${name}(...) has nothing to report at independent concepts`, () => {
    expect(reported(separator(m), independentCoordinates([0.1, 0.9, 0.5, 0.3, 0.7]))).toEqual([])
  })
})

test('violatedHypermetrics(...) finds the pentagon that no triangle implies', () => {
  const x = independentCoordinates(new Array(5).fill(0.5)).fill(0.17, 5)
  expect(reported(violatedTriangles(5), x)).toEqual([])
  // The mean of (s - 2)(s - 3), where s concepts hold, is 5.9 - 12.5 + 6 = -0.6 and rows are half of it.
  const worst = reported(violatedHypermetrics(5, 200, rng(1)), x).map(({violation}) => violation)
  expect(Math.max(...worst)).toBeCloseTo(0.3, 9)
})

function reported(separate: Separate, x: Float64Array): {violation: number; row: CutRow}[] {
  const found: {violation: number; row: CutRow}[] = []
  separate(x, (violation, row) => found.push({violation, row}))
  return found
}
