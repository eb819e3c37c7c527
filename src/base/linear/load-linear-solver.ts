import {checkColumns} from './check-program.ts'
import {HighsProgram} from './highs-program.ts'
import type {LinearColumns, LinearProgram} from './linear-program.ts'

/** A loaded solver, from which any number of programs can be opened. */
export interface LinearSolver {
  /** A program with these columns and no rows yet. It holds memory of the solver until `dispose()`. */
  open(columns: LinearColumns): LinearProgram
}

export interface LinearSolverOptions {
  /** Where `highs.wasm` is served, for bundlers that do not place it beside the script. */
  readonly wasmUrl?: string
}

/**
 * Load the HiGHS solver (WebAssembly, Node and browsers, one thread). The 3.5 MB are read only when this is called, about
 * 50 ms; every call loads a solver of its own, so keep the one you have.
 */
export async function loadLinearSolver(options: LinearSolverOptions = {}): Promise<LinearSolver> {
  const {default: loadHighs} = await import('highs')
  const {wasmUrl} = options
  const highs = await loadHighs(wasmUrl === undefined ? {} : {locateFile: () => wasmUrl})
  return {
    open(columns) {
      checkColumns(columns)
      return new HighsProgram(highs, columns)
    }
  }
}
