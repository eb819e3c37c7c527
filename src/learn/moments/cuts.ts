import {choleskyFactor, choleskySolve} from '../../base/numeric/index.ts'
import type {Curvature} from './curvature.ts'
import {pairColumn} from './layout.ts'

/** `sum_n values[n] x[indices[n]] >= lower`, x being the coordinates (p, q). */
export interface CutRow {
  readonly indices: readonly number[]
  readonly values: readonly number[]
  readonly lower: number
}

/** Reports every row that x violates, and by how much. */
export type Separate = (x: Float64Array, report: (violation: number, row: CutRow) => void) => void

/**
 * Finds the violated triangle inequalities of m concepts, which on the complete graph are all cycle inequalities:
 * q_ik + q_il - q_kl <= p_i for each corner, and p_i + p_k + p_l - q_ik - q_il - q_kl <= 1.
 */
export function violatedTriangles(m: number): Separate {
  return (x, report) => {
    for (let i = 0; i < m; i++)
      for (let k = i + 1; k < m; k++) {
        const ik = pairColumn(i, k, m)
        for (let l = k + 1; l < m; l++) {
          const il = ik + l - k
          const kl = pairColumn(k, l, m)
          // Nearly all hold: only violated rows are written out.
          const atI = x[i] - x[ik] - x[il] + x[kl]
          const atK = x[k] - x[ik] - x[kl] + x[il]
          const atL = x[l] - x[il] - x[kl] + x[ik]
          const none = 1 - x[i] - x[k] - x[l] + x[ik] + x[il] + x[kl]
          if (atI < 0) report(-atI, {indices: [i, ik, il, kl], values: [1, -1, -1, 1], lower: 0})
          if (atK < 0) report(-atK, {indices: [k, ik, kl, il], values: [1, -1, -1, 1], lower: 0})
          if (atL < 0) report(-atL, {indices: [l, il, kl, ik], values: [1, -1, -1, 1], lower: 0})
          if (none < 0) report(-none, {indices: [i, k, l, ik, il, kl], values: [-1, -1, -1, 1, 1, 1], lower: -1})
        }
      }
  }
}

/** Linear inequalities `sum values x[indices] >= lower`. */
export class CutSet {
  #rows: CutRow[] = []

  get size(): number {
    return this.#rows.length
  }

  add(row: CutRow): void {
    this.#rows.push(row)
  }

  /** Keeps only the rows for which `isKept` is true; they move up. */
  retain(isKept: (row: number) => boolean): void {
    this.#rows = this.#rows.filter((_, row) => isKept(row))
  }

  /** The slack of a row at x, negative when x violates it. */
  slack(row: number, x: Float64Array): number {
    return this.product(row, x) - this.#rows[row].lower
  }

  product(row: number, x: Float64Array): number {
    const {indices, values} = this.#rows[row]
    let sum = 0
    for (let n = 0; n < indices.length; n++) sum += values[n] * x[indices[n]]
    return sum
  }

  /** Adds `factor` times the row to `out`. */
  addTo(out: Float64Array, row: number, factor: number): void {
    const {indices, values} = this.#rows[row]
    for (let n = 0; n < indices.length; n++) out[indices[n]] += factor * values[n]
  }
}

/**
 * Solves (H + sum over rows c of omega_c a_c a_c') x = b, where H is a curvature and a_c the rows of a cut set, by the formula of
 * Woodbury: H^-1 is cheap, so omega^-1 + A H^-1 A' is factored. Cost: a solve of H per row and rows^3/3.
 */
export class CutSystem {
  readonly #curvature: Curvature
  readonly #cuts: CutSet
  #capacity = new Float64Array(0)
  #columns: Float64Array[] = []

  constructor(curvature: Curvature, cuts: CutSet) {
    this.#curvature = curvature
    this.#cuts = cuts
  }

  /** Sets the weights of the rows and factors; returns false when that fails due to rounding. */
  factor(omega: Float64Array): boolean {
    const cuts = this.#cuts
    const n = cuts.size
    const size = this.#curvature.slope.length
    if (!this.#curvature.factor()) return false
    this.#capacity = new Float64Array(n * n)
    for (let a = 0; a < n; a++) {
      if (this.#columns.length === a) this.#columns.push(new Float64Array(size))
      const column = this.#columns[a]
      const unit = new Float64Array(size)
      cuts.addTo(unit, a, 1)
      this.#curvature.solve(unit, column)
      for (let b = 0; b <= a; b++) this.#capacity[a * n + b] = cuts.product(b, column)
      this.#capacity[a * n + a] += 1 / omega[a]
    }
    return choleskyFactor(this.#capacity, n)
  }

  solve(b: Float64Array, out: Float64Array): void {
    const n = this.#cuts.size
    this.#curvature.solve(b, out)
    const y = Float64Array.from({length: n}, (_, row) => this.#cuts.product(row, out))
    choleskySolve(this.#capacity, n, y)
    for (let a = 0; a < n; a++) {
      const column = this.#columns[a]
      for (let e = 0; e < out.length; e++) out[e] -= y[a] * column[e]
    }
  }
}
