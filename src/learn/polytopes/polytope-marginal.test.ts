import {describe, expect, test} from 'vitest'
import {tablesOf} from '../../../test/problems.ts'
import {rng} from '../../base/numeric/index.ts'
import {momentLayout} from './moment-layout.ts'
import {describePolytope, dot, gradients, zeroOneVertices} from './polytope.contract.ts'
import {polytopeSimplex} from './polytope.ts'
import {polytopeMarginal} from './polytope-marginal.ts'

describePolytope({
  name: 'marginal',
  orders: [1, 2, 3],
  load: async () => layout => polytopeMarginal(layout),
  grain: () => 1
})

describe('polytopeMarginal', () => {
  test('minimize(...) finds the best of all 2^m vertices', () => {
    for (const order of [2, 3] as const) {
      const layout = momentLayout(7, order)
      const vertices = zeroOneVertices(layout)
      const polytope = polytopeMarginal(layout)
      for (const gradient of gradients(layout)) {
        const best = Math.min(...vertices.map(vertex => dot(gradient, vertex)))
        const {value} = polytope.minimize(gradient, new Float64Array(layout.size))
        expect(Math.abs(value - best)).toBeLessThan(1e-12 * (1 + Math.abs(best)) * layout.size)
      }
    }
  })

  test('minimize(...) with more pairs than can be tried proves its minimum by branch and bound, or says what is missing', () => {
    const layout = momentLayout(20, 2)
    const gradient = Float64Array.from({length: layout.size}, randomCell(3))
    const vertex = new Float64Array(layout.size)
    const exact = polytopeMarginal(layout).minimize(gradient, vertex)
    expect(exact.exact).toBe(true)
    expect(exact.value - exact.bound).toBeLessThan(1e-6)
    expect(dot(gradient, vertex)).toBeCloseTo(exact.value, 10)
    const stopped = polytopeMarginal(layout, () => true).minimize(gradient, vertex)
    expect(stopped.exact).toBe(false)
    expect(stopped.bound).toBeLessThanOrEqual(exact.value)
    expect(stopped.value).toBeGreaterThanOrEqual(exact.bound)
  })

  test('minimize(...) with more triples than can be tried takes its bound from the simplex and is not exact', () => {
    const layout = momentLayout(21, 3)
    const gradient = Float64Array.from({length: layout.size}, randomCell(4))
    const vertex = new Float64Array(layout.size)
    const answer = polytopeMarginal(layout).minimize(gradient, vertex)
    expect(answer.exact).toBe(false)
    expect(answer.value).toBeCloseTo(dot(gradient, vertex), 8)
    expect(answer.bound).toBe(polytopeSimplex(layout).minimize(gradient, new Float64Array(layout.size)).value)
    // Better than random vertices.
    const random = rng(5)
    for (let trial = 0; trial < 30; trial++) {
      const y = Uint8Array.from({length: 21}, () => (random.next() < 0.5 ? 0 : 1))
      expect(answer.value).toBeLessThan(dot(gradient, tablesOf(layout, [y])))
    }
  })
})

function randomCell(seed: number): () => number {
  const random = rng(seed)
  return () => random.next() - 0.5
}
