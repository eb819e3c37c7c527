import {describe, expect, test} from 'vitest'
import {randomProblem} from '../../../test/problems.ts'
import {largestDifference} from '../../../test/tables.ts'
import {rng} from '../../base/numeric/index.ts'
import {rowProduct} from './cuts.ts'
import {NewtonSystem} from './newton-system.ts'
import {MomentObjective} from './objective.ts'
import {coordinateGradient, insidePoint, type MomentProblem, momentsAt} from './problem.ts'

describe.each([
  [2, 'kl'],
  [3, 'kl'],
  [5, 'kl'],
  [5, 'l2']
] as const)('NewtonSystem of %i concepts, %s', (conceptCount, divergence) => {
  const problem = randomProblem({conceptCount, seed: conceptCount, lambda: 0, divergence})
  const {layout} = problem
  const objective = new MomentObjective(problem)
  const random = rng(7)
  const x = insidePoint(problem)
  const size = x.length
  const weights = Float64Array.from({length: problem.layout.size}, () => 10 ** (3 * random.next()))
  const system = new NewtonSystem(problem)
  system.update(objective.gradient(momentsAt(layout, x), new Float64Array(layout.size)), weights)
  const vector = () => Float64Array.from({length: size}, () => random.next() - 0.5)
  const product = (v: Float64Array) => {
    const out = new Float64Array(size).fill(Number.NaN)
    system.multiply(v, out)
    return out
  }

  test('multiply(...) is the change of the gradient of D, plus the weighted change of every cell', () => {
    const changes = cellChanges(problem, size)
    for (let e = 0; e < size; e++) {
      const unit = new Float64Array(size)
      unit[e] = 1
      const h = 1e-5
      const [up, down] = [h, -h].map(step => gradientAt(x.map((value, at) => value + step * unit[at])))
      const weighted = changes.map(change => change.reduce((sum, d, c) => sum + d * weights[c] * changes[e][c], 0))
      const expected = up.map((value, at) => (value - down[at]) / (2 * h) + weighted[at])
      // A central difference errs by h^2 of a third derivative, and by rounding of the slope over h.
      const scale = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
      expect(largestDifference(product(unit), expected)).toBeLessThan(1e-7 * scale)
    }
  })

  test('solve(...) undoes multiply(...) and the weighted products of the cuts', () => {
    const cuts = [
      {indices: [0, size - 1], values: [1, -1], lower: 0},
      {indices: [1], values: [2], lower: 0}
    ]
    const cutWeights = Float64Array.of(5, 0.3)
    for (const count of [0, 2]) {
      expect(system.factor(cuts.slice(0, count), cutWeights.subarray(0, count))).toBe(true)
      const v = vector()
      const b = product(v)
      cuts.slice(0, count).forEach((cut, n) => {
        const weighted = cutWeights[n] * rowProduct(cut, v)
        cut.indices.forEach((index, at) => {
          b[index] += weighted * cut.values[at]
        })
      })
      system.solve(b)
      expect(largestDifference(b, v)).toBeLessThan(1e-7)
    }
  })

  function gradientAt(at: Float64Array): Float64Array {
    const [slopes, gradient] = [new Float64Array(layout.size), new Float64Array(size)]
    objective.gradient(momentsAt(layout, at), slopes)
    coordinateGradient(layout, slopes, gradient)
    return gradient
  }
})

/** How every cell changes with every coordinate. */
function cellChanges({layout}: MomentProblem, size: number): Float64Array[] {
  return Array.from({length: size}, (_, e) =>
    momentsAt(layout, new Float64Array(size).fill(1, e, e + 1), new Float64Array(layout.size), 0)
  )
}
