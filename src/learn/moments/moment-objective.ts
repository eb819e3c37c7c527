import {log} from '../../base/numeric/index.ts'
import {forEachTable, type MomentLayout} from '../polytopes/index.ts'
import type {Divergence, Rates} from './table-solver.ts'

/** What moment recovery is given: observed anchor tables, the rates, and the shrinkage's weights lambda * mu_indep. */
export interface MomentProblem {
  readonly layout: MomentLayout
  readonly rates: readonly Rates[]
  /** P-hat of the anchors, a cell for each cell of mu. */
  readonly observed: Float64Array
  /** lambda * mu_indep, a cell for each cell of mu; all zeros without a shrinkage. */
  readonly shrinkageWeights: Float64Array
  readonly lambda: number
  readonly divergence: Divergence
}

/**
 * Eq. 4 with the shrinkage towards independence: the sum over all sets Z of at most K concepts of
 * D(a_Z, R_Z mu_Z) + lambda KL(indep_Z, mu_Z), with its gradient, as functions of a moment vector.
 *
 * R_Z is applied as one 2x2 butterfly a concept, so a table of s concepts costs s 2^s.
 * The value is infinite where a cell that is observed, or pulled at, has no probability.
 */
export class MomentObjective {
  readonly problem: MomentProblem
  readonly #r: Float64Array
  readonly #variables: Int32Array

  constructor(problem: MomentProblem) {
    this.problem = problem
    this.#r = new Float64Array(problem.layout.size)
    const variables: number[] = []
    forEachTable(problem.layout, concepts => variables.push(...concepts))
    this.#variables = Int32Array.from(variables)
  }

  value(mu: Float64Array): number {
    const {observed: a, shrinkageWeights: w, lambda, divergence} = this.problem
    const r = this.#r
    r.set(mu)
    this.#applyRates(r, false)
    let sum = 0
    for (let c = 0; c < r.length; c++) {
      if (divergence === 'l2') sum += (a[c] - r[c]) * (a[c] - r[c])
      else if (a[c] > 0) sum += r[c] > 0 ? a[c] * log(a[c] / r[c]) : Number.POSITIVE_INFINITY
      if (w[c] > 0) sum += mu[c] > 0 ? w[c] * log(w[c] / (lambda * mu[c])) : Number.POSITIVE_INFINITY
    }
    return sum
  }

  gradient(mu: Float64Array, gradient: Float64Array): void {
    const {observed: a, shrinkageWeights: w, divergence} = this.problem
    const r = this.#r
    r.set(mu)
    this.#applyRates(r, false)
    if (divergence === 'l2') for (let c = 0; c < r.length; c++) gradient[c] = 2 * (r[c] - a[c])
    else for (let c = 0; c < r.length; c++) gradient[c] = a[c] === 0 ? 0 : -a[c] / r[c]
    this.#applyRates(gradient, true)
    for (let c = 0; c < r.length; c++) if (w[c] > 0) gradient[c] -= w[c] / mu[c]
  }

  /** R mu in place, or R' g when `transposed`. */
  #applyRates(x: Float64Array, transposed: boolean): void {
    const {layout, rates} = this.problem
    let at = 0
    let next = 0
    for (let s = 1; s <= layout.order; s++) {
      const cells = 2 ** s
      for (let table = 0; table < layout.tableCount(s); table++, at += cells)
        for (let half = cells / 2; half >= 1; half /= 2) {
          const {truePositive: t, falsePositive: e} = rates[this.#variables[next++]]
          const off0 = 1 - e
          const off1 = transposed ? e : 1 - t
          const on0 = transposed ? 1 - t : e
          for (let block = at; block < at + cells; block += 2 * half)
            for (let c = block; c < block + half; c++) {
              const zero = x[c]
              const one = x[c + half]
              x[c] = off0 * zero + off1 * one
              x[c + half] = on0 * zero + t * one
            }
        }
    }
  }
}
