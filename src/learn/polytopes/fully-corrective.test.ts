import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {goldenProblem} from '../../../test/golden-problems.ts'
import {MomentObjective} from '../moments/index.ts'
import {ActiveSet} from './active-set.ts'
import {correctFully, minimizeOnSimplex} from './fully-corrective.ts'
import type {ConvexObjective} from './line-search.ts'
import {zeroOneVertices} from './polytope.contract.ts'

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

describe('minimizeOnSimplex', () => {
  test('minimizeOnSimplex(...) of a distance to a point of the simplex finds it', () => {
    const H = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1)
    const w0 = Float64Array.of(1, 0, 0)
    const target = [0.2, 0.3, 0.5]
    // |w - target|^2 / 2, whose slopes at w0 are w0 - target.
    const w = minimizeOnSimplex(
      w0.map((share, n) => share - target[n]),
      H,
      w0,
      1e-14
    )
    w.forEach((share, n) => {
      expect(share).toBeCloseTo(target[n], 6)
    })
    expect([...w0]).toEqual([1, 0, 0])
  })

  test('minimizeOnSimplex(...) without curvature goes to the least slope', () => {
    expect([
      ...minimizeOnSimplex(Float64Array.of(2, 1, 3), new Float64Array(9), Float64Array.of(0.5, 0, 0.5), 0)
    ]).toEqual([0, 1, 0])
  })

  test('minimizeOnSimplex(...) stays in the simplex, and is right about the gap', () => {
    const size = 4
    const numbers = (length: number) =>
      fc.array(fc.double({min: -1, max: 1, noNaN: true}), {minLength: length, maxLength: length})
    fc.assert(
      fc.property(numbers(size), numbers(size * size), (slopes, B) => {
        const H = Float64Array.from({length: size * size}, (_, at) => {
          const [row, column] = [Math.floor(at / size), at % size]
          // B B' + 1: eigenvalues from 1 to 17, so that the steps shrink the gap by a fixed share.
          const identity = row === column ? 1 : 0
          return B.reduce((sum, _, k) => (k < size ? sum + B[row * size + k] * B[column * size + k] : sum), identity)
        })
        const w0 = new Float64Array(size).fill(1 / size)
        const w = minimizeOnSimplex(Float64Array.from(slopes), H, w0, 1e-6)
        expect(Math.min(...w)).toBeGreaterThanOrEqual(0)
        expect(w.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
        const slope = slopes.map((s, n) => s + w.reduce((sum, share, k) => sum + H[n * size + k] * (share - w0[k]), 0))
        const gap = slope.reduce((sum, s, n) => sum + s * w[n], 0) - Math.min(...slope)
        expect(gap).toBeLessThan(1e-6 + 1e-12)
      })
    )
  })
})
