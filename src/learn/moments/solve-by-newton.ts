import {unreachable} from '../../base/checks/index.ts'
import {dot, rng} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'
import {
  forEachTable,
  momentsAt,
  type PolytopeName,
  polytopeSimplex,
  type SolveStatus,
  type StopRule,
  violatedTriangles
} from '../polytopes/index.ts'
import {type Curvature, PairCurvature} from './curvature.ts'
import type {InteriorPoint} from './interior-point.ts'
import {insidePoint, MomentObjective, type MomentProblem} from './moment-problem.ts'
import {certified, type MomentSolution} from './moments.ts'
import {exponentiatedGradient} from './recover-table.ts'
import {Relaxation} from './relaxation.ts'
import {simplexSolver} from './simplex-solver.ts'

/** Eq. 4 over a polytope by its fast method. */
export async function solveByNewton(
  problem: MomentProblem,
  polytope: PolytopeName,
  rule: StopRule,
  {seed}: {readonly seed: number}
): Promise<MomentSolution> {
  // Singles, or one concept, are always consistent.
  const {order, conceptCount} = problem.layout
  if (order === 1 || conceptCount === 1) return solveTables(problem, rule)
  if (polytope === 'simplex') return solveTables(problem, rule)
  const CurvatureOfOrder = order === 2 ? PairCurvature : (await import('./triple-curvature.ts')).TripleCurvature
  const curvatureOf = (): Curvature => new CurvatureOfOrder(problem)
  switch (polytope) {
    case 'local': {
      const relaxation = new Relaxation(problem, curvatureOf(), rule)
      const status = relaxation.solve(rule.limits.gap, point => rule.report(point))
      return fromPoint(relaxation.point, status, rule)
    }
    case 'cycle': {
      const relaxation = new Relaxation(problem, curvatureOf(), rule)
      const triangles = violatedTriangles(problem.layout)
      // The other half of the gap is for the final move inside.
      const status = relaxation.solveWith(triangles, rule.limits.gap / 2, point => rule.report(point))
      relaxation.point.comply(triangles)
      return fromPoint(relaxation.point, status, rule)
    }
    case 'marginal': {
      const {minimizeMarginal} = await import('./minimize-marginal.ts')
      const {mu, ...certificate} = minimizeMarginal(problem, curvatureOf, rule, rng(seed))
      return {mu, certificate: certified(certificate, rule)}
    }
    default:
      return unreachable(polytope)
  }
}

function fromPoint(point: InteriorPoint, status: SolveStatus | undefined, rule: StopRule): MomentSolution {
  const {objective, lowerBound, steps, cuts} = point
  const gap = objective - lowerBound
  const reached = gap <= rule.limits.gap ? 'optimal' : (status ?? 'gap')
  const whole = {objective, lowerBound, steps, atoms: 0, cuts: cuts.size, status: reached}
  return {mu: point.mu, certificate: certified(whole, rule)}
}

/** Tables between two checks of the stop rule. */
const BATCH = 256
/** Steps of exponentiated gradient on one table, at most. */
const TABLE_STEPS = 100_000

/**
 * Eq. 4 over the simplex: every table is a problem of its own, as in Eq. 2.
 * When stopped early, the remaining tables hold independent concepts, and the gap accounts for them.
 * Cost: one Newton solve of 2^K cells per table, or thousands of steps of the paper's exponentiated gradient.
 */
export function solveTables(
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
  let tableCount = 0
  forEachTable(layout, () => tableCount++)
  const limits = {tolerance: rule.limits.gap / tableCount, stepLimit: TABLE_STEPS}
  const byNewton = (own: readonly Rates[], a: Float64Array, w: Float64Array) => {
    const solver = simplexSolver(own, divergence)
    return {certificate: solver.solve(a, w, 1), mu: solver.mu}
  }
  forEachTable(layout, (concepts, start) => {
    if (tables++ % (method === 'newton' ? BATCH : 1) === 0) interruption ??= rule.interruption(0)
    if (interruption !== undefined) return
    const own = concepts.map(i => rates[i])
    const end = start + 2 ** own.length
    const [a, w] = [observed.subarray(start, end), shrinkageWeights.subarray(start, end)]
    const {mu: found, certificate} =
      method === 'newton' ? byNewton(own, a, w) : exponentiatedGradient(own, a, w, limits)
    mu.set(found, start)
    steps += certificate.steps
    if (certificate.status === 'step-limit') isUnfinished = true
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
  const {bound} = polytopeSimplex(objective.problem.layout).minimize(gradient, new Float64Array(mu.length))
  return dot(gradient, mu) - bound
}
