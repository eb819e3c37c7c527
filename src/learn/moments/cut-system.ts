import {choleskyFactor, choleskySolve, conjugateGradients} from '../../base/numeric/index.ts'
import type {CutRow} from '../polytopes/index.ts'
import type {Curvature} from './curvature.ts'

/** Rows solved exactly; beyond that the lightest are left to conjugate gradients. */
const EXACT_ROWS = 300
const STEP_LIMIT = 200
/** Newton steps tolerate this much residual, in the norm of the preconditioner; smaller ones cost steps and gain nothing. */
const RESIDUAL = 0.001

/**
 * Solves (H + sum over rows c of omega_c a_c a_c') x = b, where H is a curvature and a_c the rows of a cut set.
 *
 * Method: Woodbury, with the heaviest rows A: H^-1 is cheap, so (omega^-1 + A H^-1 A') of size |A| is factored. Lighter
 * rows, if any, enter H by their diagonal; the result then preconditions conjugate gradients, which need few steps because
 * the omitted part is light. Cost: |A| solves of H and |A|^3/3.
 */
export class CutSystem {
  readonly #curvature: Curvature
  readonly #cuts: CutSet
  readonly #size: number
  #omega: Float64Array = new Float64Array(0)
  #heavy: readonly number[] = []
  #capacity = new Float64Array(0)
  #columns: Float64Array[] = []
  #isExact = true

  constructor(curvature: Curvature, cuts: CutSet) {
    this.#curvature = curvature
    this.#cuts = cuts
    this.#size = curvature.slope.length
  }

  /** Sets the weights of the rows and factors; false when that fails due to rounding. */
  factor(omega: Float64Array): boolean {
    const cuts = this.#cuts
    const order = Array.from(omega.keys()).sort((a, b) => omega[b] - omega[a] || a - b)
    this.#omega = omega
    this.#heavy = order.slice(0, EXACT_ROWS)
    this.#isExact = order.length <= EXACT_ROWS
    let extra: Float64Array | undefined
    if (!this.#isExact) {
      extra = new Float64Array(this.#size)
      for (const row of order.slice(EXACT_ROWS)) cuts.addSquaresTo(extra, row, omega[row])
    }
    if (!this.#curvature.factor(extra)) return false
    const n = this.#heavy.length
    const capacity = new Float64Array(n * n)
    const unit = new Float64Array(this.#size)
    for (let a = 0; a < n; a++) {
      const row = this.#heavy[a]
      if (this.#columns.length === a) this.#columns.push(new Float64Array(this.#size))
      const column = this.#columns[a]
      unit.fill(0)
      cuts.addTo(unit, row, 1)
      this.#curvature.solve(unit, column)
      for (let b = 0; b <= a; b++) capacity[a * n + b] = cuts.product(this.#heavy[b], column)
      capacity[a * n + a] += 1 / omega[row]
    }
    this.#capacity = capacity
    return choleskyFactor(capacity, n)
  }

  solve(b: Float64Array, x: Float64Array): void {
    if (this.#isExact) this.#precondition(b, x)
    else this.#conjugateGradients(b, x)
  }

  #precondition(b: Float64Array, out: Float64Array): void {
    const n = this.#heavy.length
    this.#curvature.solve(b, out)
    const y = Float64Array.from(this.#heavy, row => this.#cuts.product(row, out))
    choleskySolve(this.#capacity, n, y)
    for (let a = 0; a < n; a++) {
      const column = this.#columns[a]
      for (let e = 0; e < this.#size; e++) out[e] -= y[a] * column[e]
    }
  }

  #multiply(v: Float64Array, out: Float64Array): void {
    this.#curvature.multiply(v, out)
    for (let row = 0; row < this.#cuts.size; row++)
      this.#cuts.addTo(out, row, this.#omega[row] * this.#cuts.product(row, v))
  }

  #conjugateGradients(b: Float64Array, x: Float64Array): void {
    conjugateGradients(b, x, {
      multiply: (v, out) => this.#multiply(v, out),
      precondition: (r, out) => this.#precondition(r, out),
      residual: RESIDUAL,
      stepLimit: STEP_LIMIT
    })
  }
}

/** Linear inequalities `sum values x[indices] >= lower`, packed: products cost one operation per entry of the row. */
export class CutSet {
  #starts: number[] = [0]
  #columns: number[] = []
  #values: number[] = []
  #lower: number[] = []

  get size(): number {
    return this.#lower.length
  }

  add({indices, values, lower}: CutRow): void {
    this.#columns.push(...indices)
    this.#values.push(...values)
    this.#starts.push(this.#columns.length)
    this.#lower.push(lower)
  }

  /** Keeps only the rows for which `isKept` is true; they move up. */
  retain(isKept: (row: number) => boolean): void {
    const starts = [0]
    let row = 0
    let end = 0
    for (let from = 0; from < this.size; from++) {
      if (!isKept(from)) continue
      for (let at = this.#starts[from]; at < this.#starts[from + 1]; at++, end++) {
        this.#columns[end] = this.#columns[at]
        this.#values[end] = this.#values[at]
      }
      this.#lower[row] = this.#lower[from]
      row++
      starts.push(end)
    }
    this.#starts = starts
    this.#columns.length = end
    this.#values.length = end
    this.#lower.length = row
  }

  /** Negative when x violates the row. */
  slack(row: number, x: Float64Array): number {
    return this.product(row, x) - this.#lower[row]
  }

  product(row: number, x: Float64Array): number {
    let sum = 0
    for (let at = this.#starts[row]; at < this.#starts[row + 1]; at++) sum += this.#values[at] * x[this.#columns[at]]
    return sum
  }

  /** out += factor * row. */
  addTo(out: Float64Array, row: number, factor: number): void {
    for (let at = this.#starts[row]; at < this.#starts[row + 1]; at++)
      out[this.#columns[at]] += factor * this.#values[at]
  }

  /** out += factor * row^2, entry by entry. */
  addSquaresTo(out: Float64Array, row: number, factor: number): void {
    for (let at = this.#starts[row]; at < this.#starts[row + 1]; at++)
      out[this.#columns[at]] += factor * this.#values[at] * this.#values[at]
  }
}
