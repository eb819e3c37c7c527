import {dot} from '../../base/numeric/index.ts'
import {completeCertificate, type MomentSolution, type SolveStatus, type StopRule} from './certificate.ts'
import {MomentObjective, oneTable, type TableLayout} from './objective.ts'
import {insidePoint, type MomentProblem, momentsAt} from './problem.ts'
import {exponentiatedGradient, TableSolver} from './table-solver.ts'

/**
 * Minimises Eq. 4 over the simplex, where every table is a separate problem (Eq. 2).
 * If it is stopped early, the remaining tables have independent concepts, and the gap accounts for them.
 * Cost: about 8 Newton steps per table of 2 or 4 cells, or thousands of the paper's exponentiated-gradient steps.
 */
export function solveSimplex(
  problem: MomentProblem,
  rule: StopRule,
  method: 'newton' | 'exponentiated-gradient' = 'newton'
): MomentSolution {
  const {layout, rates, observed, shrinkageWeights} = problem
  const mu = momentsAt(layout, insidePoint(problem))
  // The gaps of all tables add up, so each table gets an equal part of the requested gap.
  const tolerance = rule.limits.gap / layout.tables.length
  let steps = 0
  let status: SolveStatus = 'gap'
  for (const {concepts, start} of layout.tables) {
    const interruption = rule.interruption(0)
    if (interruption !== undefined) {
      status = interruption
      break
    }
    const end = start + 2 ** concepts.length
    const table = {
      ...problem,
      layout: oneTable(concepts.length),
      rates: concepts.map(i => rates[i]),
      observed: observed.subarray(start, end),
      shrinkageWeights: shrinkageWeights.subarray(start, end)
    }
    const found = method === 'newton' ? new TableSolver(table).solve() : exponentiatedGradient(table, tolerance)
    mu.set(found.mu, start)
    steps += found.certificate.steps
    if (found.certificate.status === 'step-limit') status = 'step-limit'
  }
  const objective = new MomentObjective(problem)
  const value = objective.value(mu)
  const gradient = new Float64Array(mu.length)
  objective.gradient(mu, gradient)
  const gap = dot(gradient, mu) - minimizeOverTables(gradient, layout)
  rule.report({objective: value, gap, steps})
  const parts = {objective: value, lowerBound: value - gap, steps, atoms: 0, cuts: 0, status}
  return {mu, certificate: completeCertificate(parts, rule)}
}

/** Returns the least <gradient, mu> over the simplex, and writes its minimiser, the best cell of every table, to `vertex` if given. */
export function minimizeOverTables(gradient: Float64Array, {tables}: TableLayout, vertex?: Float64Array): number {
  vertex?.fill(0)
  let value = 0
  for (const {concepts, start} of tables) {
    let best = start
    for (let cell = start; cell < start + 2 ** concepts.length; cell++) if (gradient[cell] < gradient[best]) best = cell
    if (vertex !== undefined) vertex[best] = 1
    value += gradient[best]
  }
  return value
}
