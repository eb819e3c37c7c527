import type {LinearSolver, LinearSolverOptions} from './linear-program.ts'

/**
 * Loads the HiGHS solver (WebAssembly, Node and browsers, one thread). The 3.5 MB are read only when this is called, in about
 * 50 ms. Every call loads a new solver, so keep the one you have.
 */
export async function loadLinearSolver({wasmUrl}: LinearSolverOptions = {}): Promise<LinearSolver> {
  const {openHighs} = await import('./highs-program.ts')
  return openHighs(wasmUrl)
}
