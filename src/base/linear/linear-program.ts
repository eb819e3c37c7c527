/** The columns of a program: minimise `costs . x` over `lower <= x <= upper`. Bounds may be infinite. */
export interface LinearColumns {
  readonly costs: ArrayLike<number>
  readonly lower: ArrayLike<number>
  readonly upper: ArrayLike<number>
  /** The numbers of the columns that must be whole; none by default. */
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
  /** Called from time to time; true ends the solve with status `limit`. */
  readonly stop?: () => boolean
  /** The most simplex steps. The count is the same on every machine; a solve may pass the limit by a few steps. */
  readonly stepLimit?: number
}

/** Why the solve ended: proven optimal, no feasible point, no smallest value, or ended by `stop` or `stepLimit`. */
export type LinearStatus = 'optimal' | 'infeasible' | 'unbounded' | 'limit'

export interface LinearResult {
  readonly status: LinearStatus
  /** Value at `x`; infinite when there is no `x`, minus infinite when unbounded. */
  readonly objective: number
  /** Proven lower bound, within the solver's tolerances: no feasible point has a smaller value. */
  readonly bound: number
  /** The best feasible point found; empty when there is none. */
  readonly x: Float64Array
  /**
   * Multipliers of an optimal solve without whole columns, otherwise empty: `costs = A' rows + columns`; a multiplier is positive where the
   * lower bound holds and negative where the upper bound does.
   */
  readonly duals: {readonly rows: Float64Array; readonly columns: Float64Array}
  /** Simplex steps of this solve: few where it could start from an earlier basis. */
  readonly iterations: number
}

/**
 * A linear program that persists between solves: costs change and rows are added, and the next solve starts from the last
 * basis. All calls are synchronous.
 */
export interface LinearProgram {
  addRows(rows: readonly LinearRow[]): void
  setCosts(costs: ArrayLike<number>): void
  setUpper(upper: ArrayLike<number>): void
  solve(options?: SolveOptions): LinearResult
  /** Frees the memory; the program cannot be used afterwards. */
  dispose(): void
}

/** A loaded solver, from which any number of programs can be opened. */
export interface LinearSolver {
  /** Opens a program with these columns and no rows. It holds memory of the solver until `dispose()`. */
  open(columns: LinearColumns): LinearProgram
}

export interface LinearSolverOptions {
  /**
   * Where `highs.wasm` is served, for bundlers that do not place it beside the script. Conditional gradient on the local and
   * cycle polytopes needs HiGHS, and so do exact searches of more than 22 concepts.
   */
  readonly wasmUrl?: string
}
