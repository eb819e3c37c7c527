import {clamp, log} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'
import type {TableCertificate} from './certificate.ts'

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

const STEP_LIMIT = 100
/** Stop when the gap is this small a share of the mass: far below any sampling error, well above rounding. */
const GAP_TOLERANCE = 1e-10
/** The share of the way to the boundary that a step may go. */
const REACH = 0.999
/** A step aims at this share of the mean excess of mu z over w: nearly at the optimum, since few cells are in the way. */
const CENTRING = 0.003
/** The products mu z at the start, as a share of the mass: the smallest of three that were tried takes the fewest steps. */
const FIRST_PRODUCT = 1e-5

/**
 * Minimises D(a, R mu) - sum of w log mu over tables mu >= 0 of given mass: Eq. 2 with shrinkage towards independence, where
 * w = lambda * mu_indep, for one set Z of variables.
 *
 * Method: primal-dual interior point. With slack duals z (mu z = w at the optimum) the Newton system in the scaled step
 * u = d mu / mu is (M R' D'' R M + diag(mu z)) u = w - M (D' + nu), M = diag(mu), nu the multiplier of the mass. Where mu z
 * exceeds w, the step aims at w plus a small share of the excess, so that lambda = 0 works too.
 * Layout: 2^K cells, first variable most significant. Cost: about 8 steps of 8^K flops; solving allocates nothing.
 * Differs from the paper, which takes exponentiated-gradient steps to the same optimum (`exponentiatedGradient`).
 */
export class TableSolver implements SimplexSolver {
  readonly size: number
  readonly mu: Float64Array
  readonly #divergence: Divergence
  /** R by columns: a run of `size` numbers for each cell of mu. */
  readonly #R: Float64Array
  readonly #inverse: Float64Array
  readonly #space: ReturnType<typeof workSpace>

  constructor(rates: readonly Rates[], divergence: Divergence = 'kl') {
    const size = 2 ** rates.length
    this.size = size
    this.mu = new Float64Array(size)
    this.#divergence = divergence
    this.#R = new Float64Array(size * size)
    const factors = observingFactors(rates)
    for (let s = 0; s < size; s++) {
      const column = this.#R.subarray(s * size, s * size + size)
      column[s] = 1
      applyFactors(factors, column)
    }
    this.#inverse = new Float64Array(4 * rates.length)
    rates.forEach(({truePositive: t, falsePositive: e}, k) => {
      setFactor(this.#inverse, k, t / (t - e), (t - 1) / (t - e), -e / (t - e), (1 - e) / (t - e))
    })
    this.#space = workSpace(size)
  }

  solve(a: ArrayLike<number>, w: ArrayLike<number>, mass: number): TableCertificate {
    this.#start(a, w, mass)
    for (let steps = 0; ; steps++) {
      const gap = this.#linearize(a, w, mass)
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
    const {z} = this.#space
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
      z[s] = Math.max(w[s], FIRST_PRODUCT * mass) / mu[s]
    }
  }

  /**
   * Writes r = R mu, the curvature D'' of each of its cells and the slope R' D'.
   * Returns the gap: <g, mu> - mass * min g, with g the gradient of the whole objective.
   */
  #linearize(a: ArrayLike<number>, w: ArrayLike<number>, mass: number): number {
    const {size, mu} = this
    const {r, first, curvature, slope} = this.#space
    const R = this.#R
    const isKl = this.#divergence === 'kl'
    for (let c = 0; c < size; c++) {
      let seen = 0
      for (let s = 0, at = c; s < size; s++, at += size) seen += R[at] * mu[s]
      r[c] = seen
      // A cell never observed has no slope in KL, even where r is 0.
      first[c] = isKl ? (a[c] === 0 ? 0 : -a[c] / seen) : 2 * (seen - a[c])
      curvature[c] = isKl ? (a[c] === 0 ? 0 : -first[c] / seen) : 2
    }
    let product = 0
    let least = Number.POSITIVE_INFINITY
    for (let s = 0, at = 0; s < size; s++) {
      let sum = 0
      for (let c = 0; c < size; c++, at++) sum += first[c] * R[at]
      slope[s] = sum
      const g = sum - w[s] / mu[s]
      product += g * mu[s]
      if (g < least) least = g
    }
    return product - mass * least
  }

  /** Takes one primal-dual Newton step: u without the mass constraint, corrected by nu v, v = H^-1 mu, to keep the mass. */
  #step(w: ArrayLike<number>): void {
    const {size, mu} = this
    const {z, slope, u, v} = this.#space
    let excess = 0
    for (let s = 0; s < size; s++) excess += Math.max(0, mu[s] * z[s] - w[s])
    const extra = (CENTRING * excess) / size
    for (let s = 0; s < size; s++) {
      u[s] = w[s] + extra - mu[s] * slope[s]
      v[s] = mu[s]
    }
    this.#factor()
    this.#solve(u)
    this.#solve(v)
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
      v[s] = (w[s] + extra) / mu[s] - z[s] * u[s] - z[s]
      if (u[s] < 0) primal = Math.min(primal, -REACH / u[s])
      if (v[s] < 0) dual = Math.min(dual, (-REACH * z[s]) / v[s])
    }
    for (let s = 0; s < size; s++) {
      mu[s] *= 1 + primal * u[s]
      z[s] += dual * v[s]
    }
  }

  /** Writes H = M R' D'' R M + diag(mu z) and factors it as L D L', L below the diagonal and D on it. */
  #factor(): void {
    const {size, mu} = this
    const {z, first: weighted, curvature, H} = this.#space
    const R = this.#R
    for (let s = 0; s < size; s++) {
      const own = s * size
      for (let c = 0; c < size; c++) weighted[c] = curvature[c] * R[own + c] * mu[s]
      for (let q = 0, at = 0; q <= s; q++) {
        let sum = 0
        for (let c = 0; c < size; c++, at++) sum += weighted[c] * R[at]
        H[own + q] = sum * mu[q]
      }
      H[own + s] += mu[s] * z[s]
      for (let q = 0; q < s; q++) {
        let sum = H[own + q]
        for (let at = 0; at < q; at++) sum -= H[own + at] * H[q * size + at]
        H[own + q] = sum
      }
      for (let q = 0; q < s; q++) {
        const entry = H[own + q] / H[q * size + q]
        H[own + s] -= entry * H[own + q]
        H[own + q] = entry
      }
    }
  }

  /** Replaces b by H^-1 b. */
  #solve(b: Float64Array): void {
    const {size} = this
    const {H} = this.#space
    for (let s = 1; s < size; s++) {
      let sum = b[s]
      for (let q = 0; q < s; q++) sum -= H[s * size + q] * b[q]
      b[s] = sum
    }
    for (let s = size - 1; s >= 0; s--) {
      let sum = b[s] / H[s * size + s]
      for (let q = s + 1; q < size; q++) sum -= H[q * size + s] * b[q]
      b[s] = sum
    }
  }
}

/** Arrays that every solution reuses. */
function workSpace(size: number) {
  const [r, z, first, slope, curvature, u, v] = Array.from({length: 7}, () => new Float64Array(size))
  return {r, z, first, slope, curvature, u, v, H: new Float64Array(size * size)}
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

/**
 * Solves the table of one variable for KL. Its one unknown is the share y of the mass with the variable on. The slope in y of
 * -a1 log(e + d y) - a0 log(1 - e - d y) - w1 log y - w0 log(1 - y), d = t - e, rises from minus to plus infinity; Newton
 * finds its zero, halving the bracket whenever a step would leave it. Without shrinkage the solution is (a1/(a0+a1) - e)/d, clipped.
 */
export class TwoCellSolver implements SimplexSolver {
  readonly size = 2
  readonly mu = new Float64Array(2)
  readonly #r = new Float64Array(2)
  readonly #rates: Rates

  constructor(rates: Rates) {
    this.#rates = rates
  }

  solve(a: ArrayLike<number>, w: ArrayLike<number>, mass: number): TableCertificate {
    const {truePositive: t, falsePositive: e} = this.#rates
    const [a0, a1] = [a[0], a[1]]
    const [w0, w1] = [w[0], w[1]]
    const d = t - e
    const free = clamp((a1 / (a0 + a1) - e) / d, 0, 1)
    const shrinkage = w0 + w1
    let y = shrinkage > 0 ? (free * (a0 + a1) + w1) / (a0 + a1 + shrinkage) : free
    let low = 0
    let high = 1
    for (let steps = 0; ; steps++) {
      const r1 = e + d * y
      const r0 = 1 - r1
      const q1 = a1 === 0 ? 0 : a1 / r1
      const q0 = a0 === 0 ? 0 : a0 / r0
      const on = w1 === 0 ? 0 : w1 / y
      const off = w0 === 0 ? 0 : w0 / (1 - y)
      const g1 = t * q1 + (1 - t) * q0 + on
      const g0 = e * q1 + (1 - e) * q0 + off
      const gap = Math.max(g0, g1) - y * g1 - (1 - y) * g0
      if (gap <= GAP_TOLERANCE * mass || steps === STEP_LIMIT) {
        this.mu[0] = (1 - y) * mass
        this.mu[1] = y * mass
        this.#r[0] = r0 * mass
        this.#r[1] = r1 * mass
        const objective = simplexObjective(a, w, mass, this.mu, this.#r, 'kl')
        return {objective, gap, steps, status: gap <= GAP_TOLERANCE * mass ? 'optimal' : 'step-limit'}
      }
      const slope = g0 - g1
      if (slope > 0) high = y
      else low = y
      const curvature = d * d * (q1 / r1 + q0 / r0) + on / y + off / (1 - y)
      const next = y - slope / curvature
      y = next > low && next < high ? next : (low + high) / 2
    }
  }
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
