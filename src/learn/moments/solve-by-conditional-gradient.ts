import {AdfaError, unreachable} from '../../base/checks/index.ts'
import type {LinearSolver} from '../../base/linear/index.ts'
import {
  type ConditionalGradientOptions,
  conditionalGradient,
  type MomentLayout,
  momentsAt,
  type Polytope,
  type PolytopeName,
  polytopeCycle,
  polytopeLocal,
  polytopeMarginal,
  polytopeSimplex,
  type StopRule
} from '../polytopes/index.ts'
import {insidePoint} from './inside-point.ts'
import {MomentObjective, type MomentProblem} from './moment-objective.ts'
import {certified, type MomentSolution} from './moments.ts'

/** Eq. 4 over a polytope by the paper's method, from independent moments. */
export function solveByConditionalGradient(
  problem: MomentProblem,
  {polytope: name, variant, stepRule, correction}: ConditionalGradientOptions & {readonly polytope: PolytopeName},
  rule: StopRule,
  linearSolver: LinearSolver | undefined
): MomentSolution {
  const polytope = polytopeNamed(name, problem.layout, linearSolver, () => rule.interruption(0) !== undefined)
  try {
    const start = new Float64Array(problem.layout.size)
    momentsAt(problem.layout, insidePoint(problem), start)
    const objective = new MomentObjective(problem)
    const {
      mu,
      gap: _,
      atoms = 0,
      ...rest
    } = conditionalGradient(objective, polytope, start, {variant, stepRule, correction}, rule)
    return {mu, certificate: certified({...rest, atoms, cuts: 0}, rule)}
  } finally {
    polytope.dispose()
  }
}

function polytopeNamed(
  name: PolytopeName,
  layout: MomentLayout,
  linearSolver: LinearSolver | undefined,
  stop: () => boolean
): Polytope {
  switch (name) {
    case 'simplex':
      return polytopeSimplex(layout)
    case 'local':
      return polytopeLocal(layout, linearSolver)
    case 'cycle':
      if (linearSolver === undefined)
        throw new AdfaError(
          'bad-option',
          'conditional gradient over the cycle polytope needs a linear solver; pass one from loadLinearSolver(), or take the newton solver'
        )
      return polytopeCycle(layout, linearSolver)
    case 'marginal':
      return polytopeMarginal(layout, {stop})
    default:
      return unreachable(name)
  }
}
