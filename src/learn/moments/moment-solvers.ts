import type {LinearSolver} from '../../base/linear/index.ts'
import type {minimizeMarginal} from './minimize-marginal.ts'
import type {solveByConditionalGradient} from './solve-by-conditional-gradient.ts'

/** Methods that the presets do not need, and the linear solver that one of them needs. */
export interface MomentSolvers {
  readonly linear: LinearSolver
  readonly minimizeMarginal: typeof minimizeMarginal
  readonly solveByConditionalGradient: typeof solveByConditionalGradient
}

/** The methods alone: bundlers keep them apart from the rest. */
export async function loadMomentSolvers(): Promise<Omit<MomentSolvers, 'linear'>> {
  const {minimizeMarginal} = await import('./minimize-marginal.ts')
  const {solveByConditionalGradient} = await import('./solve-by-conditional-gradient.ts')
  return {minimizeMarginal, solveByConditionalGradient}
}
