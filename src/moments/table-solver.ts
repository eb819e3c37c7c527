import {choleskyFactor, choleskySolve, log} from '../numeric/index.ts'

/** What one variable does to its observation; an observed variable has `truePositive` 1 and `falsePositive` 0. */
export interface VariableChannel {
  readonly truePositive: number
  readonly falsePositive: number
}

/** D of Eq. 2: Kullback-Leibler, or the squared Euclidean distance. */
export type Divergence = 'kl' | 'l2'

export type SolveStatus = 'optimal' | 'step-limit'

/** How good one recovered table is. */
export interface TableCertificate {
  /** D(a, R mu) plus the pull's term, in nats for KL. */
  readonly objective: number
  /** No table of the same mass is better by more than this (the conditional-gradient gap on the simplex). */
  readonly gap: number
  readonly steps: number
  readonly status: SolveStatus
}

/** Minimises D(a, R mu) - sum of w log mu over the tables mu of a given mass, for channels fixed when it was made. */
export interface SimplexSolver {
  readonly size: number
  /** The solution of the last call: 2^K cells, first variable most significant. */
  readonly mu: Float64Array
  /** `a` is the observed table, `w` = lambda * mu_indep (zeros for no pull), `mass` the sum of the solution. */
  solve(a: ArrayLike<number>, w: ArrayLike<number>, mass: number): TableCertificate
}

export const STEP_LIMIT = 100
/** Stop when the gap is this small a share of the mass: far below any sampling error, well above rounding. */
export const GAP_TOLERANCE = 1e-10

/**
 * Minimise D(a, R mu) - sum of w log mu over tables mu >= 0 of given mass: Eq. 2 with the pull to independence, where
 * w = lambda * mu_indep, for one set Z of variables.
 *
 * Method: primal-dual interior point. With slack duals z (mu z = w at the optimum) the Newton system in the scaled step
 * u = d mu / mu is (M R' D'' R M + diag(mu z)) u = w - M (D' + nu), M = diag(mu), nu the multiplier of the mass. Where mu z
 * exceeds w, the step aims at w plus a small share of the excess, so that lambda = 0 works too.
 * Layout: 2^K cells, first variable most significant. Cost: about 8 steps of 8^K flops; nothing is allocated while solving.
 * Differs from the paper, which takes exponentiated-gradient steps to the same optimum (`exponentiatedGradient`).
 */
export class TableSolver implements SimplexSolver {
  readonly size: number
  readonly mu: Float64Array
  readonly #divergence: Divergence
  readonly #R: Float64Array
  readonly #inverse: Float64Array
  readonly #r: Float64Array
  readonly #z: Float64Array
  readonly #slope: Float64Array
  readonly #curvature: Float64Array
  readonly #H: Float64Array
  readonly #u: Float64Array
  readonly #v: Float64Array
  readonly #target: Float64Array

  constructor(channels: readonly VariableChannel[], divergence: Divergence = 'kl') {
    const size = 2 ** channels.length
    this.size = size
    this.#divergence = divergence
    this.#R = kronecker(channels.map(({truePositive: t, falsePositive: e}) => [1 - e, 1 - t, e, t]))
    this.#inverse = kronecker(
      channels.map(({truePositive: t, falsePositive: e}) => [
        t / (t - e),
        (t - 1) / (t - e),
        -e / (t - e),
        (1 - e) / (t - e)
      ])
    )
    const cells = () => new Float64Array(size)
    this.mu = cells()
    this.#r = cells()
    this.#z = cells()
    this.#slope = cells()
    this.#curvature = cells()
    this.#u = cells()
    this.#v = cells()
    this.#target = cells()
    this.#H = new Float64Array(size * size)
  }

  solve(a: ArrayLike<number>, w: ArrayLike<number>, mass: number): TableCertificate {
    this.#start(a, w, mass)
    for (let steps = 0; ; steps++) {
      const gap = this.#gap(a, w, mass)
      if (gap <= GAP_TOLERANCE * mass || steps === STEP_LIMIT)
        return {
          objective: simplexObjective(a, w, mass, this.mu, this.#r, this.#divergence),
          gap,
          steps,
          status: gap <= GAP_TOLERANCE * mass ? 'optimal' : 'step-limit'
        }
      this.#step(w)
    }
  }

  /** Begin near R^-1 a, which is the answer wherever it is positive and there is no pull. */
  #start(a: ArrayLike<number>, w: ArrayLike<number>, mass: number): void {
    const {size, mu} = this
    const inverse = this.#inverse
    let sum = 0
    let least = Number.POSITIVE_INFINITY
    let pull = 0
    for (let s = 0; s < size; s++) {
      let value = 0
      for (let c = 0; c < size; c++) value += inverse[s * size + c] * a[c]
      if (value < least) least = value
      mu[s] = value
      pull += w[s]
    }
    if (least <= 0 || pull > 0)
      for (let s = 0; s < size; s++)
        mu[s] = Math.max(mu[s], (0.02 * mass) / size + (pull > 0 ? (0.1 * mass * w[s]) / pull : 0))
    for (let s = 0; s < size; s++) sum += mu[s]
    for (let s = 0; s < size; s++) {
      mu[s] *= mass / sum
      this.#z[s] = Math.max(w[s], 1e-3 * mass) / mu[s]
    }
  }

  /** The slope and curvature of D at R mu, and the gap: <g, mu> - mass * min g, with g the gradient of the whole objective. */
  #gap(a: ArrayLike<number>, w: ArrayLike<number>, mass: number): number {
    const {size, mu} = this
    const R = this.#R
    const r = this.#r
    const curvature = this.#curvature
    for (let c = 0; c < size; c++) {
      let sum = 0
      for (let s = 0; s < size; s++) sum += R[c * size + s] * mu[s]
      r[c] = sum
    }
    let product = 0
    let least = Number.POSITIVE_INFINITY
    if (this.#divergence === 'kl') for (let c = 0; c < size; c++) curvature[c] = a[c] === 0 ? 0 : a[c] / (r[c] * r[c])
    else curvature.fill(2)
    for (let s = 0; s < size; s++) {
      let slope = 0
      if (this.#divergence === 'kl') for (let c = 0; c < size; c++) slope -= R[c * size + s] * curvature[c] * r[c]
      else for (let c = 0; c < size; c++) slope += R[c * size + s] * 2 * (r[c] - a[c])
      this.#slope[s] = slope
      const g = slope - w[s] / mu[s]
      product += g * mu[s]
      if (g < least) least = g
    }
    return product - mass * least
  }

  /** One primal-dual Newton step. */
  #step(w: ArrayLike<number>): void {
    const {size, mu} = this
    const R = this.#R
    const H = this.#H
    const u = this.#u
    const v = this.#v
    const z = this.#z
    const target = this.#target
    let excess = 0
    for (let s = 0; s < size; s++) excess += Math.max(0, mu[s] * z[s] - w[s])
    for (let s = 0; s < size; s++) {
      target[s] = w[s] + (0.05 * excess) / size
      for (let q = 0; q <= s; q++) {
        let sum = 0
        for (let c = 0; c < size; c++) sum += R[c * size + s] * R[c * size + q] * this.#curvature[c]
        H[s * size + q] = sum * mu[s] * mu[q]
      }
      H[s * size + s] += mu[s] * z[s]
      u[s] = target[s] - mu[s] * this.#slope[s]
      v[s] = mu[s]
    }
    if (!choleskyFactor(H, size)) throw new Error('internal error: Newton matrix is not positive definite')
    choleskySolve(H, size, u)
    choleskySolve(H, size, v)
    let muU = 0
    let muV = 0
    for (let s = 0; s < size; s++) {
      muU += mu[s] * u[s]
      muV += mu[s] * v[s]
    }
    const nu = muU / muV
    let primal = 1
    let dual = 1
    for (let s = 0; s < size; s++) {
      u[s] -= nu * v[s]
      v[s] = target[s] / mu[s] - z[s] * u[s] - z[s]
      if (u[s] < 0) primal = Math.min(primal, -0.99 / u[s])
      if (v[s] < 0) dual = Math.min(dual, (-0.99 * z[s]) / v[s])
    }
    for (let s = 0; s < size; s++) {
      mu[s] *= 1 + primal * u[s]
      z[s] += dual * v[s]
    }
  }
}

/** D(a, r) + lambda KL(mu_indep, mu) where r = R mu; mu_indep has mu's mass, so lambda = sum of w / mass and mu_indep = w / lambda. */
export function simplexObjective(
  a: ArrayLike<number>,
  w: ArrayLike<number>,
  mass: number,
  mu: Float64Array,
  r: Float64Array,
  divergence: Divergence
): number {
  let pull = 0
  for (let s = 0; s < mu.length; s++) pull += w[s] / mass
  let sum = 0
  for (let s = 0; s < mu.length; s++) {
    if (divergence === 'l2') sum += (a[s] - r[s]) * (a[s] - r[s])
    else if (a[s] > 0) sum += a[s] * log(a[s] / r[s])
    if (w[s] > 0) sum += w[s] * log(w[s] / (pull * mu[s]))
  }
  return sum
}

/** The Kronecker product of 2x2 matrices (row-major), the first most significant. */
function kronecker(factors: readonly (readonly number[])[]): Float64Array {
  const size = 2 ** factors.length
  return Float64Array.from({length: size * size}, (_, at) => {
    const row = Math.floor(at / size)
    const column = at % size
    return factors.reduce((product, factor, k) => {
      const bit = factors.length - 1 - k
      return product * factor[2 * ((row >> bit) & 1) + ((column >> bit) & 1)]
    }, 1)
  })
}
