import {describe, expect, test} from 'vitest'
import {coordinatesOf, expectInside, leastTriangle} from '../../../test/moment-checks.ts'
import {independentMoments, randomProblem} from '../../../test/problems.ts'
import {largestDifference} from '../../../test/tables.ts'
import {coordinateCount, type MomentOrder, momentLayout, momentsAt} from '../polytopes/index.ts'
import {independentCoordinates, insidePoint} from './inside-point.ts'

const orders: readonly MomentOrder[] = [1, 2, 3]

describe.each(orders)('independent coordinates of order %i', order => {
  test('independentCoordinates(...) are those of the product of the prevalences', () => {
    const p = [0.2, 0.9, 0.5, 0.01]
    const layout = momentLayout(4, order)
    const expected = coordinatesOf(layout, independentMoments(layout, p))
    const x = independentCoordinates(p, coordinateCount(layout))
    expect(largestDifference(x, expected)).toBeLessThan(1e-15)
  })

  test('insidePoint(...) is inside of the marginal polytope with room, whatever the anchors say', () => {
    for (const share of [0, 0.01, 0.3, 1]) {
      const {observed, ...rest} = randomProblem({conceptCount: 4, order, seed: 1, lambda: 0})
      const seen = observed.map((_, c) => (c < 8 ? (c % 2 === 1 ? share : 1 - share) : 0))
      const {layout} = rest
      const x = insidePoint({...rest, observed: seen})
      const mu = new Float64Array(layout.size)
      momentsAt(layout, x, mu)
      expectInside(layout, 'marginal', mu)
      // Prevalences stay 0.05 away from 0 and 1, so no cell is below the product of three such shares.
      expect(Math.min(...mu)).toBeGreaterThan(0.05 ** order - 1e-12)
      if (order > 1) expect(leastTriangle(layout, mu)).toBeGreaterThan(1e-4)
    }
  })

  test('insidePoint(...) has nine tenths of the prevalences that the anchors imply', () => {
    const problem = randomProblem({conceptCount: 4, order, seed: 2, lambda: 0})
    const x = insidePoint(problem)
    problem.rates.forEach(({truePositive: t, falsePositive: e}, i) => {
      const implied = Math.min(1, Math.max(0, (problem.observed[2 * i + 1] - e) / (t - e)))
      expect(x[i]).toBeCloseTo(0.9 * implied + 0.05, 12)
    })
  })
})
