/** Eq. 4: the data, the objective with its shrinkage towards independence, and its gradient. */

import {clamp, log} from '../../base/numeric/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import type {NoiseRates, Rates} from '../noise/index.ts'
import {
  coordinateGradient,
  forEachTable,
  independentCoordinates,
  type MomentLayout,
  momentLayout,
  momentsAt
} from './layout.ts'
import {allRates, independentTable, type Shrinkage, shrinkageStrength} from './table.ts'
import {type Divergence, observingFactors} from './table-solver.ts'

/** The data of Eq. 4: observed anchor tables, rates, and shrinkage. */
export interface MomentProblem {
  readonly layout: MomentLayout
  readonly rates: readonly Rates[]
  /** P-hat of the anchors, in the layout of mu. */
  readonly observed: Float64Array
  /** lambda * mu_indep, in the layout of mu; zeros without shrinkage. */
  readonly shrinkageWeights: Float64Array
  readonly lambda: number
  readonly divergence: Divergence
}

/**
 * Builds Eq. 4 for these counts. Tables follow from the documents in which each anchor and each pair of anchors fires, by
 * subtraction of integers, so a cell without documents is exactly 0. Cost: one pass over the patterns.
 */
export function momentProblem(
  counts: Counts,
  noise: NoiseRates,
  {shrinkage, divergence}: {readonly shrinkage: Shrinkage; readonly divergence: Divergence}
): MomentProblem {
  const m = counts.lexicon.anchors.length
  const N = counts.documentCount
  const layout = momentLayout(m)
  const lambda = shrinkageStrength(shrinkage, N)
  const observed = new Float64Array(layout.size)
  const shrinkageWeights = new Float64Array(layout.size)
  const fired = anchorPairCounts(counts)
  const table = new Float64Array(4)
  forEachTable(layout, ([i, k], start) => {
    const on = fired[i * m + i]
    if (k === undefined) {
      table[0] = N - on
      table[1] = on
    } else {
      const both = fired[i * m + k]
      table[0] = N - on - fired[k * m + k] + both
      table[1] = fired[k * m + k] - both
      table[2] = on - both
      table[3] = both
    }
    const concepts = k === undefined ? [i] : [i, k]
    independentTable(concepts.map(each => noise.prevalence[each])).forEach((cell, c) => {
      observed[start + c] = table[c] / N
      shrinkageWeights[start + c] = lambda * cell
    })
  })
  return {layout, rates: allRates(noise), observed, shrinkageWeights, lambda, divergence}
}

/** A convex function of a vector, with its gradient; infinite outside its domain. */
export interface ConvexObjective {
  value(x: Float64Array): number
  gradient(x: Float64Array, gradient: Float64Array): void
}

/**
 * Eq. 4 with shrinkage towards independence, as a function of a moment vector: the sum over all singles and pairs Z of
 * D(a_Z, R_Z mu_Z) + lambda KL(indep_Z, mu_Z). R_Z is the product of a 2x2 factor for each concept of Z.
 * The value is infinite where a cell that is observed or has a shrinkage weight has no probability.
 */
export class MomentObjective implements ConvexObjective {
  readonly problem: MomentProblem
  readonly #r: Float64Array
  readonly #factors: Float64Array
  readonly #transposed: Float64Array

  constructor(problem: MomentProblem) {
    this.problem = problem
    this.#factors = observingFactors(problem.rates)
    this.#transposed = observingFactors(problem.rates, true)
    this.#r = new Float64Array(problem.layout.size)
  }

  value(mu: Float64Array): number {
    const {observed: a, shrinkageWeights: w, lambda, divergence} = this.problem
    const r = this.#r
    r.set(mu)
    this.#applyRates(r, this.#factors)
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
    this.#applyRates(r, this.#factors)
    // Outside the domain by rounding, the slope is that at its boundary: infinite.
    if (divergence === 'l2') for (let c = 0; c < r.length; c++) gradient[c] = 2 * (r[c] - a[c])
    else for (let c = 0; c < r.length; c++) gradient[c] = a[c] === 0 ? 0 : -a[c] / Math.max(0, r[c])
    this.#applyRates(gradient, this.#transposed)
    for (let c = 0; c < r.length; c++) if (w[c] > 0) gradient[c] -= w[c] / Math.max(0, mu[c])
  }

  /** The second derivative of D in every cell of R mu; the array is reused. */
  curvature(mu: Float64Array): Float64Array {
    const {observed: a, divergence} = this.problem
    const r = this.#r
    r.set(mu)
    this.#applyRates(r, this.#factors)
    for (let c = 0; c < r.length; c++) r[c] = divergence === 'l2' ? 2 : a[c] === 0 ? 0 : a[c] / (r[c] * r[c])
    return r
  }

  /** Replaces x by the product of every table with its R, or with R', given by the factors of the concepts. */
  #applyRates(x: Float64Array, factors: Float64Array): void {
    const m = this.problem.layout.conceptCount
    for (let i = 0, cell = 2 * m; i < m; i++) {
      const [i00, i01, i10, i11] = factors.subarray(4 * i, 4 * i + 4)
      const [off, on] = [x[2 * i], x[2 * i + 1]]
      x[2 * i] = i00 * off + i01 * on
      x[2 * i + 1] = i10 * off + i11 * on
      for (let k = i + 1; k < m; k++, cell += 4) {
        const x0 = i00 * x[cell] + i01 * x[cell + 2]
        const x1 = i00 * x[cell + 1] + i01 * x[cell + 3]
        const x2 = i10 * x[cell] + i11 * x[cell + 2]
        const x3 = i10 * x[cell + 1] + i11 * x[cell + 3]
        x[cell] = factors[4 * k] * x0 + factors[4 * k + 1] * x1
        x[cell + 1] = factors[4 * k + 2] * x0 + factors[4 * k + 3] * x1
        x[cell + 2] = factors[4 * k] * x2 + factors[4 * k + 1] * x3
        x[cell + 3] = factors[4 * k + 2] * x2 + factors[4 * k + 3] * x3
      }
    }
  }
}

/** Eq. 4 as a function of the coordinates (p, q) of tables that agree. */
export function coordinateObjective(
  problem: MomentProblem
): ConvexObjective & {curvature(x: Float64Array): Float64Array} {
  const {layout} = problem
  const objective = new MomentObjective(problem)
  const mu = new Float64Array(layout.size)
  const slopes = new Float64Array(layout.size)
  return {
    value(x) {
      momentsAt(layout, x, mu)
      return objective.value(mu)
    },
    gradient(x, gradient) {
      momentsAt(layout, x, mu)
      objective.gradient(mu, slopes)
      coordinateGradient(layout, slopes, gradient)
    },
    curvature(x) {
      momentsAt(layout, x, mu)
      return objective.curvature(mu)
    }
  }
}

/** The share by which prevalences move towards one half, so that rare concepts leave room. */
const TO_HALF = 0.1

/** Coordinates well inside the marginal polytope: independent concepts with the implied prevalences, moved towards 1/2. */
export function insidePoint({rates, observed}: MomentProblem): Float64Array {
  return independentCoordinates(
    rates.map(({truePositive: t, falsePositive: e}, i) => {
      const prevalence = clamp((observed[2 * i + 1] - e) / (t - e), 0, 1)
      return prevalence + TO_HALF * (0.5 - prevalence)
    })
  )
}
