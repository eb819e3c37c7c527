import {describe, expect, test} from 'vitest'
import {allVertices, product as dot, expectInside} from '../../../test/moment-checks.ts'
import {independentMoments, randomProblem} from '../../../test/problems.ts'
import {loadLinearSolver} from '../../base/linear/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {MomentObjective} from './objective.ts'
import {openPolytope, type Polytope, type PolytopeName} from './oracles.ts'
import {type MomentLayout, momentLayout} from './problem.ts'

const solver = await loadLinearSolver()
const names: readonly PolytopeName[] = ['simplex', 'local', 'cycle', 'marginal']
/** An exact oracle that goes through a linear program may be off by its tolerance, which this is well above. */
const TOLERANCE = 1e-7

const open = (name: PolytopeName, m: number) => openPolytope(name, momentLayout(m), async () => solver)

/** What every polytope promises. */
describe.each(names)('%s polytope', name => {
  /** Checks every gradient on every size, with the polytope kept from one to the next. */
  async function forAll(
    check: (polytope: Polytope, gradient: Float64Array, layout: MomentLayout) => void
  ): Promise<void> {
    for (const m of [1, 2, 3, 5, 7]) {
      const polytope = await open(name, m)
      const layout = momentLayout(m)
      for (const gradient of gradients(layout)) check(polytope, gradient, layout)
      polytope.dispose()
    }
  }

  test('minimize(...) writes a vertex of the polytope, its value and a bound that meets it', () =>
    forAll((polytope, gradient, layout) => {
      const vertex = new Float64Array(layout.size).fill(Number.NaN)
      const copy = gradient.slice()
      const {value, bound, exact} = polytope.minimize(gradient, vertex)
      expect(gradient).toEqual(copy)
      expectInside(layout, name, vertex)
      if (name === 'marginal') for (const cell of vertex) expect(cell === 0 || cell === 1).toBe(true)
      const scale = 1 + largest(gradient) * vertex.length
      expect(Math.abs(dot(gradient, vertex) - value)).toBeLessThan(1e-13 * scale)
      expect(exact).toBe(true)
      expect(bound).toBeLessThanOrEqual(value)
      expect(value - bound).toBeLessThan(TOLERANCE * scale)
    }))

  test('minimize(...) is right that no point of the polytope has a smaller product than the bound', () => {
    const random = rng(2)
    return forAll((polytope, gradient, layout) => {
      const {bound} = polytope.minimize(gradient, new Float64Array(layout.size))
      const rounding = 1e-12 * (1 + largest(gradient) * layout.size)
      for (const vertex of allVertices(layout)) expect(dot(gradient, vertex)).toBeGreaterThanOrEqual(bound - rounding)
      // Vertices for other objectives are points of the same polytope, and so are independent concepts.
      const other = new Float64Array(layout.size)
      for (let trial = 0; trial < 3; trial++) {
        polytope.minimize(
          gradient.map(() => random.next() - 0.5),
          other
        )
        expect(dot(gradient, other)).toBeGreaterThanOrEqual(bound - rounding)
        const prevalence = Array.from({length: layout.conceptCount}, () => random.next())
        expect(dot(gradient, independentMoments(layout, prevalence))).toBeGreaterThanOrEqual(bound - rounding)
      }
    })
  })
})

describe('polytopes', () => {
  test('minimize(...) never falls from the widest polytope to the narrowest', async () => {
    for (const m of [2, 3, 5, 8])
      for (const gradient of randomGradients(momentLayout(m), 20)) {
        const minima = await Promise.all(names.map(name => minimum(name, m, gradient)))
        for (let at = 1; at < minima.length; at++) expect(minima[at]).toBeGreaterThan(minima[at - 1] - TOLERANCE)
        // Up to four concepts, the triangles are all there is.
        if (m <= 4) expect(Math.abs(minima[3] - minima[2])).toBeLessThan(TOLERANCE)
      }
  })

  test('minimize(...) is below on local where three concepts disagree pairwise, but not on cycle', async () => {
    // Every pair wants to differ, which three concepts cannot: y_i + y_k - 2 y_i y_k, negated.
    const differ = objectiveOf(momentLayout(3), -2, 2)
    expect(await minimum('local', 3, differ)).toBeCloseTo(-3, 9)
    expect(await minimum('cycle', 3, differ)).toBeCloseTo(-2, 9)
    expect(await minimum('marginal', 3, differ)).toBe(-2)
  })

  test('minimize(...) is below on cycle than on marginal for a pentagonal objective', async () => {
    // (y_0 + ... + y_4 - 2)(y_0 + ... + y_4 - 3) - 6: at least -6 on 0/1; at p = 1/2, q = 1/6 it is -20/3, and no triangle objects.
    const pentagon = objectiveOf(momentLayout(5), -4, 2)
    expect(await minimum('marginal', 5, pentagon)).toBe(-6)
    expect(await minimum('cycle', 5, pentagon)).toBeLessThanOrEqual(-20 / 3 + TOLERANCE)
  })

  test('minimize(...) by an integer program, beyond enumeration, lies between cycle and every assignment', async () => {
    const m = 24
    const problem = randomProblem({conceptCount: m, seed: 3, lambda: 0.01})
    const gradient = new Float64Array(problem.layout.size)
    new MomentObjective(problem).gradient(independentMoments(problem.layout, new Array(m).fill(0.2)), gradient)
    const polytope = await open('marginal', m)
    const vertex = new Float64Array(gradient.length)
    const {value, bound, exact} = polytope.minimize(gradient, vertex)
    polytope.dispose()
    expect(exact).toBe(true)
    expectInside(problem.layout, 'marginal', vertex)
    expect(value).toBeCloseTo(dot(gradient, vertex), 9)
    expect(bound).toBeLessThanOrEqual(value)
    expect(value - bound).toBeLessThan(1e-3)
    expect(value).toBeGreaterThanOrEqual((await minimum('cycle', m, gradient)) - 1e-4)
  })

  test('minimize(...) that is stopped has a bound still', async () => {
    const layout = momentLayout(24)
    const polytope = await openPolytope(
      'marginal',
      layout,
      async () => solver,
      () => true
    )
    const [gradient] = randomGradients(layout, 1)
    const {value, bound, exact} = polytope.minimize(gradient, new Float64Array(layout.size))
    polytope.dispose()
    expect(exact).toBe(false)
    expect(bound).toBeLessThanOrEqual(value)
  })
})

async function minimum(name: PolytopeName, m: number, gradient: Float64Array): Promise<number> {
  const polytope = await open(name, m)
  const {value} = polytope.minimize(gradient, new Float64Array(gradient.length))
  polytope.dispose()
  return value
}

/** Nothing to choose, ties, random, large and small, and what a fit would ask. */
function gradients(layout: MomentLayout): Float64Array[] {
  const random = rng(layout.size)
  const draw = (cell: () => number) => Float64Array.from({length: layout.size}, cell)
  const problem = randomProblem({conceptCount: layout.conceptCount, seed: 5, lambda: 0.01})
  const fit = new Float64Array(layout.size)
  new MomentObjective(problem).gradient(independentMoments(layout, new Array(layout.conceptCount).fill(0.2)), fit)
  return [
    draw(() => 0),
    draw(() => Math.floor(3 * random.next()) - 1),
    draw(() => 1000 * (random.next() - 0.5)),
    draw(() => 1e-4 * (random.next() - 0.5)),
    fit,
    draw(() => random.next() ** 3 - 0.25)
  ]
}

function randomGradients(layout: MomentLayout, count: number): Float64Array[] {
  const random = rng(count)
  return Array.from({length: count}, () => Float64Array.from({length: layout.size}, () => random.next() - 0.5))
}

/** u y_i of every concept and w y_i y_k of every pair, in the cells where they are on. */
function objectiveOf({conceptCount: m, size}: MomentLayout, u: number, w: number): Float64Array {
  return Float64Array.from({length: size}, (_, c) => (c < 2 * m ? (c % 2) * u : (c - 2 * m) % 4 === 3 ? w : 0))
}

function largest(x: Float64Array): number {
  return x.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}
