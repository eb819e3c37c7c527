import type {LinearSolver} from '../../base/linear/index.ts'
import type {minimizeMarginal} from './minimize-marginal.ts'
import type {solveByConditionalGradient} from './solve-by-conditional-gradient.ts'
import type {TripleCurvature} from './triple-curvature.ts'

interface Methods {
  readonly minimizeMarginal: typeof minimizeMarginal
  readonly solveByConditionalGradient: typeof solveByConditionalGradient
  readonly TripleCurvature: typeof TripleCurvature
}

/** The methods that presets do not need, and the linear solver that conditional gradient needs. */
export interface MomentSolvers extends Methods {
  readonly linear: LinearSolver
}

/** The methods alone. */
export function loadMethods(): Promise<Methods> {
  return import('./methods-on-demand.ts')
}
