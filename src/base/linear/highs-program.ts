import loadHighs, {type Highs, type Model, type ModelStatusCode} from 'highs'
import {AdfaError} from '../checks/index.ts'
import type {
  LinearColumns,
  LinearProgram,
  LinearResult,
  LinearRow,
  LinearSolver,
  LinearSolverOptions,
  LinearStatus,
  SolveOptions
} from './linear-program.ts'

/** HiGHS from its WebAssembly file. */
export async function openHighs({wasmUrl}: LinearSolverOptions): Promise<LinearSolver> {
  const highs = await loadHighs(wasmUrl === undefined ? {} : {locateFile: () => wasmUrl})
  return {open: columns => new HighsProgram(highs, columns)}
}

/** A `LinearProgram` on one HiGHS model, which keeps its basis from one continuous solve to the next. */
class HighsProgram implements LinearProgram {
  readonly columnCount: number
  readonly #highs: Highs
  readonly #model: Model
  readonly #hasIntegers: boolean
  #rowCount = 0

  constructor(highs: Highs, columns: LinearColumns) {
    checkColumns(columns)
    const whole = Int32Array.from(new Set(Array.from(columns.integer ?? []))).sort()
    this.#highs = highs
    this.columnCount = columns.costs.length
    this.#hasIntegers = whole.length > 0
    this.#model = highs.createModel()
    // Unlike by default, an integer solve goes on to the optimum.
    this.#model.options.set({output_flag: false, random_seed: 0, mip_rel_gap: 0})
    if (this.columnCount === 0) return
    this.#model.addVars(Float64Array.from(columns.lower), Float64Array.from(columns.upper))
    this.#model.changeColsCost(this.#allColumns(), Float64Array.from(columns.costs))
    if (this.#hasIntegers)
      this.#model.changeColsIntegrality({kind: 'set', indices: whole}, new Int32Array(whole.length).fill(1))
  }

  get rowCount(): number {
    return this.#rowCount
  }

  addRows(rows: readonly LinearRow[]): void {
    this.#checkOpen()
    for (const [at, row] of rows.entries()) checkRow(row, this.columnCount, at)
    if (rows.length === 0) return
    const starts = new Int32Array(rows.length + 1)
    for (const [at, row] of rows.entries()) starts[at + 1] = starts[at] + row.indices.length
    const indices = new Int32Array(starts[rows.length])
    const values = new Float64Array(starts[rows.length])
    for (const [at, row] of rows.entries()) {
      indices.set(row.indices, starts[at])
      values.set(row.values, starts[at])
    }
    this.#model.addRows({
      lower: Float64Array.from(rows, row => row.lower),
      upper: Float64Array.from(rows, row => row.upper),
      matrix: {format: 'csr', numRows: rows.length, numCols: this.columnCount, starts, indices, values}
    })
    this.#rowCount += rows.length
  }

  setCosts(costs: ArrayLike<number>): void {
    this.#checkOpen()
    checkCosts(costs, this.columnCount)
    if (this.columnCount > 0) this.#model.changeColsCost(this.#allColumns(), Float64Array.from(costs))
  }

  setBounds(lower: ArrayLike<number>, upper: ArrayLike<number>): void {
    this.#checkOpen()
    checkBounds(lower, upper, this.columnCount)
    if (this.columnCount > 0)
      this.#model.changeColsBounds(this.#allColumns(), Float64Array.from(lower), Float64Array.from(upper))
  }

  solve({stop}: SolveOptions = {}): LinearResult {
    this.#checkOpen()
    return this.#read(this.#run(stop))
  }

  dispose(): void {
    this.#model.dispose()
  }

  /** Run, and run again from scratch where the answer is undecided or the solver failed on the way. */
  #run(stop: (() => boolean) | undefined): LinearStatus {
    const first = this.#runOnce(stop)
    if (first !== undefined) return first
    this.#model.clearSolver()
    this.#model.options.set({presolve: 'off'})
    const second = this.#runOnce(stop)
    this.#model.options.set({presolve: 'choose'})
    if (second !== undefined) return second
    throw new Error(`internal error: linear program without an answer, solver status ${this.#model.getModelStatus()}`)
  }

  #runOnce(stop: (() => boolean) | undefined): LinearStatus | undefined {
    const {simplexInterrupt, mipInterrupt} = this.#highs.constants.callbackType
    const check = (event: {interrupt(): void}) => {
      if (stop?.()) event.interrupt()
      return undefined
    }
    const callbacks = stop === undefined ? undefined : {[simplexInterrupt]: check, [mipInterrupt]: check}
    return statuses[this.#model.run(callbacks).modelStatus]
  }

  #read(status: LinearStatus): LinearResult {
    const none = new Float64Array(0)
    const {info} = this.#model
    const iterations = Math.max(0, Number(info.get('simplex_iteration_count')))
    const found = this.columnCount === 0 || info.get('primal_solution_status') === 2
    if (status === 'infeasible' || status === 'unbounded' || !found) {
      const objective = status === 'unbounded' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
      const bound = status === 'infeasible' ? objective : Number.NEGATIVE_INFINITY
      return {status, objective, bound, x: none, duals: {rows: none, columns: none}, iterations}
    }
    const objective = this.#model.getObjectiveValue()
    const solution = this.columnCount > 0 ? this.#model.getSolution() : undefined
    const x = solution?.colValue ?? none
    const proven = this.#hasIntegers ? Number(info.get('mip_dual_bound')) : objective
    const bound = this.#hasIntegers || status === 'optimal' ? Math.min(proven, objective) : Number.NEGATIVE_INFINITY
    const hasDuals = !this.#hasIntegers && status === 'optimal' && solution !== undefined
    const duals = hasDuals ? {rows: solution.rowDual, columns: solution.colDual} : {rows: none, columns: none}
    return {status, objective, bound, x, duals, iterations}
  }

  #allColumns() {
    return {kind: 'range', from: 0, to: this.columnCount - 1} as const
  }

  #checkOpen(): void {
    if (this.#model.disposed) refuse('used after dispose(); open another one from the solver')
  }
}

/** By the codes of HiGHS; the others mean that it does not know (infeasible or unbounded) or failed numerically. */
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

/** HiGHS drops smaller coefficients and refuses larger ones; we refuse both, so that nothing is dropped silently. */
const SMALLEST_VALUE = 1e-9
const LARGEST_VALUE = 1e15

function checkColumns({costs, lower, upper, integer = []}: LinearColumns): void {
  checkCosts(costs, costs.length)
  checkBounds(lower, upper, costs.length)
  for (let n = 0; n < integer.length; n++) checkColumn(integer[n], costs.length, `integer[${n}]`)
}

function checkCosts(costs: ArrayLike<number>, columnCount: number): void {
  checkLength('costs', costs, columnCount)
  for (let n = 0; n < costs.length; n++)
    if (!Number.isFinite(costs[n])) refuse(`costs[${n}] is ${costs[n]}; costs must be finite`)
}

function checkBounds(lower: ArrayLike<number>, upper: ArrayLike<number>, columnCount: number): void {
  checkLength('lower', lower, columnCount)
  checkLength('upper', upper, columnCount)
  for (let n = 0; n < lower.length; n++) checkInterval(lower[n], upper[n], `column ${n}`)
}

function checkRow(row: LinearRow, columnCount: number, at: number): void {
  checkInterval(row.lower, row.upper, `row ${at}`)
  checkLength(`values of row ${at}`, row.values, row.indices.length)
  const seen = new Set<number>()
  for (let n = 0; n < row.indices.length; n++) {
    checkColumn(row.indices[n], columnCount, `indices[${n}] of row ${at}`)
    if (seen.has(row.indices[n])) refuse(`row ${at} has column ${row.indices[n]} twice; add up the two values`)
    seen.add(row.indices[n])
    const size = Math.abs(row.values[n])
    if (!(size === 0 || (size > SMALLEST_VALUE && size < LARGEST_VALUE)))
      refuse(
        `values[${n}] of row ${at} is ${row.values[n]}; its absolute value must be 0 or between ${SMALLEST_VALUE} and ${LARGEST_VALUE}; scale the row`
      )
  }
}

function checkLength(name: string, values: ArrayLike<number>, length: number): void {
  if (values.length !== length) refuse(`${name}: ${values.length} numbers where ${length} are needed, one per column`)
}

function checkInterval(lower: number, upper: number, name: string): void {
  if (!(lower <= upper && lower < Number.POSITIVE_INFINITY && upper > Number.NEGATIVE_INFINITY))
    refuse(`${name} lies between ${lower} and ${upper}; lower must not be above upper`)
}

function checkColumn(index: number, columnCount: number, name: string): void {
  if (!(Number.isInteger(index) && index >= 0 && index < columnCount))
    refuse(`${name} is ${index}; a column is a whole number from 0 to ${columnCount - 1}`)
}

function refuse(message: string): never {
  throw new AdfaError('bad-option', `linear program: ${message}`)
}
