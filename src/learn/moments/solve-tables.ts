import {forEachTable, momentsAt, polytopeSimplex, type SolveStatus, type StopRule} from '../polytopes/index.ts'
import {insidePoint} from './inside-point.ts'
import {MomentObjective, type MomentProblem} from './moment-objective.ts'
import {certified, type MomentSolution} from './moments.ts'
import {simplexSolver} from './simplex-solver.ts'

/** Tables between two looks at the clock. */
const BATCH = 256

/**
 * Eq. 4 over the simplex: every table is a problem of its own, as in Eq. 2.
 * When stopped early, the tables that were not reached hold independent concepts, and the gap says so.
 * Cost: one Newton solve of 2^K cells a table.
 */
export function solveTables(problem: MomentProblem, rule: StopRule): MomentSolution {
  const {layout, rates, observed, shrinkageWeights, divergence} = problem
  const mu = new Float64Array(layout.size)
  momentsAt(layout, insidePoint(problem), mu)
  let steps = 0
  let tables = 0
  let isUnfinished = false
  let interruption: SolveStatus | undefined
  forEachTable(layout, (concepts, start) => {
    if (tables++ % BATCH === 0) interruption ??= rule.interruption(0)
    if (interruption !== undefined) return
    const solver = simplexSolver(
      concepts.map(i => rates[i]),
      divergence
    )
    const end = start + solver.size
    const {steps: taken, status} = solver.solve(observed.subarray(start, end), shrinkageWeights.subarray(start, end), 1)
    mu.set(solver.mu, start)
    steps += taken
    if (status === 'step-limit') isUnfinished = true
  })
  const objective = new MomentObjective(problem)
  const value = objective.value(mu)
  const gap = simplexGap(objective, mu)
  const status = interruption ?? (gap <= rule.limits.gap ? 'optimal' : isUnfinished ? 'step-limit' : 'gap')
  rule.report({objective: value, gap, steps})
  const parts = {objective: value, lowerBound: value - gap, steps, atoms: 0, cuts: 0, status}
  return {mu, certificate: certified(parts, rule)}
}

/** The conditional-gradient gap: <g, mu> minus the sum of the least entries of g in every table. */
function simplexGap(objective: MomentObjective, mu: Float64Array): number {
  const gradient = new Float64Array(mu.length)
  objective.gradient(mu, gradient)
  let product = 0
  for (let c = 0; c < mu.length; c++) product += gradient[c] * mu[c]
  return product - polytopeSimplex(objective.problem.layout).minimize(gradient, new Float64Array(mu.length)).bound
}
