import {dot} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'
import {certified, type MomentSolution, type SolveStatus, type StopRule} from './certificate.ts'
import {forEachTable, momentsAt} from './layout.ts'
import {insidePoint, MomentObjective, type MomentProblem} from './problem.ts'
import {exponentiatedGradient, tableSolver} from './table.ts'

/** Tables between two checks of the stop rule. */
const BATCH = 256
/** Steps of exponentiated gradient on one table, at most. */
const TABLE_STEPS = 100_000

/**
 * Minimises Eq. 4 over the simplex: every table is a problem of its own, as in Eq. 2.
 * When stopped early, the remaining tables hold independent concepts, and the gap accounts for them.
 * Cost: one Newton solve of 2 or 4 cells per table, or thousands of steps of the paper's exponentiated gradient.
 */
export function solveSimplex(
  problem: MomentProblem,
  rule: StopRule,
  method: 'newton' | 'exponentiated-gradient' = 'newton'
): MomentSolution {
  const {layout, rates, observed, shrinkageWeights, divergence} = problem
  const mu = new Float64Array(layout.size)
  momentsAt(layout, insidePoint(problem), mu)
  let steps = 0
  let tables = 0
  let isUnfinished = false
  let interruption: SolveStatus | undefined
  // Gaps add up: each table gets its share.
  const tolerance = rule.limits.gap / (layout.conceptCount + layout.pairCount)
  const solve = (own: readonly Rates[], a: Float64Array, w: Float64Array) => {
    if (method !== 'newton') return exponentiatedGradient(own, a, w, {tolerance, stepLimit: TABLE_STEPS})
    const solver = tableSolver(own, divergence)
    return {certificate: solver.solve(a, w, 1), mu: solver.mu}
  }
  forEachTable(layout, (concepts, start) => {
    if (tables++ % (method === 'newton' ? BATCH : 1) === 0) interruption ??= rule.interruption(0)
    if (interruption !== undefined) return
    const own = concepts.map(i => rates[i])
    const end = start + 2 ** own.length
    const found = solve(own, observed.subarray(start, end), shrinkageWeights.subarray(start, end))
    mu.set(found.mu, start)
    steps += found.certificate.steps
    if (found.certificate.status === 'step-limit') isUnfinished = true
  })
  const objective = new MomentObjective(problem)
  const value = objective.value(mu)
  const gradient = new Float64Array(mu.length)
  objective.gradient(mu, gradient)
  const gap = dot(gradient, mu) - minimizeOverTables(gradient, problem.layout.conceptCount)
  rule.report({objective: value, gap, steps})
  const status = interruption ?? (isUnfinished ? 'step-limit' : 'gap')
  return {
    mu,
    certificate: certified({objective: value, lowerBound: value - gap, steps, atoms: 0, cuts: 0, status}, rule)
  }
}

/** The least <gradient, mu> over all tables, and the vertex that has it, if asked for: the best cell of every table. */
export function minimizeOverTables(gradient: Float64Array, conceptCount: number, vertex?: Float64Array): number {
  vertex?.fill(0)
  let value = 0
  for (let cell = 0; cell < gradient.length; ) {
    let best = cell
    for (const end = cell + (cell < 2 * conceptCount ? 2 : 4); cell < end; cell++)
      if (gradient[cell] < gradient[best]) best = cell
    if (vertex !== undefined) vertex[best] = 1
    value += gradient[best]
  }
  return value
}
