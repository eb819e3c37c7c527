/** Minimisers of Eq. 2 with shrinkage for one table: Newton steps, and the paper's exponentiated gradient. */

import {choleskyFactor, choleskySolve, dot, exp} from '../../base/numeric/index.ts'
import type {TableCertificate} from './certificate.ts'
import {DIVERGENCES, MomentObjective, multiplyKronecker, type TableProblem} from './objective.ts'

const STEP_LIMIT = 100
/** Stop when the gap is this small: far below any sampling error, well above rounding. */
const GAP_TOLERANCE = 1e-10
/** The share of the way to the boundary that a step may go. */
const REACH = 0.999
/** A step aims at this share of the mean excess of mu z over w: nearly at the optimum, since few cells are in the way. */
const CENTRING = 0.003
/** The products mu z at the start: the smallest of three that were tried takes the fewest steps. */
const FIRST_PRODUCT = 1e-5
/** Exponentiated gradient takes at most this many steps. */
const SLOW_STEP_LIMIT = 100_000
/** It gives up halving its step below this, and keeps cells above this. */
const MIN_STEP = 1e-12
const MIN_CELL = 1e-300

/** A recovered table: 2^K cells, first variable most significant. */
export interface RecoveredTable {
  readonly mu: Float64Array
  readonly certificate: TableCertificate
}

/**
 * Minimises D(a, R mu) + lambda KL(mu_indep, mu) over tables mu >= 0 of mass 1: Eq. 2 with shrinkage towards independence, for
 * one table. The observed table may change between calls of `solve`.
 *
 * Method: primal-dual interior point. With slack duals z (mu z = w at the optimum) the Newton system in the scaled step
 * u = d mu / mu is (M R' D'' R M + diag(mu z)) u = w - M (R' D' + nu), M = diag(mu), nu the multiplier of the mass. Where mu z
 * exceeds w, the step aims at w plus a small share of the excess, so that lambda = 0 works too.
 * Cost: about 8 steps of 8^K flops.
 * Differs from the paper, which takes exponentiated-gradient steps to the same optimum ({@link exponentiatedGradient}).
 */
export class TableSolver {
  /** The solution of the last call. */
  readonly mu: Float64Array
  readonly #problem: TableProblem
  readonly #objective: MomentObjective
  /** R by columns: a run of `size` numbers for each cell of mu. */
  readonly #R: Float64Array
  /** The factors of R^-1. */
  readonly #inverse: Float64Array
  /** The multipliers of mu >= 0, the gradient, and arrays that every step reuses. */
  readonly #z: Float64Array
  readonly #gradient: Float64Array
  readonly #curvature: Float64Array
  readonly #u: Float64Array
  readonly #v: Float64Array
  readonly #H: Float64Array

  constructor(problem: TableProblem) {
    const {size, tables} = problem.layout
    this.#problem = problem
    this.#objective = new MomentObjective(problem)
    this.#inverse = new Float64Array(4 * problem.rates.length)
    problem.rates.forEach(({truePositive: t, falsePositive: e}, k) => {
      this.#inverse.set([t / (t - e), (t - 1) / (t - e), -e / (t - e), (1 - e) / (t - e)], 4 * k)
    })
    this.#R = new Float64Array(size * size)
    for (let s = 0; s < size; s++) {
      this.#R[s * size + s] = 1
      multiplyKronecker(this.#objective.factors, this.#R, tables[0].concepts, s * size)
    }
    this.mu = new Float64Array(size)
    this.#z = new Float64Array(size)
    this.#gradient = new Float64Array(size)
    this.#curvature = new Float64Array(size)
    this.#u = new Float64Array(size)
    this.#v = new Float64Array(size)
    this.#H = new Float64Array(size * size)
  }

  solve(): RecoveredTable {
    const {mu} = this
    this.#start()
    for (let steps = 0; ; steps++) {
      this.#linearize()
      const gap = simplexGap(this.#gradient, mu)
      const isOptimal = gap <= GAP_TOLERANCE
      if (isOptimal || steps === STEP_LIMIT) {
        const status = isOptimal ? 'optimal' : 'step-limit'
        return {mu, certificate: {objective: this.#objective.value(mu), gap, steps, status}}
      }
      this.#step()
    }
  }

  /** Starts near R^-1 a, which is the solution wherever it is positive and there is no shrinkage. */
  #start(): void {
    const {mu} = this
    const {layout, observed, shrinkageWeights: w, lambda} = this.#problem
    mu.set(observed)
    multiplyKronecker(this.#inverse, mu, layout.tables[0].concepts)
    const isInside = lambda === 0 && mu.every(cell => cell > 0)
    let sum = 0
    for (let s = 0; s < mu.length; s++) {
      if (!isInside) mu[s] = Math.max(mu[s], 0.02 / mu.length + (lambda > 0 ? (0.1 * w[s]) / lambda : 0))
      sum += mu[s]
    }
    for (let s = 0; s < mu.length; s++) {
      mu[s] /= sum
      this.#z[s] = Math.max(w[s], FIRST_PRODUCT) / mu[s]
    }
  }

  /** Writes the curvature D'' of each cell of R mu and the gradient: on tables of 2 and 4 cells faster than by factors. */
  #linearize(): void {
    const {mu} = this
    const [R, gradient, curvature, slope] = [this.#R, this.#gradient, this.#curvature, this.#u]
    const {observed, shrinkageWeights: w, divergence} = this.#problem
    const D = DIVERGENCES[divergence]
    const size = mu.length
    for (let c = 0; c < size; c++) {
      let seen = 0
      for (let s = 0, at = c; s < size; s++, at += size) seen += R[at] * mu[s]
      slope[c] = D.slope(observed[c], seen)
      curvature[c] = D.curvature(observed[c], seen)
    }
    for (let s = 0, at = 0; s < size; s++) {
      let sum = -w[s] / mu[s]
      for (let c = 0; c < size; c++, at++) sum += slope[c] * R[at]
      gradient[s] = sum
    }
  }

  /** Takes one primal-dual Newton step: u without the mass constraint, corrected by nu v, v = H^-1 mu, to keep the mass. */
  #step(): void {
    const {mu} = this
    const [z, gradient, u, v, H] = [this.#z, this.#gradient, this.#u, this.#v, this.#H]
    const {shrinkageWeights: w} = this.#problem
    const size = mu.length
    this.#writeMatrix()
    choleskyFactor(H, size)
    let excess = 0
    for (let s = 0; s < size; s++) excess += Math.max(0, mu[s] * z[s] - w[s])
    const extra = (CENTRING * excess) / size
    for (let s = 0; s < size; s++) {
      u[s] = extra - mu[s] * gradient[s]
      v[s] = mu[s]
    }
    choleskySolve(H, size, u)
    choleskySolve(H, size, v)
    const nu = dot(mu, u) / dot(mu, v)
    let primal = 1
    let dual = 1
    for (let s = 0; s < size; s++) {
      u[s] -= nu * v[s]
      v[s] = (w[s] + extra) / mu[s] - z[s] * u[s] - z[s]
      if (u[s] < 0) primal = Math.min(primal, -REACH / u[s])
      if (v[s] < 0) dual = Math.min(dual, (-REACH * z[s]) / v[s])
    }
    for (let s = 0; s < size; s++) {
      mu[s] *= 1 + primal * u[s]
      z[s] += dual * v[s]
    }
  }

  /** Writes H = M R' D'' R M + diag(mu z), lower triangle. */
  #writeMatrix(): void {
    const {mu} = this
    const [R, H, z, curvature, weighted] = [this.#R, this.#H, this.#z, this.#curvature, this.#u]
    const size = mu.length
    for (let s = 0; s < size; s++) {
      const own = s * size
      for (let c = 0; c < size; c++) weighted[c] = curvature[c] * R[own + c] * mu[s]
      for (let q = 0, at = 0; q <= s; q++) {
        let sum = 0
        for (let c = 0; c < size; c++, at++) sum += weighted[c] * R[at]
        H[own + q] = sum * mu[q]
      }
      H[own + s] += mu[s] * z[s]
    }
  }
}

/**
 * Minimises the same by the paper's method on the simplex (supplement, Detailed methods), exponentiated gradient:
 * mu <- mu exp(-eta g) / Z, halving eta until the objective falls and letting it grow again after a success.
 * Slow and simple; {@link TableSolver} reaches the same optimum in a few Newton steps.
 */
export function exponentiatedGradient(
  problem: TableProblem,
  tolerance: number,
  stepLimit = SLOW_STEP_LIMIT
): RecoveredTable {
  const {size} = problem.layout
  const f = new MomentObjective(problem)
  const g = new Float64Array(size)
  let mu = new Float64Array(size).fill(1 / size)
  let objective = f.value(mu)
  let eta = 1
  for (let steps = 0; ; steps++) {
    f.gradient(mu, g)
    const gap = simplexGap(g, mu)
    if (gap <= tolerance) return {mu, certificate: {objective, gap, steps, status: 'optimal'}}
    if (steps === stepLimit) return {mu, certificate: {objective, gap, steps, status: 'step-limit'}}
    const least = Math.min(...g)
    for (; ; eta /= 2) {
      const raw = mu.map((value, s) => value * exp(-eta * (g[s] - least)))
      const mass = raw.reduce((sum, value) => sum + value, 0)
      const next = raw.map(value => Math.max(value / mass, MIN_CELL))
      const after = f.value(next)
      if (after > objective && eta > MIN_STEP) continue
      mu = next
      objective = after
      eta *= 2
      break
    }
  }
}

/** The conditional-gradient gap on the simplex: <g, mu> - min g. */
function simplexGap(g: Float64Array, mu: Float64Array): number {
  let least = Number.POSITIVE_INFINITY
  for (let s = 0; s < g.length; s++) least = Math.min(least, g[s])
  return dot(g, mu) - least
}
