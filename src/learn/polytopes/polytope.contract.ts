import {beforeAll, describe, expect, test} from 'vitest'
import {assignment} from '../../../test/golden.ts'
import {independentMoments, randomProblem, tablesOf} from '../../../test/problems.ts'
import {rng} from '../../base/numeric/index.ts'
import {pairIndex} from '../../base/qubo/index.ts'
import {MomentObjective} from '../moments/index.ts'
import {forEachTable, type MomentLayout, type MomentOrder, momentLayout} from './moment-layout.ts'
import type {Polytope, PolytopeName} from './polytope.ts'

export interface PolytopeCase {
  readonly name: PolytopeName
  readonly orders: readonly MomentOrder[]
  readonly load: () => Promise<(layout: MomentLayout) => Polytope>
  /** What the cells of its vertices are multiples of; 0 for no such rule. */
  readonly grain: (order: MomentOrder) => number
  readonly conceptCounts?: readonly number[]
}

/** An exact oracle that goes through a linear program may be off by its tolerance, which this is well above. */
const TOLERANCE = 1e-7

/** What every polytope promises. */
export function describePolytope({name, orders, load, grain, conceptCounts = [1, 2, 3, 5, 7]}: PolytopeCase): void {
  describe.each(orders)(`${name} polytope of order %i`, order => {
    let make: (layout: MomentLayout) => Polytope
    beforeAll(async () => {
      make = await load()
    })

    /** Every gradient on every size, with the polytope kept from one to the next. */
    function forAll(check: (polytope: Polytope, gradient: Float64Array) => void): void {
      for (const m of conceptCounts) {
        const polytope = make(momentLayout(m, order))
        for (const gradient of gradients(polytope.layout)) check(polytope, gradient)
        polytope.dispose()
      }
    }

    test('minimize(...) writes a vertex that lies in the polytope', () => {
      forAll((polytope, gradient) => {
        const vertex = new Float64Array(polytope.layout.size).fill(Number.NaN)
        polytope.minimize(gradient, vertex)
        expectInside(polytope, vertex)
        const part = grain(order)
        if (part > 0) for (const cell of vertex) expect(Number.isInteger(cell / part)).toBe(true)
      })
    })

    test('minimize(...) gives the value of its vertex and a bound that meets it', () => {
      forAll((polytope, gradient) => {
        const vertex = new Float64Array(polytope.layout.size)
        const {value, bound, exact} = polytope.minimize(gradient, vertex)
        const scale = 1 + largest(gradient) * vertex.length
        expect(Math.abs(dot(gradient, vertex) - value)).toBeLessThan(1e-13 * scale)
        expect(exact).toBe(true)
        expect(bound).toBeLessThanOrEqual(value)
        expect(value - bound).toBeLessThan(TOLERANCE * scale)
      })
    })

    test('minimize(...) is right that no point of the polytope has a smaller product than the bound', () => {
      const random = rng(order)
      forAll((polytope, gradient) => {
        const {layout} = polytope
        const {bound} = polytope.minimize(gradient, new Float64Array(layout.size))
        const rounding = 1e-12 * (1 + largest(gradient) * layout.size)
        for (const vertex of zeroOneVertices(layout))
          expect(dot(gradient, vertex)).toBeGreaterThanOrEqual(bound - rounding)
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

    test('minimize(...) leaves the gradient alone and gives the same minimum when asked again', () => {
      const [gradient, other] = gradients(momentLayout(5, order)).slice(-2)
      const polytope = make(momentLayout(5, order))
      const vertex = new Float64Array(gradient.length)
      const copy = gradient.slice()
      const {value} = polytope.minimize(gradient, vertex)
      expect(gradient).toEqual(copy)
      polytope.minimize(other, vertex)
      expect(Math.abs(polytope.minimize(gradient, vertex).value - value)).toBeLessThan(TOLERANCE)
      polytope.dispose()
    })

    test('minimize(...) tells its name and layout', () => {
      const layout = momentLayout(3, order)
      const polytope = make(layout)
      expect(polytope.name).toBe(name)
      expect(polytope.layout).toBe(layout)
      polytope.dispose()
    })
  })
}

/** Nothing to choose, ties, random, large and small, and what a fit would ask. */
export function gradients(layout: MomentLayout): Float64Array[] {
  const random = rng(layout.size)
  const draw = (cell: () => number) => Float64Array.from({length: layout.size}, cell)
  const problem = randomProblem({conceptCount: layout.conceptCount, order: layout.order, seed: 5, lambda: 0.01})
  const fit = new Float64Array(layout.size)
  const even = Array.from({length: layout.conceptCount}, () => 0.2)
  new MomentObjective(problem).gradient(independentMoments(layout, even), fit)
  return [
    draw(() => 0),
    draw(() => Math.floor(3 * random.next()) - 1),
    draw(() => 1000 * (random.next() - 0.5)),
    draw(() => 1e-4 * (random.next() - 0.5)),
    fit,
    draw(() => random.next() - 0.5),
    draw(() => random.next() ** 3 - 0.25)
  ]
}

export function zeroOneVertices(layout: MomentLayout): Float64Array[] {
  const m = layout.conceptCount
  return Array.from({length: 2 ** m}, (_, state) => tablesOf(layout, [Uint8Array.from(assignment(state, m))]))
}

function expectInside({name, layout}: Polytope, mu: Float64Array): void {
  expect(Math.min(...mu)).toBeGreaterThanOrEqual(0)
  forEachTable(layout, (concepts, start) => {
    const table = mu.subarray(start, start + 2 ** concepts.length)
    expect(Math.abs(table.reduce((sum, cell) => sum + cell, 0) - 1)).toBeLessThan(1e-12)
    if (name !== 'simplex') expectAgreement(layout, mu, concepts, table)
  })
  if ((name === 'cycle' || name === 'marginal') && layout.order > 1) expectTriangles(layout, mu)
  if (name === 'marginal') for (const cell of mu) expect(cell === 0 || cell === 1).toBe(true)
}

/** Summing a table over one of its concepts gives the table without it. */
function expectAgreement(
  layout: MomentLayout,
  mu: Float64Array,
  concepts: readonly number[],
  table: Float64Array
): void {
  const s = concepts.length
  if (s === 1) return
  concepts.forEach((_, left) => {
    const [i, k] = concepts.filter((_, at) => at !== left)
    const index = s === 2 ? i : pairIndex(i, k, layout.conceptCount)
    const start = layout.start(s - 1) + 2 ** (s - 1) * index
    const summed = new Float64Array(2 ** (s - 1))
    const bit = s - 1 - left
    table.forEach((cell, c) => {
      summed[((c >> (bit + 1)) << bit) | (c & ((1 << bit) - 1))] += cell
    })
    summed.forEach((cell, c) => {
      expect(Math.abs(cell - mu[start + c])).toBeLessThan(1e-12)
    })
  })
}

function expectTriangles(layout: MomentLayout, mu: Float64Array): void {
  const m = layout.conceptCount
  const q = (i: number, k: number) => mu[layout.start(2) + 4 * pairIndex(Math.min(i, k), Math.max(i, k), m) + 3]
  for (let i = 0; i < m; i++)
    for (let k = 0; k < m; k++)
      for (let l = k + 1; l < m; l++) {
        if (k === i || l === i) continue
        expect(q(i, k) + q(i, l) - q(k, l)).toBeLessThanOrEqual(mu[2 * i + 1] + 1e-12)
        const [pi, pk, pl] = [i, k, l].map(at => mu[2 * at + 1])
        expect(pi + pk + pl - q(i, k) - q(i, l) - q(k, l)).toBeLessThanOrEqual(1 + 1e-12)
      }
}

export function dot(x: ArrayLike<number>, y: ArrayLike<number>): number {
  return Array.from(x).reduce((sum, value, at) => sum + value * y[at], 0)
}

function largest(x: Float64Array): number {
  return x.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}
