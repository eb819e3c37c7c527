import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {dot} from '../../base/numeric/index.ts'
import {type ConvexObjective, type Segment, type StepRuleName, stepRuleNamed} from './step-rules.ts'

const descending: readonly StepRuleName[] = ['line-search', 'backtracking']

/** sum_c curve_c x_c^2 / 2 - pull_c log x_c: infinite at x <= 0 where it is pulled. */
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
  return {x, d, limit, f: objective.value(x), slope: dot(g, d)}
}

describe('stepRuleNamed', () => {
  test('stepRuleNamed(line-search) finds the minimum on the segment', () => {
    const parabola = barrier([2, 6], [0, 0])
    const rule = stepRuleNamed('line-search', parabola, 2)
    // f along d = (-1, -1) from (1, 1): (1 - s)^2 * 4.
    expect(rule(segmentOf(parabola, Float64Array.of(1, 1), Float64Array.of(-1, -1), 5), 0)).toBeCloseTo(1, 4)
    expect(rule(segmentOf(parabola, Float64Array.of(1, 1), Float64Array.of(-1, -1), 0.5), 0)).toBe(0.5)
    // x - log x from 0.1 upwards: the minimum is at 1, the slope there 1e-4 of the -9 it began with at most.
    const walled = barrier([0], [1])
    const tilted: ConvexObjective = {
      value: x => walled.value(x) + x[0],
      gradient(x, gradient) {
        walled.gradient(x, gradient)
        gradient[0] += 1
      }
    }
    expect(
      stepRuleNamed('line-search', tilted, 1)(segmentOf(tilted, Float64Array.of(0.1), Float64Array.of(1), 50), 0)
    ).toBeCloseTo(0.9, 2)
  })

  test('stepRuleNamed(open-loop) goes 2 / (t + 2), counted from 1, and never beyond the limit', () => {
    const parabola = barrier([1], [0])
    const rule = stepRuleNamed('open-loop', parabola, 1)
    const segment = segmentOf(parabola, Float64Array.of(1), Float64Array.of(1), 1)
    expect([0, 1, 2, 7].map(t => rule(segment, t))).toEqual([2 / 3, 2 / 4, 2 / 5, 2 / 10])
    expect(rule({...segment, limit: 0.1}, 0)).toBe(0.1)
  })

  test.each(descending)('stepRuleNamed(%s) goes down, and never to where the objective is infinite', name => {
    const number = fc.double({min: 0.01, max: 10, noNaN: true})
    const triple = fc.tuple(number, number, number)
    fc.assert(
      fc.property(triple, triple, triple, triple, (x, curve, shrinkage, to) => {
        const objective = barrier(curve, shrinkage)
        const from = Float64Array.from(x)
        // To the boundary, or through it.
        const d = from.map((value, c) => to[c] - 5 - value)
        const segment = segmentOf(objective, from, d, 1)
        const gamma = stepRuleNamed(name, objective, 3)(segment, 0)
        const after = objective.value(from.map((value, c) => value + gamma * d[c]))
        expect(Number.isFinite(after)).toBe(true)
        expect(gamma).toBeLessThanOrEqual(1)
        if (segment.slope < -1e-6) expect(after).toBeLessThan(segment.f)
        else if (segment.slope >= 0) expect(gamma).toBe(0)
      })
    )
  })

  test('stepRuleNamed(open-loop) steps back from a point where the objective is infinite', () => {
    const objective = barrier([0], [1])
    const segment = segmentOf(objective, Float64Array.of(1), Float64Array.of(-2), 1)
    expect(stepRuleNamed('open-loop', objective, 1)(segment, 0)).toBe(1 / 3)
  })

  test('stepRuleNamed(backtracking) bends its parabola until it lies above the objective', () => {
    const objective = barrier([100], [0])
    const rule = stepRuleNamed('backtracking', objective, 1)
    const gamma = rule(segmentOf(objective, Float64Array.of(1), Float64Array.of(-1), 10), 0)
    expect(gamma).toBeGreaterThan(0)
    // The parabola lies above the objective only if its minimum is no further than the objective's own, at 1.
    expect(gamma).toBeLessThanOrEqual(1)
  })
})
