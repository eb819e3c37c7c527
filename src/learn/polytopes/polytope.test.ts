import {beforeAll, describe, expect, test} from 'vitest'
import {type LinearSolver, loadLinearSolver} from '../../base/linear/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {CutProgram} from './cut-program.ts'
import {coordinateCount, type MomentLayout, type MomentOrder, momentLayout, polynomialOf} from './moment-layout.ts'
import {describePolytope, gradients} from './polytope.contract.ts'
import {type Polytope, polytopeSimplex} from './polytope.ts'
import {polytopeCycle, polytopeLocal} from './polytope-local.ts'
import {polytopeMarginal} from './polytope-marginal.ts'
import {violatedPairs} from './violated-cells.ts'

/** Of linear programs and of the sums of some hundred cells. */
const TOLERANCE = 1e-7

describe('polytopes', () => {
  let solver: LinearSolver
  beforeAll(async () => {
    solver = await loadLinearSolver()
  })

  test('minimize(...) never falls from the widest polytope to the narrowest', () => {
    for (const m of [2, 3, 5, 8]) {
      const layout = momentLayout(m, 2)
      const polytopes = [
        polytopeSimplex(layout),
        polytopeLocal(layout, solver),
        polytopeCycle(layout, solver),
        polytopeMarginal(layout)
      ]
      for (const gradient of randomGradients(layout, 20)) expectRising(polytopes, gradient)
    }
  })

  test('minimize(...) never falls from the widest polytope of triples to the narrowest', () => {
    for (const m of [3, 5]) {
      const layout = momentLayout(m, 3)
      const polytopes = [polytopeSimplex(layout), polytopeLocal(layout, solver), polytopeMarginal(layout)]
      for (const gradient of randomGradients(layout, 10)) expectRising(polytopes, gradient)
    }
  })

  test.each([3, 4])('minimize(...) is the same on cycle and marginal for %i concepts', m => {
    const layout = momentLayout(m, 2)
    const [cycle, marginal] = [polytopeCycle(layout, solver), polytopeMarginal(layout)]
    for (const gradient of randomGradients(layout, 50))
      expect(Math.abs(minimum(cycle, gradient) - minimum(marginal, gradient))).toBeLessThan(TOLERANCE)
  })

  test('minimize(...) is below on local where three concepts disagree pairwise, but not on cycle', () => {
    // Every pair wants to differ, which three concepts cannot: y_i + y_k - 2 y_i y_k, negated.
    const layout = momentLayout(3, 2)
    const differ = objectiveOf(
      layout,
      () => -2,
      () => 2
    )
    expect(minimum(polytopeLocal(layout, solver), differ)).toBeCloseTo(-3, 9)
    expect(minimum(polytopeCycle(layout, solver), differ)).toBeCloseTo(-2, 9)
    expect(minimum(polytopeMarginal(layout), differ)).toBe(-2)
  })

  test('minimize(...) is below on cycle than on marginal for a pentagonal objective', () => {
    // (y_0 + ... + y_4 - 2)(y_0 + ... + y_4 - 3) - 6: at least -6 on 0/1; at p = 1/2, q = 1/6 it is -20/3, and no triangle objects.
    const layout = momentLayout(5, 2)
    const pentagon = objectiveOf(
      layout,
      () => -4,
      () => 2
    )
    expect(minimum(polytopeMarginal(layout), pentagon)).toBe(-6)
    expect(minimum(polytopeCycle(layout, solver), pentagon)).toBeLessThanOrEqual(-20 / 3 + TOLERANCE)
  })

  test('minimize(...) on local is the minimum that a linear program finds', () => {
    for (const m of [2, 6, 12]) {
      const layout = momentLayout(m, 2)
      const coins = new Float64Array(coordinateCount(layout)).fill(0.25).fill(0.5, 0, m)
      const program = new CutProgram(solver, violatedPairs(layout), coins, 0.25)
      const local = polytopeLocal(layout, solver)
      const coefficients = coins.slice()
      for (const gradient of [...gradients(layout), ...randomGradients(layout, 10)]) {
        const constant = polynomialOf(layout, gradient, coefficients)
        const linear = constant + program.minimize(coefficients, coins.slice())
        const scale = 1 + Math.max(...gradient.map(Math.abs)) * gradient.length
        expect(Math.abs(minimum(local, gradient) - linear)).toBeLessThan(TOLERANCE * scale)
      }
      program.dispose()
    }
  })

  test('minimize(...) on local triples with nothing to say about triples is the minimum on cycle', () => {
    const orders: readonly MomentOrder[] = [2, 3]
    for (const pairs of randomGradients(momentLayout(6, 2), 10)) {
      const [two, three] = orders.map(order => momentLayout(6, order))
      const triples = new Float64Array(three.size)
      triples.set(pairs)
      const local = minimum(polytopeLocal(three, solver), triples)
      expect(Math.abs(local - minimum(polytopeCycle(two, solver), pairs))).toBeLessThan(TOLERANCE)
    }
  })
})

function expectRising(polytopes: readonly Polytope[], gradient: Float64Array): void {
  const minima = polytopes.map(polytope => minimum(polytope, gradient))
  for (let at = 1; at < minima.length; at++) expect(minima[at]).toBeGreaterThan(minima[at - 1] - TOLERANCE)
}

function minimum(polytope: Polytope, gradient: Float64Array): number {
  return polytope.minimize(gradient, new Float64Array(gradient.length)).value
}

function randomGradients(layout: MomentLayout, count: number): Float64Array[] {
  const random = rng(count)
  return Array.from({length: count}, () => Float64Array.from({length: layout.size}, () => random.next() - 0.5))
}

/** u_i y_i and w_ik y_i y_k, in the cells where they are on. */
function objectiveOf(layout: MomentLayout, u: (i: number) => number, w: (pair: number) => number): Float64Array {
  const gradient = new Float64Array(layout.size)
  for (let i = 0; i < layout.tableCount(1); i++) gradient[2 * i + 1] = u(i)
  for (let pair = 0; pair < layout.tableCount(2); pair++) gradient[layout.start(2) + 4 * pair + 3] = w(pair)
  return gradient
}

describePolytope({name: 'simplex', orders: [1, 2, 3], load: async () => polytopeSimplex, grain: () => 1})

describe('polytopeSimplex', () => {
  test('minimize(...) takes the best cell of every table, whether or not they agree', () => {
    const vertex = new Float64Array(8)
    const answer = polytopeSimplex(momentLayout(2, 2)).minimize(Float64Array.of(0, 1, 0, 1, 5, 4, 3, 2), vertex)
    expect([...vertex]).toEqual([1, 0, 1, 0, 0, 0, 0, 1])
    expect(answer).toEqual({value: 2, bound: 2, exact: true})
  })
})
