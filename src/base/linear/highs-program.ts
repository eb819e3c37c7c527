import type {Basis, Highs, Model, ModelStatusCode} from 'highs'
import {AdfaError} from '../checks/index.ts'
import type {
  LinearColumns,
  LinearProgram,
  LinearResult,
  LinearRow,
  LinearStatus,
  SolveOptions
} from './linear-program.ts'

/** The solver takes no infinite option values; this is as good as none. */
const NO_TIME_LIMIT = 1e30

/**
 * A `LinearProgram` on one HiGHS model.
 *
 * HiGHS keeps its basis from one continuous solve to the next, but an integer solve throws it away. So the basis is kept
 * here while integers are at work and put back, new rows basic, before the next relaxed solve.
 */
export class HighsProgram implements LinearProgram {
  readonly columnCount: number
  readonly #highs: Highs
  readonly #model: Model
  readonly #hasIntegers: boolean
  #rowCount = 0
  #kept: Basis | undefined

  constructor(highs: Highs, columns: LinearColumns) {
    this.#highs = highs
    this.columnCount = columns.costs.length
    this.#hasIntegers = (columns.integer?.length ?? 0) > 0
    this.#model = highs.createModel()
    this.#model.options.set({output_flag: false, random_seed: 0})
    if (this.columnCount === 0) return
    this.#model.addVars(Float64Array.from(columns.lower), Float64Array.from(columns.upper))
    this.#model.changeColsCost(this.#allColumns(), Float64Array.from(columns.costs))
    const whole = Int32Array.from(new Set(Array.from(columns.integer ?? []))).sort()
    if (whole.length > 0)
      this.#model.changeColsIntegrality({kind: 'set', indices: whole}, new Int32Array(whole.length).fill(1))
  }

  get rowCount(): number {
    return this.#rowCount
  }

  addRows(rows: readonly LinearRow[]): void {
    this.#checkOpen()
    rows.forEach((row, at) => {
      checkRow(row, this.columnCount, at)
    })
    if (rows.length === 0) return
    const starts = new Int32Array(rows.length + 1)
    rows.forEach((row, at) => {
      starts[at + 1] = starts[at] + row.indices.length
    })
    const indices = new Int32Array(starts[rows.length])
    const values = new Float64Array(starts[rows.length])
    rows.forEach((row, at) => {
      indices.set(row.indices, starts[at])
      values.set(row.values, starts[at])
    })
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

  solve(options: SolveOptions = {}): LinearResult {
    this.#checkOpen()
    const {relaxed = false, start, relativeGap = 0, timeLimit = NO_TIME_LIMIT} = options
    if (!(timeLimit >= 0)) throw new AdfaError('bad-option', `timeLimit: ${timeLimit}; seconds are 0 or more`)
    if (!(relativeGap >= 0)) throw new AdfaError('bad-option', `relativeGap: ${relativeGap}; a gap is 0 or more`)
    const whole = this.#hasIntegers && !relaxed
    this.#model.options.set({solve_relaxation: !whole, mip_rel_gap: relativeGap, time_limit: timeLimit})
    if (whole) this.#keepBasis()
    else this.#restoreBasis()
    if (start !== undefined) {
      checkLength('start', start, this.columnCount)
      this.#model.setSolution({colValue: Float64Array.from(start)})
    }
    return this.#read(this.#run(options.stop), whole)
  }

  dispose(): void {
    this.#model.dispose()
  }

  /** Run, and run again from nothing where the answer is undecided or the solver failed on the way. */
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
    this.#model.zeroAllClocks()
    const callbacks = stop === undefined ? undefined : {[simplexInterrupt]: check, [mipInterrupt]: check}
    return statusOf(this.#model.run(callbacks).modelStatus)
  }

  #read(status: LinearStatus, whole: boolean): LinearResult {
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
    const proven = whole ? Number(info.get('mip_dual_bound')) : objective
    const bound = whole || status === 'optimal' ? Math.min(proven, objective) : Number.NEGATIVE_INFINITY
    const hasDuals = !whole && status === 'optimal' && solution !== undefined
    const duals = hasDuals ? {rows: solution.rowDual, columns: solution.colDual} : {rows: none, columns: none}
    return {status, objective, bound, x, duals, iterations}
  }

  #keepBasis(): void {
    if (this.#model.info.get('basis_validity') === 1) this.#kept = this.#model.getBasis()
  }

  #restoreBasis(): void {
    const kept = this.#kept
    this.#kept = undefined
    if (kept === undefined || this.#model.info.get('basis_validity') === 1) return
    const rowStatus = new Int32Array(this.#rowCount).fill(this.#highs.constants.basisStatus.basic)
    rowStatus.set(kept.rowStatus)
    this.#model.setBasis({colStatus: kept.colStatus, rowStatus})
  }

  #allColumns() {
    return {kind: 'range', from: 0, to: this.columnCount - 1} as const
  }

  #checkOpen(): void {
    if (this.#model.disposed)
      throw new AdfaError('bad-option', 'linear program: used after dispose(); open another one from the solver')
  }
}

/** Undefined where HiGHS does not know: infeasible or unbounded, or a numerical failure. */
function statusOf(code: ModelStatusCode): LinearStatus | undefined {
  switch (code) {
    case 6:
    case 7:
      return 'optimal'
    case 8:
      return 'infeasible'
    case 10:
      return 'unbounded'
    case 11:
    case 12:
    case 13:
    case 14:
    case 16:
    case 17:
      return 'limit'
    default:
      return undefined
  }
}

/** The solver drops smaller coefficients and refuses larger ones; we refuse both, so that nothing is dropped unseen. */
const SMALLEST_VALUE = 1e-9
const LARGEST_VALUE = 1e15

export function checkColumns({costs, lower, upper, integer}: LinearColumns): void {
  checkCosts(costs, costs.length)
  checkBounds(lower, upper, costs.length)
  for (let n = 0; n < (integer?.length ?? 0); n++) checkColumn(integer?.[n] ?? -1, costs.length, `integer[${n}]`)
}

function checkCosts(costs: ArrayLike<number>, columnCount: number): void {
  checkLength('costs', costs, columnCount)
  for (let n = 0; n < costs.length; n++) {
    if (!Number.isFinite(costs[n])) refuse(`costs[${n}] is ${costs[n]}; a cost is a finite number`)
  }
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
    if (seen.has(row.indices[n])) refuse(`row ${at} has column ${row.indices[n]} twice; add the two values up`)
    seen.add(row.indices[n])
    const size = Math.abs(row.values[n])
    if (!(size === 0 || (size > SMALLEST_VALUE && size < LARGEST_VALUE))) {
      refuse(
        `values[${n}] of row ${at} is ${row.values[n]}; a value is 0 or between ${SMALLEST_VALUE} and ${LARGEST_VALUE} in size; scale the row`
      )
    }
  }
}

function checkLength(name: string, values: ArrayLike<number>, length: number): void {
  if (values.length !== length)
    refuse(`${name}: ${values.length} numbers where ${length} are needed, one for each column`)
}

function checkInterval(lower: number, upper: number, name: string): void {
  if (!(lower <= upper && lower < Number.POSITIVE_INFINITY && upper > Number.NEGATIVE_INFINITY)) {
    refuse(`${name} lies between ${lower} and ${upper}; lower must not be above upper`)
  }
}

function checkColumn(index: number, columnCount: number, name: string): void {
  if (!(Number.isInteger(index) && index >= 0 && index < columnCount)) {
    refuse(`${name} is ${index}; a column is a whole number from 0 to ${columnCount - 1}`)
  }
}

function refuse(message: string): never {
  throw new AdfaError('bad-option', `linear program: ${message}`)
}
