import {expect} from 'vitest'
import type {LinearSolver} from '../src/base/linear/index.ts'
import {type StopLimits, StopRule} from '../src/learn/moments/certificate.ts'
import {
  type MomentLayout,
  MomentObjective,
  type MomentProblem,
  type MomentSolution,
  type PolytopeName,
  type SolveControl
} from '../src/learn/moments/index.ts'
import {pairColumn} from '../src/learn/moments/problem.ts'
import {assignment} from './golden.ts'
import {tablesOf} from './problems.ts'
import {objectiveOf} from './tables.ts'

/** Sums of a few hundred numbers of at most 1. */
const ROUNDING = 1e-12

export function stopAt(limits: Partial<StopLimits>, control: SolveControl = {}): StopRule {
  const none = {gap: 1e-6, stepLimit: 100_000, timeLimit: Number.POSITIVE_INFINITY}
  return new StopRule({...none, ...limits}, control)
}

/** What every solution guarantees, whatever stopped it: it lies in its polytope, and its certificate is true. */
export function expectSound(
  problem: MomentProblem,
  polytope: PolytopeName,
  {mu, certificate}: MomentSolution,
  gap: number
): void {
  expectInside(problem.layout, polytope, mu)
  const {objective, lowerBound, steps, atoms, cuts, status} = certificate
  expect(Math.abs(objective - objectiveByTables(problem, mu))).toBeLessThan(1e-10)
  expect(certificate.gap).toBe(objective - lowerBound)
  expect(certificate.gap).toBeGreaterThanOrEqual(0)
  expect(certificate.gap).toBeLessThan(Number.POSITIVE_INFINITY)
  const isSmall = certificate.gap <= Math.max(1e-7, 1e-3 * objective)
  expect(status === 'optimal').toBe(certificate.gap <= gap && isSmall)
  expect(status === 'tolerance').toBe(certificate.gap <= gap && !isSmall)
  for (const count of [steps, atoms, cuts]) expect(Number.isInteger(count) && count >= 0).toBe(true)
}

/** Tables are distributions, agree on shared concepts, and satisfy the triangle inequalities. */
export function expectInside(layout: MomentLayout, polytope: PolytopeName, mu: Float64Array): void {
  expect(mu).toHaveLength(layout.size)
  expect(mu.every(cell => cell >= 0)).toBe(true)
  layout.tables.forEach(({concepts, start}) => {
    const table = mu.subarray(start, start + 2 ** concepts.length)
    expect(Math.abs(table.reduce((sum, cell) => sum + cell, 0) - 1)).toBeLessThan(ROUNDING)
    if (polytope === 'simplex' || concepts.length === 1) return
    const [i, k] = concepts
    expect(Math.abs(table[2] + table[3] - mu[2 * i + 1])).toBeLessThan(ROUNDING)
    expect(Math.abs(table[1] + table[3] - mu[2 * k + 1])).toBeLessThan(ROUNDING)
  })
  if (polytope === 'cycle' || polytope === 'marginal')
    expect(leastTriangle(layout, mu)).toBeGreaterThanOrEqual(-ROUNDING)
}

/** The least slack of all triangle inequalities; infinite when there is no triangle. */
export function leastTriangle(layout: MomentLayout, mu: Float64Array): number {
  const m = layout.conceptCount
  const p = (i: number) => mu[2 * i + 1]
  const q = (i: number, k: number) => mu[2 * m + 4 * (pairColumn(i, k, m) - m) + 3]
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < m; i++)
    for (let k = 0; k < m; k++)
      for (let l = k + 1; l < m; l++) {
        if (k === i || l === i) continue
        const corner = p(i) - q(i, k) - q(i, l) + q(k, l)
        const none = 1 - p(i) - p(k) - p(l) + q(i, k) + q(i, l) + q(k, l)
        least = Math.min(least, corner, none)
      }
  return least
}

/** Eq. 4 with its shrinkage straight from the definition, table by table. */
export function objectiveByTables(problem: MomentProblem, mu: Float64Array): number {
  const {layout, rates, observed, shrinkageWeights, divergence} = problem
  let sum = 0
  layout.tables.forEach(({concepts, start}) => {
    const end = start + 2 ** concepts.length
    const [a, w] = [observed, shrinkageWeights].map(cells => Array.from(cells.subarray(start, end)))
    const table = {rates: concepts.map(i => rates[i]), a, w}
    sum += objectiveOf(table, mu.subarray(start, end), divergence)
  })
  return sum
}

/** The moments of every 0/1 assignment: the vertices of the marginal polytope. */
export function allVertices(layout: MomentLayout): Float64Array[] {
  const m = layout.conceptCount
  return Array.from({length: 2 ** m}, (_, state) => tablesOf(layout, [Uint8Array.from(assignment(state, m))]))
}

/** The coordinates (p, q) among the cells: the last of every table. */
export function coordinatesOf(layout: MomentLayout, mu: Float64Array): Float64Array {
  return Float64Array.from(layout.tables, ({concepts, start}) => mu[start + 2 ** concepts.length - 1])
}

/** How far, in summed coordinates, consistent moments are from the marginal polytope: a linear program over all vertices. */
export function distanceToMarginal(solver: LinearSolver, layout: MomentLayout, mu: Float64Array): number {
  const vertices = allVertices(layout).map(vertex => coordinatesOf(layout, vertex))
  const x = coordinatesOf(layout, mu)
  const [n, V] = [x.length, vertices.length]
  // Weights of the vertices, then the excess and the deficit of each coordinate.
  const costs = new Float64Array(V + 2 * n).fill(1, V)
  const program = solver.open({costs, lower: costs.map(() => 0), upper: costs.map(() => Number.POSITIVE_INFINITY)})
  const row = (indices: readonly number[], values: readonly number[], value: number) => ({
    indices,
    values,
    lower: value,
    upper: value
  })
  program.addRows([
    row(
      vertices.map((_, v) => v),
      vertices.map(() => 1),
      1
    )
  ])
  for (let e = 0; e < n; e++) {
    const on = vertices.flatMap((vertex, v) => (vertex[e] === 1 ? [v] : []))
    program.addRows([row([...on, V + e, V + n + e], [...on.map(() => 1), 1, -1], x[e])])
  }
  const {status, objective} = program.solve()
  program.dispose()
  expect(status).toBe('optimal')
  return objective
}

/**
 * The obvious twin over the marginal polytope: weights on all 2^m vertices; each step moves weight from the worst
 * weighted vertex to the best, as far as the objective falls. Returns the objective and a bound on its distance from the minimum.
 */
export function minimizeByExchange(problem: MomentProblem, gap: number): {objective: number; gap: number} {
  const vertices = allVertices(problem.layout)
  const objective = new MomentObjective(problem)
  const weights = vertices.map(() => 1 / vertices.length)
  const mu = new Float64Array(problem.layout.size)
  const gradient = mu.slice()
  const trial = mu.slice()
  for (let step = 0; ; step++) {
    mu.fill(0)
    vertices.forEach((vertex, v) => {
      for (let c = 0; c < mu.length; c++) mu[c] += weights[v] * vertex[c]
    })
    objective.gradient(mu, gradient)
    const products = vertices.map(vertex => product(gradient, vertex))
    const best = products.indexOf(Math.min(...products))
    const worst = products.reduce(
      (at, value, v) => (weights[v] > 0 && !(value <= products[at] && weights[at] > 0) ? v : at),
      0
    )
    const left = product(gradient, mu) - products[best]
    if (left <= gap || step === 20_000) return {objective: objective.value(mu), gap: left}
    const slope = (length: number) => {
      for (let c = 0; c < mu.length; c++) trial[c] = mu[c] + length * (vertices[best][c] - vertices[worst][c])
      objective.gradient(trial, gradient)
      return product(gradient, vertices[best]) - product(gradient, vertices[worst])
    }
    const length = rootOf(slope, weights[worst])
    weights[worst] = length === weights[worst] ? 0 : weights[worst] - length
    weights[best] += length
  }
}

/** Where a rising slope reaches 0 from below, by bisection; `end` if it does not. */
function rootOf(slope: (length: number) => number, end: number): number {
  if (slope(end) <= 0) return end
  let low = 0
  let high = end
  for (let tries = 0; tries < 40; tries++) {
    const middle = (low + high) / 2
    if (slope(middle) <= 0) low = middle
    else high = middle
  }
  return low
}

export function product(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < x.length; at++) sum += x[at] * y[at]
  return sum
}
