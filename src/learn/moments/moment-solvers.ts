import type {LinearSolver} from '../../base/linear/index.ts'

type Methods = typeof import('./methods-on-demand.ts')

/** The methods that presets do not need, and the linear solver that conditional gradient needs. */
export interface MomentSolvers extends Methods {
  readonly linear: LinearSolver
}

/** The methods alone. */
export function loadMethods(): Promise<Methods> {
  return import('./methods-on-demand.ts')
}
