import type {LinearSolver, LinearSolverOptions} from './linear-program.ts'

/**
 * Loads the HiGHS solver as WebAssembly, which runs in Node and browsers on one thread. Each call reads 3.5 MB in about 50 ms and
 * creates a new solver, so keep the result.
 */
export async function loadLinearSolver({wasmUrl}: LinearSolverOptions = {}): Promise<LinearSolver> {
  const {openHighs} = await import('./highs-program.ts')
  return openHighs(wasmUrl)
}
