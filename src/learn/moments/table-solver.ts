import {choleskyFactor, choleskySolve, log} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'
import type {TableCertificate} from './moments.ts'

/** D of Eq. 2: Kullback-Leibler, or the squared Euclidean distance. */
export type Divergence = 'kl' | 'l2'

/** Minimises D(a, R mu) - sum of w log mu over the tables mu of a given mass, for rates given to its constructor. */
export interface SimplexSolver {
  readonly size: number
  /** The solution of the last call: 2^K cells, first variable most significant. */
  readonly mu: Float64Array
  /** `a` is the observed table, `w` = lambda * mu_indep (zeros without shrinkage), `mass` the sum of the solution. */
  solve(a: ArrayLike<number>, w: ArrayLike<number>, mass: number): TableCertificate
}

export const STEP_LIMIT = 100
/** Stop when the gap is this small a share of the mass: far below any sampling error, well above rounding. */
export const GAP_TOLERANCE = 1e-10

/**
 * Minimises D(a, R mu) - sum of w log mu over tables mu >= 0 of given mass: Eq. 2 with shrinkage towards independence, where
 * w = lambda * mu_indep, for one set Z of variables.
 *
 * Method: primal-dual interior point. With slack duals z (mu z = w at the optimum) the Newton system in the scaled step
 * u = d mu / mu is (M R' D'' R M + diag(mu z)) u = w - M (D' + nu), M = diag(mu), nu the multiplier of the mass. Where mu z
 * exceeds w, the step aims at w plus a small share of the excess, so that lambda = 0 works too.
 * R is applied as one 2x2 butterfly per variable; R' D'' R has 3^K different entries (`productEntries`).
 * Layout: 2^K cells, first variable most significant. Cost: about 8 steps of 8^K / 6 + 4^K flops for the Cholesky factor and its
 * solves, little else; solving allocates nothing.
 * Differs from the paper, which takes exponentiated-gradient steps to the same optimum (`exponentiatedGradient`).
 */
export class TableSolver implements SimplexSolver {
  readonly size: number
  readonly mu: Float64Array
  readonly #divergence: Divergence
  readonly #forward: Float64Array
  readonly #backward: Float64Array
  readonly #inverse: Float64Array
  readonly #products: Float64Array
  readonly #ternary: Int32Array
  readonly #space: ReturnType<typeof workSpace>

  constructor(rates: readonly Rates[], divergence: Divergence = 'kl') {
    const size = 2 ** rates.length
    this.size = size
    this.#divergence = divergence
    this.#forward = observingFactors(rates)
    this.#backward = observingFactors(rates, true)
    this.#inverse = new Float64Array(4 * rates.length)
    this.#products = new Float64Array(6 * rates.length)
    this.#ternary = new Int32Array(size)
    rates.forEach(({truePositive: t, falsePositive: e}, k) => {
      setFactor(this.#inverse, k, t / (t - e), (t - 1) / (t - e), -e / (t - e), (1 - e) / (t - e))
      setProducts(this.#products, k, this.#forward)
    })
    for (let s = 1; s < size; s++) this.#ternary[s] = 3 * this.#ternary[s >> 1] + (s & 1)
    this.mu = new Float64Array(size)
    this.#space = workSpace(size, 3 ** rates.length)
  }

  solve(a: ArrayLike<number>, w: ArrayLike<number>, mass: number): TableCertificate {
    this.#start(a, w, mass)
    for (let steps = 0; ; steps++) {
      const gap = this.#gap(a, w, mass)
      if (gap <= GAP_TOLERANCE * mass || steps === STEP_LIMIT)
        return {
          objective: simplexObjective(a, w, mass, this.mu, this.#space.r, this.#divergence),
          gap,
          steps,
          status: gap <= GAP_TOLERANCE * mass ? 'optimal' : 'step-limit'
        }
      this.#step(w)
    }
  }

  /** Starts near R^-1 a, which is the solution wherever it is positive and there is no shrinkage. */
  #start(a: ArrayLike<number>, w: ArrayLike<number>, mass: number): void {
    const {size, mu} = this
    let sum = 0
    let least = Number.POSITIVE_INFINITY
    let shrinkage = 0
    for (let c = 0; c < size; c++) mu[c] = a[c]
    applyFactors(this.#inverse, mu)
    for (let s = 0; s < size; s++) {
      if (mu[s] < least) least = mu[s]
      shrinkage += w[s]
    }
    if (least <= 0 || shrinkage > 0)
      for (let s = 0; s < size; s++)
        mu[s] = Math.max(mu[s], (0.02 * mass) / size + (shrinkage > 0 ? (0.1 * mass * w[s]) / shrinkage : 0))
    for (let s = 0; s < size; s++) sum += mu[s]
    for (let s = 0; s < size; s++) {
      mu[s] *= mass / sum
      this.#space.z[s] = Math.max(w[s], 1e-3 * mass) / mu[s]
    }
  }

  /** Slope and curvature of D at R mu, and the gap: <g, mu> - mass * min g, with g the gradient of the whole objective. */
  #gap(a: ArrayLike<number>, w: ArrayLike<number>, mass: number): number {
    const {size, mu} = this
    const {r, slope, curvature} = this.#space
    for (let c = 0; c < size; c++) r[c] = mu[c]
    applyFactors(this.#forward, r)
    for (let c = 0; c < size; c++) {
      if (this.#divergence === 'kl') {
        curvature[c] = a[c] === 0 ? 0 : a[c] / (r[c] * r[c])
        slope[c] = -curvature[c] * r[c]
      } else {
        curvature[c] = 2
        slope[c] = 2 * (r[c] - a[c])
      }
    }
    applyFactors(this.#backward, slope)
    let product = 0
    let least = Number.POSITIVE_INFINITY
    for (let s = 0; s < size; s++) {
      const g = slope[s] - w[s] / mu[s]
      product += g * mu[s]
      if (g < least) least = g
    }
    return product - mass * least
  }

  /** One primal-dual Newton step. */
  #step(w: ArrayLike<number>): void {
    const {size, mu} = this
    const ternary = this.#ternary
    const {H, u, v, z, target, slope, curvature, work, other} = this.#space
    const products = productEntries(this.#products, curvature, work, other)
    let excess = 0
    for (let s = 0; s < size; s++) excess += Math.max(0, mu[s] * z[s] - w[s])
    for (let s = 0; s < size; s++) {
      target[s] = w[s] + (0.05 * excess) / size
      for (let q = 0; q <= s; q++) H[s * size + q] = products[ternary[s] + ternary[q]] * mu[s] * mu[q]
      H[s * size + s] += mu[s] * z[s]
      u[s] = target[s] - mu[s] * slope[s]
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

/** Arrays that every solution reuses; `entries` is the number of {@link productEntries}. */
function workSpace(size: number, entries: number) {
  const [r, z, slope, curvature, u, v, target] = Array.from({length: 7}, () => new Float64Array(size))
  const [work, other] = [new Float64Array(entries), new Float64Array(entries)]
  return {r, z, slope, curvature, u, v, target, work, other, H: new Float64Array(size * size)}
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
  let shrinkage = 0
  for (let s = 0; s < mu.length; s++) shrinkage += w[s] / mass
  let sum = 0
  for (let s = 0; s < mu.length; s++) {
    if (divergence === 'l2') sum += (a[s] - r[s]) * (a[s] - r[s])
    else if (a[s] > 0) sum += a[s] * log(a[s] / r[s])
    if (w[s] > 0) sum += w[s] * log(w[s] / (shrinkage * mu[s]))
  }
  return sum
}

/** R of these rates as factors of {@link applyFactors}, or its transpose. */
export function observingFactors(rates: readonly Rates[], transposed = false): Float64Array {
  const factors = new Float64Array(4 * rates.length)
  rates.forEach(({truePositive: t, falsePositive: e}, k) => {
    if (transposed) setFactor(factors, k, 1 - e, e, 1 - t, t)
    else setFactor(factors, k, 1 - e, 1 - t, e, t)
  })
  return factors
}

/** Writes the k-th factor, row by row. */
export function setFactor(factors: Float64Array, k: number, x00: number, x01: number, x10: number, x11: number): void {
  factors[4 * k] = x00
  factors[4 * k + 1] = x01
  factors[4 * k + 2] = x10
  factors[4 * k + 3] = x11
}

/** The products of entries of the k-th factor that `productEntries` needs. */
export function setProducts(products: Float64Array, k: number, factors: Float64Array): void {
  for (let c = 0; c < 2; c++) {
    const zero = factors[4 * k + 2 * c]
    const one = factors[4 * k + 2 * c + 1]
    products[6 * k + c] = zero * zero
    products[6 * k + 2 + c] = zero * one
    products[6 * k + 4 + c] = one * one
  }
}

/** Applies the Kronecker product of 2x2 matrices (row-major, one after another, the first most significant) to x, in place. */
export function applyFactors(factors: Float64Array, x: Float64Array): void {
  for (let half = x.length / 2, k = 0; half >= 1; half /= 2, k += 4) {
    const x00 = factors[k]
    const x01 = factors[k + 1]
    const x10 = factors[k + 2]
    const x11 = factors[k + 3]
    for (let block = 0; block < x.length; block += 2 * half)
      for (let c = block; c < block + half; c++) {
        const zero = x[c]
        const one = x[c + half]
        x[c] = x00 * zero + x01 * one
        x[c + half] = x10 * zero + x11 * one
      }
  }
}

/**
 * The different entries of R' diag(x) R. Entry s, q is a sum over c of x_c times a product of R[c_k, s_k] R[c_k, q_k], which
 * depends on s_k + q_k alone: so there are 3^K of them, the one of s, q at the number whose ternary digits are s_k + q_k.
 * `products` holds the six R[c, s] R[c, q] of each variable, by s + q, then c; the result is one of the two work arrays.
 */
export function productEntries(
  products: Float64Array,
  x: Float64Array,
  work: Float64Array,
  other: Float64Array
): Float64Array {
  let from = x
  let to = work
  for (let left = 1, right = x.length / 2, k = 0; right >= 1; left *= 3, right /= 2, k += 6) {
    for (let block = 0; block < left; block++)
      for (let c = 0; c < right; c++) {
        const zero = from[2 * block * right + c]
        const one = from[(2 * block + 1) * right + c]
        for (let digit = 0; digit < 3; digit++)
          to[(3 * block + digit) * right + c] = products[k + 2 * digit] * zero + products[k + 2 * digit + 1] * one
      }
    from = to
    to = to === work ? other : work
  }
  return from
}
