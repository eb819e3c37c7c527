import {describe, expect, test} from 'vitest'
import {goldenProblem} from '../../../test/golden-problems.ts'
import {MomentObjective} from '../moments/index.ts'
import {ActiveSet} from './active-set.ts'
import {correctFully} from './fully-corrective.ts'
import {zeroOneVertices} from './polytope.contract.ts'
import type {ConvexObjective} from './step-rules.ts'

const never = {interrupted: () => false}

describe('correctFully', () => {
  test('correctFully(...) finds the nearest point of a hull', () => {
    const distance: ConvexObjective = {
      value: x => ((x[0] - 0.6) ** 2 + (x[1] - 0.6) ** 2) / 2,
      gradient(x, gradient) {
        gradient[0] = x[0] - 0.6
        gradient[1] = x[1] - 0.6
      }
    }
    const x = Float64Array.of(0, 0)
    const active = new ActiveSet(x)
    active.add(Float64Array.of(1, 0))
    active.add(Float64Array.of(0, 1))
    correctFully(distance, active, x, {gap: 1e-10, ...never})
    expect(x[0]).toBeCloseTo(0.5, 4)
    expect(x[1]).toBeCloseTo(0.5, 4)
    expect(active.weight(0)).toBeLessThan(1e-4)
  })

  test('correctFully(...) over all 0/1 vertices solves the marginal polytope, from inside, in one call', () => {
    const {problem, start, optimum} = goldenProblem('m4', 0.01)
    const x = start.slice()
    const active = new ActiveSet(start)
    for (const vertex of zeroOneVertices(problem.layout)) active.add(vertex)
    const objective = new MomentObjective(problem)
    correctFully(objective, active, x, {gap: 1e-8, ...never})
    // The golden optimum is right to 1e-7.
    expect(Math.abs(objective.value(x) - optimum('marginal'))).toBeLessThan(1e-7)
  })

  test('correctFully(...) leaves the point where it is when interrupted', () => {
    const {problem, start} = goldenProblem('m4', 0.01)
    const x = start.slice()
    const active = new ActiveSet(start)
    for (const vertex of zeroOneVertices(problem.layout)) active.add(vertex)
    let asked = 0
    correctFully(new MomentObjective(problem), active, x, {gap: 0, interrupted: () => ++asked > 1})
    expect(asked).toBe(2)
    expect(x).toEqual(start)
  })
})
