import loadHighs, {type Highs, type Model, type ModelStatusCode} from 'highs'
import type {
  LinearColumns,
  LinearProgram,
  LinearResult,
  LinearRow,
  LinearSolver,
  LinearStatus,
  SolveOptions
} from './linear-program.ts'

/** Loads HiGHS from its WebAssembly file. */
export async function openHighs(wasmUrl: string | undefined): Promise<LinearSolver> {
  const highs = await loadHighs(wasmUrl === undefined ? {} : {locateFile: () => wasmUrl})
  return {open: columns => openHighsProgram(highs, columns)}
}

/** Opens a program on one HiGHS model, which keeps its basis between solves unless some columns must be whole. */
function openHighsProgram(highs: Highs, columns: LinearColumns): LinearProgram {
  const count = columns.costs.length
  const integers = Int32Array.from(new Set(Array.from(columns.integer ?? []))).sort()
  const hasIntegers = integers.length > 0
  const allColumns = {kind: 'range', from: 0, to: count - 1} as const
  const model = highs.createModel()
  // By default HiGHS ends an integer solve at a relative gap of 1e-4; here it continues to the optimum.
  model.options.set({output_flag: false, random_seed: 0, mip_rel_gap: 0})
  if (count > 0) {
    model.addVars(Float64Array.from(columns.lower), Float64Array.from(columns.upper))
    model.changeColsCost(allColumns, Float64Array.from(columns.costs))
  }
  const integrality = new Int32Array(integers.length).fill(1)
  if (hasIntegers) model.changeColsIntegrality({kind: 'set', indices: integers}, integrality)

  return {
    addRows(rows) {
      if (rows.length > 0) addRows(model, rows, count)
    },
    setCosts(costs) {
      if (count > 0) model.changeColsCost(allColumns, Float64Array.from(costs))
    },
    setUpper(upper) {
      if (count > 0) model.changeColsBounds(allColumns, Float64Array.from(columns.lower), Float64Array.from(upper))
    },
    solve(options = {}) {
      return readResult(model, solve(highs, model, options), count, hasIntegers)
    },
    dispose() {
      model.dispose()
    }
  }
}

/** Adds rows as a compressed sparse matrix; HiGHS refuses indices of columns that do not exist or occur twice. */
function addRows(model: Model, rows: readonly LinearRow[], columnCount: number): void {
  const starts = new Int32Array(rows.length + 1)
  for (const [at, row] of rows.entries()) starts[at + 1] = starts[at] + row.indices.length
  const indices = new Int32Array(starts[rows.length])
  const values = new Float64Array(starts[rows.length])
  for (const [at, row] of rows.entries()) {
    indices.set(row.indices, starts[at])
    values.set(row.values, starts[at])
  }
  model.addRows({
    lower: Float64Array.from(rows, row => row.lower),
    upper: Float64Array.from(rows, row => row.upper),
    matrix: {format: 'csr', numRows: rows.length, numCols: columnCount, starts, indices, values}
  })
}

/** Solves the program, and tries once more without presolve and the last basis when HiGHS is undecided or fails numerically. */
function solve(highs: Highs, model: Model, options: SolveOptions): LinearStatus {
  const first = solveOnce(highs, model, options)
  if (first !== undefined) return first
  model.clearSolver()
  model.options.set({presolve: 'off'})
  const second = solveOnce(highs, model, options)
  model.options.set({presolve: 'choose'})
  if (second !== undefined) return second
  throw new Error(`internal error: linear program without an answer, solver status ${model.getModelStatus()}`)
}

/** Runs HiGHS; returns undefined when it is undecided or fails numerically. */
function solveOnce(highs: Highs, model: Model, {stop, stepLimit}: SolveOptions): LinearStatus | undefined {
  const {simplexInterrupt, mipInterrupt} = highs.constants.callbackType
  const limit = stepLimit ?? Number.POSITIVE_INFINITY
  const interruptIfDone = (event: {interrupt(): void}, steps: number) => {
    if (steps >= limit || stop?.()) event.interrupt()
    return undefined
  }
  const callbacks: Parameters<Model['run']>[0] = {
    [simplexInterrupt]: event => interruptIfDone(event, event.data.simplex_iteration_count ?? 0),
    [mipInterrupt]: event => interruptIfDone(event, Number(event.data.mip_total_lp_iterations ?? 0))
  }
  return statuses[model.run(stop === undefined && stepLimit === undefined ? undefined : callbacks).modelStatus]
}

function readResult(model: Model, status: LinearStatus, count: number, hasIntegers: boolean): LinearResult {
  const empty = new Float64Array(0)
  const {info} = model
  const iterations = Math.max(0, Number(info.get('simplex_iteration_count')))
  // A primal solution status of 2 means that the point is feasible.
  const hasPoint = count === 0 || info.get('primal_solution_status') === 2
  const dualBound = hasIntegers ? Number(info.get('mip_dual_bound')) : Number.NEGATIVE_INFINITY
  if (status === 'infeasible' || status === 'unbounded' || !hasPoint) {
    const objective = status === 'unbounded' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    const bound = status === 'infeasible' ? objective : status === 'limit' ? dualBound : Number.NEGATIVE_INFINITY
    return {status, objective, bound, x: empty, duals: {rows: empty, columns: empty}, iterations}
  }
  const objective = model.getObjectiveValue()
  const solution = count > 0 ? model.getSolution() : undefined
  const bound = hasIntegers ? Math.min(dualBound, objective) : status === 'optimal' ? objective : dualBound
  const hasDuals = !hasIntegers && status === 'optimal' && solution !== undefined
  const duals = hasDuals ? {rows: solution.rowDual, columns: solution.colDual} : {rows: empty, columns: empty}
  return {status, objective, bound, x: solution?.colValue ?? empty, duals, iterations}
}

/** The statuses for the codes of HiGHS; all other codes mean that it is undecided or failed numerically. */
const statuses: Readonly<Partial<Record<ModelStatusCode, LinearStatus>>> = {
  6: 'optimal',
  7: 'optimal',
  8: 'infeasible',
  10: 'unbounded',
  11: 'limit',
  12: 'limit',
  13: 'limit',
  14: 'limit',
  16: 'limit',
  17: 'limit'
}
