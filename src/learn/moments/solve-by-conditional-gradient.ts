import {unreachable} from '../../base/checks/index.ts'
import type {LinearSolver} from '../../base/linear/index.ts'
import {
  type CustomPolytope,
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
import {insidePoint, MomentObjective, type MomentProblem} from './moment-problem.ts'
import {certified, type MomentSolution} from './moments.ts'

/** Eq. 4 over a polytope by the paper's method, from independent moments. */
export async function solveByConditionalGradient(
  problem: MomentProblem,
  name: PolytopeName | CustomPolytope,
  rule: StopRule,
  loadLinear: () => Promise<LinearSolver>
): Promise<MomentSolution> {
  const polytope = await openPolytope(name, problem.layout, loadLinear, () => rule.interruption(0) !== undefined)
  try {
    const start = new Float64Array(problem.layout.size)
    momentsAt(problem.layout, insidePoint(problem), start)
    const {mu, gap: _, ...rest} = conditionalGradient(new MomentObjective(problem), polytope, start, rule)
    return {mu, certificate: certified({...rest, cuts: 0}, rule)}
  } finally {
    polytope.dispose()
  }
}

async function openPolytope(
  name: PolytopeName | CustomPolytope,
  layout: MomentLayout,
  loadLinear: () => Promise<LinearSolver>,
  stop: () => boolean
): Promise<Polytope> {
  if (typeof name === 'object') return name.open(layout)
  switch (name) {
    case 'simplex':
      return polytopeSimplex(layout)
    case 'local':
      return polytopeLocal(layout, await loadLinear())
    case 'cycle':
      return polytopeCycle(layout, await loadLinear())
    case 'marginal':
      return polytopeMarginal(layout, stop)
    default:
      return unreachable(name)
  }
}
