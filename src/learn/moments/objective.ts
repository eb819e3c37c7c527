/** Eq. 1 as a product of 2x2 matrices, and the objective of Eq. 2 and Eq. 4 with its shrinkage towards independence. */

import {log} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'

/** D of Eq. 2: Kullback-Leibler, or the squared Euclidean distance. */
export type Divergence = 'kl' | 'l2'

/** Tables one after another: a table of K variables has 2^K cells, the first variable most significant. */
export interface TableLayout {
  /** The variables of every table, by number, and its first cell. */
  readonly tables: readonly {readonly concepts: readonly number[]; readonly start: number}[]
  /** The number of cells. */
  readonly size: number
}

/** The data of Eq. 2 for some tables. */
export interface TableProblem {
  readonly layout: TableLayout
  /** The rates of every variable. */
  readonly rates: readonly Rates[]
  /** P-hat of the anchors, in the layout of mu. */
  readonly observed: Float64Array
  /** lambda * mu_indep, in the layout of mu; zeros without shrinkage. */
  readonly shrinkageWeights: Float64Array
  readonly lambda: number
  readonly divergence: Divergence
}

/** The layout of one table over all its variables. */
export function oneTable(variableCount: number): TableLayout {
  const concepts = Array.from({length: variableCount}, (_, k) => k)
  return {tables: [{concepts, start: 0}], size: 2 ** variableCount}
}

/** A convex function of a vector, with its gradient; infinite outside its domain. */
export interface ConvexObjective {
  value(x: Float64Array): number
  gradient(x: Float64Array, gradient: Float64Array): unknown
}

/** D in one cell and its derivatives in r, which are infinite where an observed cell has no probability. */
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
 * The sum over all tables Z of D(a_Z, R_Z mu_Z) + lambda KL(indep_Z, mu_Z). R_Z is the product of a 2x2 factor for each
 * concept of Z. The value is infinite where a cell that is observed or has a shrinkage weight has no probability.
 */
export class MomentObjective implements ConvexObjective {
  readonly problem: TableProblem
  readonly #r: Float64Array
  /** R as factors of {@link multiplyKronecker}. */
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

  /** Writes the gradient and returns the second derivative of D in every cell of R mu; that array is reused. */
  gradient(mu: Float64Array, gradient: Float64Array): Float64Array {
    const {observed: a, shrinkageWeights: w, divergence} = this.problem
    const D = DIVERGENCES[divergence]
    const r = this.#observe(mu)
    for (let c = 0; c < r.length; c++) {
      gradient[c] = D.slope(a[c], r[c])
      r[c] = D.curvature(a[c], r[c])
    }
    this.#multiply(gradient, true)
    // Outside the domain by rounding, the slope is that at its boundary: infinite.
    for (let c = 0; c < r.length; c++) if (w[c] > 0) gradient[c] -= w[c] / Math.max(0, mu[c])
    return r
  }

  /** Returns R mu (Eq. 1) of every table; the array is reused. */
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

/** Returns R of these rates as factors of {@link multiplyKronecker}. */
export function anchorMatrices(rates: readonly Rates[]): Float64Array {
  const factors = new Float64Array(4 * rates.length)
  rates.forEach(({truePositive: t, falsePositive: e}, k) => {
    factors.set([1 - e, 1 - t, e, t], 4 * k)
  })
  return factors
}

/**
 * Multiplies one table of x, in place, by the Kronecker product of the 2x2 matrices of its variables. Matrix k begins at
 * `factors[4*k]`, row-major, and may be transposed. By default the table is all of x, and its variables are all that have a matrix.
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
