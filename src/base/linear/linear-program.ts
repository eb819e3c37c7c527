import {checkColumns, HighsProgram} from './highs-program.ts'

/** The columns of a program: minimise `costs . x` over `lower <= x <= upper`. Bounds may be infinite. */
export interface LinearColumns {
  readonly costs: ArrayLike<number>
  readonly lower: ArrayLike<number>
  readonly upper: ArrayLike<number>
  /** The columns, by number, that must be whole; none when left out. */
  readonly integer?: ArrayLike<number>
}

/** One constraint, `lower <= sum_n values[n] x[indices[n]] <= upper`; each column at most once. */
export interface LinearRow {
  readonly indices: ArrayLike<number>
  readonly values: ArrayLike<number>
  readonly lower: number
  readonly upper: number
}

export interface SolveOptions {
  /** Leave out the demand that columns are whole; the basis of earlier relaxed solves is used again. */
  readonly relaxed?: boolean
  /** Seconds this solve may take. The result then depends on the machine. */
  readonly timeLimit?: number
  /** Asked every now and then; true ends the solve with status `limit`. */
  readonly stop?: () => boolean
  /** A point to start from, one value a column: the first incumbent of an integer solve if it is feasible. */
  readonly start?: ArrayLike<number>
  /** An integer solve is over when `objective - bound <= relativeGap |objective|`; 0 (the default) asks for the optimum. */
  readonly relativeGap?: number
}

/** Why the solve ended: proven optimal, no feasible point, no smallest value, or stopped by time or by `stop`. */
export type LinearStatus = 'optimal' | 'infeasible' | 'unbounded' | 'limit'

export interface LinearResult {
  readonly status: LinearStatus
  /** Value at `x`; infinite when there is no `x`, minus infinite when unbounded. */
  readonly objective: number
  /** Proven lower bound, within the solver's tolerances: no feasible point has a smaller value. */
  readonly bound: number
  /** The best feasible point found; empty when none was. */
  readonly x: Float64Array
  /**
   * Multipliers of an optimal continuous solve, empty otherwise: `costs = A' rows + columns`, a multiplier being positive
   * where the lower bound holds and negative where the upper bound does.
   */
  readonly duals: {readonly rows: Float64Array; readonly columns: Float64Array}
  /** Simplex steps of the last run: few where the solve could start from an earlier basis. */
  readonly iterations: number
}

/**
 * A linear program, with whole columns or without, that lives on between solves: costs change and rows are added, and
 * the next solve starts from the last basis. All calls are synchronous.
 */
export interface LinearProgram {
  readonly columnCount: number
  readonly rowCount: number
  addRows(rows: readonly LinearRow[]): void
  setCosts(costs: ArrayLike<number>): void
  setBounds(lower: ArrayLike<number>, upper: ArrayLike<number>): void
  solve(options?: SolveOptions): LinearResult
  /** Give the memory back; the program cannot be used afterwards. */
  dispose(): void
}

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
