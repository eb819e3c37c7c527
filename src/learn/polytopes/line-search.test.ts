import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {dot} from '../../base/numeric/index.ts'
import {type ConvexObjective, lineSearch, type Segment} from './line-search.ts'

/** sum_c curve_c x_c^2 / 2 - shrinkage_c log x_c: infinite at x <= 0 where it is shrunk. */
function barrier(curve: readonly number[], shrinkage: readonly number[]): ConvexObjective {
  return {
    value: x =>
      x.reduce((sum, value, c) => {
        const wall = shrinkage[c] === 0 ? 0 : value > 0 ? -shrinkage[c] * Math.log(value) : Number.POSITIVE_INFINITY
        return sum + (curve[c] * value * value) / 2 + wall
      }, 0),
    gradient(x, gradient) {
      for (let c = 0; c < x.length; c++) gradient[c] = curve[c] * x[c] - (shrinkage[c] === 0 ? 0 : shrinkage[c] / x[c])
    }
  }
}

function segmentOf(objective: ConvexObjective, x: Float64Array, d: Float64Array, limit: number): Segment {
  const g = x.slice()
  objective.gradient(x, g)
  return {x, d, limit, slope: dot(g, d)}
}

describe('lineSearch', () => {
  test('lineSearch(...) finds the minimum on the segment', () => {
    const parabola = barrier([2, 6], [0, 0])
    const rule = lineSearch(parabola, 2)
    // f along d = (-1, -1) from (1, 1): (1 - s)^2 * 4.
    expect(rule(segmentOf(parabola, Float64Array.of(1, 1), Float64Array.of(-1, -1), 5))).toBeCloseTo(1, 4)
    expect(rule(segmentOf(parabola, Float64Array.of(1, 1), Float64Array.of(-1, -1), 0.5))).toBe(0.5)
    // x - log x from 0.1 upwards: the minimum is at 1, the slope there 1e-4 of the -9 it began with at most.
    const walled = barrier([0], [1])
    const tilted: ConvexObjective = {
      value: x => walled.value(x) + x[0],
      gradient(x, gradient) {
        walled.gradient(x, gradient)
        gradient[0] += 1
      }
    }
    expect(lineSearch(tilted, 1)(segmentOf(tilted, Float64Array.of(0.1), Float64Array.of(1), 50))).toBeCloseTo(0.9, 2)
  })

  test('lineSearch(...) goes down, and never to where the objective is infinite', () => {
    const number = fc.double({min: 0.01, max: 10, noNaN: true})
    const triple = fc.tuple(number, number, number)
    fc.assert(
      fc.property(triple, triple, triple, triple, (x, curve, shrinkage, to) => {
        const objective = barrier(curve, shrinkage)
        const from = Float64Array.from(x)
        // To the boundary, or through it.
        const d = from.map((value, c) => to[c] - 5 - value)
        const segment = segmentOf(objective, from, d, 1)
        const gamma = lineSearch(objective, 3)(segment)
        const after = objective.value(from.map((value, c) => value + gamma * d[c]))
        expect(Number.isFinite(after)).toBe(true)
        expect(gamma).toBeLessThanOrEqual(1)
        if (segment.slope < -1e-6) expect(after).toBeLessThan(objective.value(from))
        else if (segment.slope >= 0) expect(gamma).toBe(0)
      })
    )
  })
})
