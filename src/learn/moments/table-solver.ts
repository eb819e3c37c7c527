/** Two minimisers of Eq. 2 with shrinkage, for one table: Newton steps, and the paper's exponentiated gradient. */
import {choleskyFactor, choleskySolve, dot, exp} from '../../base/numeric/index.ts'
import type {TableCertificate} from './certificate.ts'
import {inverseAnchorMatrices, MomentObjective, multiplyKronecker, type TableProblem} from './objective.ts'

const NEWTON_STEP_LIMIT = 100
/** Newton steps stop at this gap, which is far below any sampling error and well above rounding. */
const GAP_TOLERANCE = 1e-10
/** A step goes at most this fraction of the way to where a cell or a multiplier is 0. */
const REACH = 0.999
/**
 * The centring parameter: each step aims to reduce the mean over the cells of max(0, mu z - w) to this fraction. It can be small,
 * since a table has few cells that may limit the length of a step.
 */
const CENTRING = 0.003
/** The least product mu z at the start: of three values tried, this one takes the fewest steps. */
const FIRST_PRODUCT = 1e-5
const EXPONENTIATED_STEP_LIMIT = 100_000
/** The line search of exponentiated gradient stops halving the step size below this. */
const MIN_STEP = 1e-12
/** Exponentiated gradient keeps cells at or above this, since a cell of 0 would stay 0. */
const MIN_CELL = 1e-300

/** A recovered table of 2^K cells, the first variable most significant. */
export interface RecoveredTable {
  readonly mu: Float64Array
  readonly certificate: TableCertificate
}

/**
 * Minimises D(a, R mu) + lambda KL(mu_indep, mu) over tables mu >= 0 of mass 1: Eq. 2 with shrinkage towards independence, for
 * one table. The observed table may change between calls of `solve`.
 *
 * Method: primal-dual interior point. With multipliers z of mu >= 0, where mu z = w = lambda mu_indep at the optimum, the
 * Newton system in the scaled step u = d mu / mu is (M R' D'' R M + diag(mu z)) u = w - M (R' D' + nu), M = diag(mu), nu the
 * multiplier of the constraint on the mass. Where mu z exceeds w, the step aims at w plus a small fraction of the excess, so
 * that lambda = 0 works too.
 * Cost: about 8 steps of 8^K flops.
 * Differs from the paper, which takes exponentiated-gradient steps to the same optimum ({@link exponentiatedGradient}).
 */
export class TableSolver {
  /** The solution of the last call of `solve`, which the next call overwrites. */
  readonly mu: Float64Array
  readonly #problem: TableProblem
  readonly #objective: MomentObjective
  /** R, column-major. */
  readonly #R: Float64Array
  /** The 2x2 factors of R^-1. */
  readonly #inverse: Float64Array
  /** The multipliers of mu >= 0. */
  readonly #z: Float64Array
  readonly #gradient: Float64Array
  /** The scaled step, a second vector of its size, and the matrix of the Newton system. */
  readonly #u: Float64Array
  readonly #v: Float64Array
  readonly #H: Float64Array

  constructor(problem: TableProblem) {
    const {size, tables} = problem.layout
    this.#problem = problem
    this.#objective = new MomentObjective(problem)
    this.#inverse = inverseAnchorMatrices(problem.rates)
    this.#R = new Float64Array(size * size)
    for (let s = 0; s < size; s++) {
      this.#R[s * size + s] = 1
      multiplyKronecker(this.#objective.factors, this.#R, tables[0].concepts, s * size)
    }
    this.mu = new Float64Array(size)
    this.#z = new Float64Array(size)
    this.#gradient = new Float64Array(size)
    this.#u = new Float64Array(size)
    this.#v = new Float64Array(size)
    this.#H = new Float64Array(size * size)
  }

  solve(): RecoveredTable {
    const {mu} = this
    this.#start()
    for (let steps = 0; ; steps++) {
      const curvature = this.#objective.gradient(mu, this.#gradient)
      const gap = simplexGap(this.#gradient, mu)
      const isOptimal = gap <= GAP_TOLERANCE
      if (isOptimal || steps === NEWTON_STEP_LIMIT) {
        const status = isOptimal ? 'optimal' : 'step-limit'
        return {mu, certificate: {objective: this.#objective.value(mu), gap, steps, status}}
      }
      this.#writeMatrix(curvature)
      this.#step()
    }
  }

  /** Sets mu to R^-1 a, raising cells to a small positive table unless R^-1 a is the solution, and z so that mu z >= w. */
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

  /** Takes a primal-dual Newton step: u without the constraint on the mass, minus nu v with v = H^-1 mu, which keeps the mass. */
  #step(): void {
    const {mu} = this
    const [z, gradient, u, v, H] = [this.#z, this.#gradient, this.#u, this.#v, this.#H]
    const {shrinkageWeights: w} = this.#problem
    const size = mu.length
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
      v[s] = (w[s] + extra) / mu[s] - z[s] * u[s] - z[s] // from here on, v is the step of z
      if (u[s] < 0) primal = Math.min(primal, -REACH / u[s])
      if (v[s] < 0) dual = Math.min(dual, (-REACH * z[s]) / v[s])
    }
    for (let s = 0; s < size; s++) {
      mu[s] *= 1 + primal * u[s]
      z[s] += dual * v[s]
    }
  }

  /** Writes the lower triangle of H = M R' D'' R M + diag(mu z); `curvature` is D'' of each cell of R mu. */
  #writeMatrix(curvature: Float64Array): void {
    const {mu} = this
    const [R, H, z, weighted] = [this.#R, this.#H, this.#z, this.#u]
    const size = mu.length
    for (let s = 0; s < size; s++) {
      const row = s * size
      for (let c = 0; c < size; c++) weighted[c] = curvature[c] * R[row + c] * mu[s]
      for (let q = 0, at = 0; q <= s; q++) {
        let sum = 0
        for (let c = 0; c < size; c++, at++) sum += weighted[c] * R[at]
        H[row + q] = sum * mu[q]
      }
      H[row + s] += mu[s] * z[s]
    }
  }
}

/**
 * Minimises the objective of {@link TableSolver} by the paper's method for the simplex, exponentiated gradient (supplement,
 * Detailed methods): mu <- mu exp(-eta g) / Z. The step size eta is halved until the objective falls, and doubled after
 * each step. It takes thousands of steps where Newton's method takes about 8.
 */
export function exponentiatedGradient(
  problem: TableProblem,
  tolerance: number,
  stepLimit = EXPONENTIATED_STEP_LIMIT
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
    // Subtracting the least slope from all cancels in the division by the mass, and keeps exp from overflowing.
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

/** Returns the conditional-gradient gap on the simplex, <g, mu> - min g. */
function simplexGap(g: Float64Array, mu: Float64Array): number {
  let least = Number.POSITIVE_INFINITY
  for (let s = 0; s < g.length; s++) least = Math.min(least, g[s])
  return dot(g, mu) - least
}
