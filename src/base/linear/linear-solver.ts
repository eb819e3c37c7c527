import type {LinearColumns, LinearProgram} from './linear-program.ts'

/** A loaded solver, from which any number of programs can be opened. */
export interface LinearSolver {
  /** A program with these columns and no rows. It holds memory of the solver until `dispose()`. */
  open(columns: LinearColumns): LinearProgram
}

export interface LinearSolverOptions {
  /** Where `highs.wasm` is served, for bundlers that do not place it beside the script. */
  readonly wasmUrl?: string
}

/**
 * Load the HiGHS solver (WebAssembly, Node and browsers, one thread). The 3.5 MB are read only when this is called, in about
 * 50 ms; every call loads a new solver, so keep the one you have.
 */
export async function loadLinearSolver(options: LinearSolverOptions = {}): Promise<LinearSolver> {
  const {openHighs} = await import('./highs-program.ts')
  return openHighs(options)
}
