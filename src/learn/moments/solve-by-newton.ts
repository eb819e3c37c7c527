import {unreachable} from '../../base/checks/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {type PolytopeName, type SolveStatus, type StopRule, violatedTriangles} from '../polytopes/index.ts'
import type {Curvature} from './curvature.ts'
import type {InteriorPoint} from './interior-point.ts'
import {minimizeMarginal} from './minimize-marginal.ts'
import type {MomentProblem} from './moment-objective.ts'
import {certified, type MomentSolution} from './moments.ts'
import {PairCurvature} from './pair-curvature.ts'
import {Relaxation} from './relaxation.ts'
import {solveTables} from './solve-tables.ts'
import {TripleCurvature} from './triple-curvature.ts'

/** Eq. 4 over a polytope, each by its fast method. */
export function solveByNewton(
  problem: MomentProblem,
  polytope: PolytopeName,
  rule: StopRule,
  seed: number
): MomentSolution {
  // Singles, and a lone concept, have nothing to agree with.
  const {order, conceptCount} = problem.layout
  if (order === 1 || conceptCount === 1) return solveTables(problem, rule)
  switch (polytope) {
    case 'simplex':
      return solveTables(problem, rule)
    case 'local': {
      const relaxation = new Relaxation(problem, curvatureOf(problem), rule)
      const status = relaxation.solve(rule.limits.gap, point => rule.report(point))
      return fromPoint(relaxation.point, status, rule)
    }
    case 'cycle': {
      const relaxation = new Relaxation(problem, curvatureOf(problem), rule)
      const triangles = violatedTriangles(problem.layout)
      // Half of the gap is for the move inside at the end.
      const status = relaxation.solveWith(triangles, rule.limits.gap / 2, point => rule.report(point))
      relaxation.point.comply(triangles)
      return fromPoint(relaxation.point, status, rule)
    }
    case 'marginal': {
      const {mu, ...certificate} = minimizeMarginal(problem, () => curvatureOf(problem), rule, rng(seed))
      return {mu, certificate: certified(certificate, rule)}
    }
    default:
      return unreachable(polytope)
  }
}

function curvatureOf(problem: MomentProblem): Curvature {
  return problem.layout.order === 3 ? new TripleCurvature(problem) : new PairCurvature(problem)
}

function fromPoint(point: InteriorPoint, status: SolveStatus | undefined, rule: StopRule): MomentSolution {
  const {objective, lowerBound, steps, cuts} = point
  const gap = objective - lowerBound
  const reached = gap <= rule.limits.gap ? 'optimal' : (status ?? 'gap')
  const whole = {objective, lowerBound, steps, atoms: 0, cuts: cuts.size, status: reached}
  return {mu: point.mu, certificate: certified(whole, rule)}
}
