/**
 * Eq. 1, a_Z = R_Z mu_Z: `anchorMatrices` has the 2x2 factors of R and `multiplyKronecker` multiplies by their product.
 * `MomentObjective` is the objective of Eq. 2 and Eq. 4 with shrinkage towards independence.
 */
import {log} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'

/** D of Eq. 2: Kullback-Leibler, or the squared Euclidean distance. */
export type Divergence = 'kl' | 'l2'

/** The positions of several tables in one array. A table of K variables has 2^K cells, the first variable most significant. */
export interface TableLayout {
  /** Each table has the numbers of its variables and the index of its first cell. */
  readonly tables: readonly {readonly concepts: readonly number[]; readonly start: number}[]
  /** The number of cells of all tables. */
  readonly size: number
}

/** The data of Eq. 2 for one or more tables. */
export interface TableProblem {
  readonly layout: TableLayout
  /** The rates of every variable's anchor, which give R. */
  readonly rates: readonly Rates[]
  /** The observed frequencies of the anchors, P-hat(A_Z) of Eq. 2, in the layout of mu. */
  readonly observed: Float64Array
  /** lambda * mu_indep, in the layout of mu; zeros without shrinkage. */
  readonly shrinkageWeights: Float64Array
  readonly lambda: number
  readonly divergence: Divergence
}

export function oneTable(variableCount: number): TableLayout {
  const concepts = Array.from({length: variableCount}, (_, k) => k)
  return {tables: [{concepts, start: 0}], size: 2 ** variableCount}
}

/** A convex function of a vector. Its value is infinite outside its domain. */
export interface ConvexObjective {
  value(x: Float64Array): number
  /** Writes the gradient at x. */
  gradient(x: Float64Array, gradient: Float64Array): unknown
}

/** D in one cell, a observed and r expected, and its derivatives in r. For KL all three are infinite if a > 0 and r = 0. */
export const DIVERGENCES = {
  kl: {
    value: (a: number, r: number) => (a === 0 ? 0 : r > 0 ? a * log(a / r) : Number.POSITIVE_INFINITY),
    slope: (a: number, r: number) => (a === 0 ? 0 : -a / Math.max(0, r)),
    curvature: (a: number, r: number) => (a === 0 ? 0 : a / (r * r))
  },
  l2: {
    value: (a: number, r: number) => (a - r) * (a - r),
    slope: (a: number, r: number) => 2 * (r - a),
    curvature: () => 2
  }
}

/**
 * The objective of Eq. 4 with shrinkage: the sum over all tables Z of D(a_Z, R_Z mu_Z) + lambda KL(indep_Z, mu_Z). It is
 * infinite where mu is 0 in a cell with a shrinkage weight and, for KL, where R mu is 0 in an observed cell.
 */
export class MomentObjective implements ConvexObjective {
  readonly problem: TableProblem
  readonly #r: Float64Array
  /** The 2x2 factors of R, see {@link anchorMatrices}. */
  readonly factors: Float64Array

  constructor(problem: TableProblem) {
    this.problem = problem
    this.factors = anchorMatrices(problem.rates)
    this.#r = new Float64Array(problem.layout.size)
  }

  value(mu: Float64Array): number {
    const {observed: a, shrinkageWeights: w, lambda, divergence} = this.problem
    const D = DIVERGENCES[divergence]
    const r = this.#observe(mu)
    let sum = 0
    for (let c = 0; c < r.length; c++) {
      sum += D.value(a[c], r[c])
      if (w[c] > 0) sum += mu[c] > 0 ? w[c] * log(w[c] / (lambda * mu[c])) : Number.POSITIVE_INFINITY
    }
    return sum
  }

  /** Writes the gradient, and returns the second derivative of D in every cell of R mu. The returned array is reused. */
  gradient(mu: Float64Array, gradient: Float64Array): Float64Array {
    const {observed: a, shrinkageWeights: w, divergence} = this.problem
    const D = DIVERGENCES[divergence]
    const r = this.#observe(mu)
    for (let c = 0; c < r.length; c++) {
      gradient[c] = D.slope(a[c], r[c])
      r[c] = D.curvature(a[c], r[c])
    }
    this.#multiply(gradient, true)
    // Rounding may have made mu[c] negative; the slope is then infinite, as at 0.
    for (let c = 0; c < r.length; c++) if (w[c] > 0) gradient[c] -= w[c] / Math.max(0, mu[c])
    return r
  }

  /** Returns R mu (Eq. 1) of every table. The array is reused. */
  #observe(mu: Float64Array): Float64Array {
    this.#r.set(mu)
    this.#multiply(this.#r)
    return this.#r
  }

  #multiply(x: Float64Array, isTransposed = false): void {
    for (const {concepts, start} of this.problem.layout.tables)
      multiplyKronecker(this.factors, x, concepts, start, isTransposed)
  }
}

/**
 * Returns the factors of R in Eq. 1, one 2x2 matrix P(A|Y) per anchor: [1 - e, 1 - t; e, t], row-major, matrix k at `4*k`.
 * The rows are values of A, the columns values of Y.
 */
export function anchorMatrices(rates: readonly Rates[]): Float64Array {
  return Float64Array.from(rates.flatMap(({truePositive: t, falsePositive: e}) => [1 - e, 1 - t, e, t]))
}

/** Returns the inverses of {@link anchorMatrices}, the factors of R^-1, in the same layout. */
export function inverseAnchorMatrices(rates: readonly Rates[]): Float64Array {
  return Float64Array.from(
    rates.flatMap(({truePositive: t, falsePositive: e}) => [t, t - 1, -e, 1 - e].map(entry => entry / (t - e)))
  )
}

/**
 * Multiplies a table of x, in place, by the Kronecker product of the 2x2 matrices of its variables: with
 * {@link anchorMatrices} this is the product R mu of Eq. 1, at a cost of K 2^K instead of 4^K for K variables. Matrix k
 * begins at `factors[4*k]`, row-major. By default the table is all of x and has all variables that have a matrix.
 */
export function multiplyKronecker(
  factors: Float64Array,
  x: Float64Array,
  variables: readonly number[] = oneTable(factors.length / 4).tables[0].concepts,
  start = 0,
  isTransposed = false
): void {
  const size = 1 << variables.length
  const end = start + size
  for (let k = 0, half = size >> 1; half >= 1; k++, half >>= 1) {
    const at = 4 * variables[k]
    const x00 = factors[at]
    const x01 = factors[at + (isTransposed ? 2 : 1)]
    const x10 = factors[at + (isTransposed ? 1 : 2)]
    const x11 = factors[at + 3]
    for (let block = start; block < end; block += 2 * half)
      for (let c = block; c < block + half; c++) {
        const zero = x[c]
        const one = x[c + half]
        x[c] = x00 * zero + x01 * one
        x[c + half] = x10 * zero + x11 * one
      }
  }
}
