import {describe, expect, test} from 'vitest'
import {leastTriangle, stopAt} from '../../../test/moment-checks.ts'
import {randomProblem} from '../../../test/problems.ts'
import {type StopRule, violatedTriangles} from '../polytopes/index.ts'
import {PairCurvature} from './curvature.ts'
import type {MomentProblem} from './moment-problem.ts'
import {Relaxation} from './relaxation.ts'

const problem = randomProblem({conceptCount: 10, order: 2, seed: 10, lambda: 0.001, sampleCount: 60, gain: 0.2})
const triangles = violatedTriangles(problem.layout)

function relaxation(rule: StopRule, of: MomentProblem = problem): Relaxation {
  return new Relaxation(of, new PairCurvature(of), rule)
}

describe('Relaxation', () => {
  test('Relaxation.solve(...) steps until the gap is as small as it is told, telling each step', () => {
    const {point, solve} = bound(relaxation(stopAt({})))
    const gaps: number[] = []
    expect(solve(1e-5, ({gap}) => gaps.push(gap))).toBeUndefined()
    expect(point.gap).toBeLessThanOrEqual(1e-5)
    expect(gaps).toHaveLength(point.steps + 1)
    expect(gaps.slice(0, -1).every(gap => gap > 1e-5)).toBe(true)
  })

  test('Relaxation.solve(...) stops where the rule says, with a point and a bound', () => {
    const {point, solve} = bound(relaxation(stopAt({stepLimit: 3})))
    expect(solve(1e-9)).toBe('step-limit')
    expect(point.steps).toBe(3)
    expect(Number.isFinite(point.lowerBound)).toBe(true)
  })

  test('Relaxation.cut(...) adds the rows that are violated, in unit length, and says how many', () => {
    const outer = relaxation(stopAt({}))
    outer.solve(1e-6)
    let violated = 0
    triangles(outer.point.x, violation => {
      if (violation > 1e-6) violated++
    })
    expect(violated).toBeGreaterThan(0)
    const added = outer.cut(triangles)
    expect(added).toBeGreaterThanOrEqual(violated)
    const {cuts, x} = outer.point
    expect(cuts.size).toBe(added)
    for (let row = 0; row < cuts.size; row++) {
      const squares = new Float64Array(x.length)
      cuts.addSquaresTo(squares, row, 1)
      expect(squares.reduce((sum, square) => sum + square, 0)).toBeCloseTo(1, 12)
    }
    expect(outer.cut(() => {})).toBe(0)
  })

  test('Relaxation.cut(...) scales both sides of a row', () => {
    const outer = relaxation(stopAt({}))
    outer.cut((_, report) => report(1, {indices: [0, 1, 10], values: [-1, -1, 2], lower: -3}))
    const {cuts, x} = outer.point
    expect(cuts.slack(0, x)).toBeCloseTo((3 - x[0] - x[1] + 2 * x[10]) / Math.sqrt(6), 12)
  })

  test('Relaxation.cut(...) takes the deepest of a crowd', () => {
    const outer = relaxation(stopAt({}))
    const added = outer.cut((x, report) => {
      // Rows that ask for a little less than the point has, so that it stays inside of them, all of another depth.
      for (let n = 1; n <= 800; n++) report(n, {indices: [0], values: [1], lower: x[0] / 2 - n / 1e6})
    })
    expect(added).toBe(500)
    const {cuts, x} = outer.point
    const lowest = x[0] / 2 - 800 / 1e6
    expect(cuts.slack(0, x)).toBeCloseTo(x[0] - lowest, 12)
  })

  test('Relaxation.solveWith(...) ends where no triangle is violated, above the local optimum', () => {
    const local = relaxation(stopAt({}))
    local.solve(1e-6)
    const outer = relaxation(stopAt({}))
    expect(outer.solveWith(triangles, 1e-6)).toBeUndefined()
    expect(outer.point.gap).toBeLessThanOrEqual(1e-6)
    // Cuts that are violated by less than 1e-9 of their length, at most sqrt(6), are left out.
    expect(leastTriangle(problem.layout, outer.point.mu)).toBeGreaterThan(-2.5e-9)
    expect(outer.point.objective).toBeGreaterThan(local.point.objective + 1e-5)
  })

  test('Relaxation.solveWith(...) is cancelled between any two steps', () => {
    for (const looks of [0, 1, 4, 9]) {
      let left = looks
      const outer = relaxation(
        stopAt(
          {},
          {
            signal: {
              get aborted() {
                return left-- <= 0
              }
            }
          }
        )
      )
      expect(outer.solveWith(triangles, 1e-6)).toBe('cancelled')
      expect(outer.point.steps).toBe(looks)
    }
  })
})

function bound(outer: Relaxation) {
  return {point: outer.point, solve: outer.solve.bind(outer)}
}
