import {describe, expect, test} from 'vitest'
import {randomProblem} from '../../../test/problems.ts'
import {largestDifference} from '../../../test/tables.ts'
import {rng} from '../../base/numeric/index.ts'
import {Curvature} from './curvature.ts'
import {coordinateCount, coordinateGradient, momentsAt} from './layout.ts'
import {insidePoint, MomentObjective, type MomentProblem} from './problem.ts'

describe.each([
  [2, 'kl'],
  [3, 'kl'],
  [5, 'kl'],
  [5, 'l2']
] as const)('Curvature of %i concepts, %s', (conceptCount, divergence) => {
  const problem = randomProblem({conceptCount, seed: conceptCount, lambda: 0, divergence})
  const size = coordinateCount(problem.layout)
  const random = rng(7)
  const x = insidePoint(problem)
  const weights = Float64Array.from({length: problem.layout.size}, () => 10 ** (3 * random.next()))
  const curvature = new Curvature(problem)
  curvature.update(x, weights)
  const vector = () => Float64Array.from({length: size}, () => random.next() - 0.5)
  const product = (v: Float64Array) => {
    const out = new Float64Array(size).fill(Number.NaN)
    curvature.multiply(v, out)
    return out
  }

  test('slope is the gradient of D', () => {
    expect(largestDifference(curvature.slope, slopeOf(problem, x))).toBeLessThan(1e-12)
  })

  test('multiply(...) is the change of the slope, plus the weighted change of every cell', () => {
    const changes = cellChanges(problem, size)
    for (let e = 0; e < size; e++) {
      const unit = new Float64Array(size)
      unit[e] = 1
      const h = 1e-5
      const [up, down] = [h, -h].map(step =>
        slopeOf(
          problem,
          x.map((value, at) => value + step * unit[at])
        )
      )
      const weighted = changes.map(change => change.reduce((sum, d, c) => sum + d * weights[c] * changes[e][c], 0))
      const expected = up.map((value, at) => (value - down[at]) / (2 * h) + weighted[at])
      // A central difference errs by h^2 of a third derivative, and by rounding of the slope over h.
      const scale = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
      expect(largestDifference(product(unit), expected)).toBeLessThan(1e-7 * scale)
    }
  })

  test('solve(...) undoes multiply(...)', () => {
    expect(curvature.factor()).toBe(true)
    for (let run = 0; run < 5; run++) {
      const v = vector()
      const b = product(v)
      const copy = b.slice()
      const found = new Float64Array(size).fill(Number.NaN)
      curvature.solve(b, found)
      expect(largestDifference(found, v)).toBeLessThan(1e-7)
      expect(b).toEqual(copy)
    }
  })
})

/** The gradient of D in coordinates, by way of the cells. */
function slopeOf(problem: MomentProblem, x: Float64Array): Float64Array {
  const mu = new Float64Array(problem.layout.size)
  const gradient = new Float64Array(mu.length)
  const slope = new Float64Array(x.length)
  momentsAt(problem.layout, x, mu)
  new MomentObjective(problem).gradient(mu, gradient)
  coordinateGradient(problem.layout, gradient, slope)
  return slope
}

/** How every cell changes with every coordinate. */
function cellChanges({layout}: MomentProblem, size: number): Float64Array[] {
  const at = (x: Float64Array) => {
    const mu = new Float64Array(layout.size)
    momentsAt(layout, x, mu)
    return mu
  }
  const none = at(new Float64Array(size))
  return Array.from({length: size}, (_, e) =>
    at(new Float64Array(size).fill(1, e, e + 1)).map((share, c) => share - none[c])
  )
}
