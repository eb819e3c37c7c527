/** The variables of a program, which minimises `costs . x` over `lower <= x <= upper`. Bounds may be infinite. */
export interface LinearColumns {
  readonly costs: ArrayLike<number>
  readonly lower: ArrayLike<number>
  readonly upper: ArrayLike<number>
  /** The indices of the columns that must be whole numbers; none by default. */
  readonly integer?: ArrayLike<number>
}

/** The constraint `lower <= sum_n values[n] x[indices[n]] <= upper`; no index may occur twice. */
export interface LinearRow {
  readonly indices: ArrayLike<number>
  readonly values: ArrayLike<number>
  readonly lower: number
  readonly upper: number
}

export interface SolveOptions {
  /** It is called from time to time, and ends the solve with status `limit` by returning true. */
  readonly stop?: () => boolean
  /** The largest number of simplex steps, which a solve may exceed by a few. Steps are the same on every machine. */
  readonly stepLimit?: number
}

/** How a solve ended; `limit` means that `stop` or `stepLimit` ended it. */
export type LinearStatus = 'optimal' | 'infeasible' | 'unbounded' | 'limit'

export interface LinearResult {
  readonly status: LinearStatus
  /** The value of `costs . x`: infinite when no feasible point was found, minus infinite when the program is unbounded. */
  readonly objective: number
  /** A lower bound of `costs . x` over all feasible points, proven within the solver's tolerances. */
  readonly bound: number
  /** The best feasible point found; empty when there is none. */
  readonly x: Float64Array
  /**
   * The dual variables: `costs = A' duals.rows + duals.columns`, where A is the matrix of all rows. A dual is positive if its lower
   * bound is active and negative if its upper bound is. Both lists are empty unless the solve is optimal and no column must be whole.
   */
  readonly duals: {readonly rows: Float64Array; readonly columns: Float64Array}
  /** The number of simplex steps, which is small when the solve could start from an earlier basis. */
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
   * The address of `highs.wasm`, for bundlers that do not put it beside the script. HiGHS is needed for conditional gradient on the
   * local and cycle polytopes, and for exact searches for a graph over more than 22 concepts.
   */
  readonly wasmUrl?: string
}
