import {choleskyFactor, choleskySolve, clamp, dot, exp, log, sigmoid} from '../../base/numeric/index.ts'
import {FAILURE_FLOOR} from './loadings.ts'

/** Weighted sums over P(Y), such as those of a junction tree. */
export interface NetworkSums {
  readonly conceptCount: number
  /** log of the sum over y of P(y) prod_i weights[2*i + y_i]; marginals[i] becomes the share of it that has y_i = 1. */
  propagate(weights: Float64Array, marginals: Float64Array): number
}

/** In log f: far below any sampling error, well above rounding. */
const TOLERANCE = 1e-10
const LOWEST = log(FAILURE_FLOOR)
const STEP_LIMIT = 100
const HALVINGS = 30
/** The rounding error of the objective: sums can have 1e5 terms. */
const ROUNDING = 1e-12

/**
 * The exponential family P(y) exp(theta.y) / Z(theta) over a network, and its member with theta in [log 1e-3, 0]^m whose means s
 * come nearest to the wanted ones, sigma: the minimum of log Z(theta) - sigma.theta, which is convex and has the slope s - sigma.
 *
 * Method: projected Newton (Bertsekas 1982). The Hessian, the covariance of y, combines the standard deviations at theta, which
 * every propagation gives, with correlations: initially those of P(Y), computed once, then updated by BFGS from the steps.
 * A theta that would pass its bound keeps only its diagonal entry, so that every direction is a descent direction; a step is halved
 * until the objective falls. Cost: 5 to 15 propagations and m x m Cholesky factors per solution, after m propagations once.
 */
export class TiltedNetwork {
  /** Set to the start before solving. */
  readonly theta: Float64Array
  /** Log-odds of sigma, set before solving; NaN for a concept whose theta stays as it is. */
  readonly wanted: Float64Array
  /** Log-odds of the means of P(Y); NaN for a concept that is never or always on. */
  readonly prior: Float64Array
  readonly #sums: NetworkSums
  readonly #priorCorrelation: Float64Array
  readonly #correlation: Float64Array
  readonly #weights: Float64Array
  readonly #means: Float64Array
  readonly #lastMeans: Float64Array
  readonly #next: Float64Array
  readonly #H: Float64Array
  readonly #slope: Float64Array
  readonly #direction: Float64Array
  readonly #moved: Float64Array
  readonly #changed: Float64Array
  readonly #mapped: Float64Array
  readonly #isHeld: Uint8Array

  constructor(sums: NetworkSums) {
    const m = sums.conceptCount
    const concepts = () => new Float64Array(m)
    this.#sums = sums
    this.theta = concepts()
    this.wanted = concepts()
    this.#next = concepts()
    this.#slope = concepts()
    this.#direction = concepts()
    this.#moved = concepts()
    this.#changed = concepts()
    this.#mapped = concepts()
    this.#isHeld = new Uint8Array(m)
    this.#H = new Float64Array(m * m)
    this.#weights = new Float64Array(2 * m).fill(1)
    this.#means = concepts()
    this.#lastMeans = concepts()
    sums.propagate(this.#weights, this.#means)
    this.prior = this.#means.map(p => (p > 0 && p < 1 ? log(p / (1 - p)) : Number.NaN))
    this.#priorCorrelation = this.#correlations(this.#means.slice())
    this.#correlation = new Float64Array(m * m)
  }

  #correlations(p: Float64Array): Float64Array {
    const m = p.length
    const correlation = new Float64Array(m * m)
    const deviation = p.map(share => Math.sqrt(share * (1 - share)))
    for (let i = 0; i < m; i++) {
      if (Number.isNaN(this.prior[i])) continue
      this.#weights[2 * i] = 0
      this.#sums.propagate(this.#weights, this.#means)
      this.#weights[2 * i] = 1
      for (let k = 0; k < m; k++)
        if (!Number.isNaN(this.prior[k]))
          correlation[i * m + k] = ((this.#means[k] - p[k]) * p[i]) / (deviation[i] * deviation[k])
    }
    return correlation
  }

  /** Moves theta to the solution. `residual` is the largest remaining change of a single theta. */
  solve(): {readonly steps: number; readonly residual: number; readonly isDone: boolean} {
    this.#correlation.set(this.#priorCorrelation)
    let objective = this.#objectiveAt(this.theta)
    for (let steps = 0; ; steps++) {
      const residual = this.#residual()
      if (residual <= TOLERANCE) return {steps, residual, isDone: true}
      this.#findDirection(Math.min(1e-3, residual))
      const lower = steps < STEP_LIMIT ? this.#goDown(objective) : undefined
      if (lower === undefined) return {steps, residual, isDone: false}
      objective = lower
    }
  }

  /** The change of theta_i alone that gives y_i its wanted mean; NaN for one that stays. */
  ownStep(i: number): number {
    return this.wanted[i] - log(this.#means[i] / (1 - this.#means[i]))
  }

  /** log Z - sigma.theta at x; keeps the means there. */
  #objectiveAt(x: Float64Array): number {
    let linear = 0
    for (let i = 0; i < x.length; i++) {
      this.#weights[2 * i + 1] = exp(x[i])
      if (!Number.isNaN(this.wanted[i])) linear += sigmoid(this.wanted[i]) * x[i]
    }
    return this.#sums.propagate(this.#weights, this.#means) - linear
  }

  #residual(): number {
    const {theta} = this
    let largest = 0
    for (let i = 0; i < theta.length; i++) {
      const step = clamp(theta[i] + this.ownStep(i), LOWEST, 0) - theta[i]
      if (Math.abs(step) > largest) largest = Math.abs(step)
    }
    return largest
  }

  /** -H^-1 (s - sigma); a theta within `near` of a bound that it would pass moves on its own. */
  #findDirection(near: number): void {
    const {theta, wanted} = this
    const m = theta.length
    const means = this.#means
    const H = this.#H
    for (let i = 0; i < m; i++) {
      const stays = Number.isNaN(wanted[i])
      const slope = stays ? 0 : means[i] - sigmoid(wanted[i])
      const isHeld = stays || (theta[i] > -near && slope < 0) || (theta[i] < LOWEST + near && slope > 0)
      this.#isHeld[i] = isHeld ? 1 : 0
      this.#slope[i] = slope
      this.#direction[i] = -slope
      const variance = means[i] * (1 - means[i])
      for (let k = 0; k < i; k++) {
        const covariance = this.#correlation[i * m + k] * Math.sqrt(variance * means[k] * (1 - means[k]))
        H[i * m + k] = isHeld || this.#isHeld[k] ? 0 : covariance
      }
      // Concepts that always occur together would leave H singular.
      H[i * m + i] = stays ? 1 : variance * this.#correlation[i * m + i] * (1 + 1e-6)
    }
    // Where rounding spoils H, the negative slope is a descent direction, too.
    if (choleskyFactor(H, m)) choleskySolve(H, m, this.#direction)
  }

  /** Takes the longest step, of 1, 1/2, 1/4, ..., that lowers the objective by a share of what the slope predicts. */
  #goDown(objective: number): number | undefined {
    const {theta, wanted} = this
    const next = this.#next
    const slope = this.#slope
    this.#lastMeans.set(this.#means)
    for (let halving = 0, length = 1; halving < HALVINGS; halving++, length /= 2) {
      let promised = 0
      for (let i = 0; i < theta.length; i++) {
        next[i] = Number.isNaN(wanted[i]) ? theta[i] : clamp(theta[i] + length * this.#direction[i], LOWEST, 0)
        promised += slope[i] * (next[i] - theta[i])
      }
      const found = this.#objectiveAt(next)
      if (found <= objective + 1e-4 * promised + ROUNDING) {
        this.#learn()
        theta.set(next)
        return found
      }
    }
    return undefined
  }

  /** BFGS, scaled by the standard deviations d: updates the correlations C so that d C d (next - theta) is the change of the means. */
  #learn(): void {
    const {theta, wanted} = this
    const m = theta.length
    const C = this.#correlation
    const [x, y, Cx] = [this.#moved, this.#changed, this.#mapped]
    for (let i = 0; i < m; i++) {
      const stays = Number.isNaN(wanted[i])
      const deviation = Math.sqrt(this.#means[i] * (1 - this.#means[i]))
      x[i] = stays ? 0 : (this.#next[i] - theta[i]) * deviation
      y[i] = stays ? 0 : (this.#means[i] - this.#lastMeans[i]) / deviation
    }
    for (let i = 0; i < m; i++) {
      Cx[i] = 0
      for (let k = 0; k < m; k++) Cx[i] += C[i * m + k] * x[k]
    }
    const xy = dot(x, y)
    const xCx = dot(x, Cx)
    // xy is positive by convexity, unless rounding spoils it.
    if (!(xy > 1e-8 * xCx)) return
    for (let i = 0; i < m; i++) for (let k = 0; k < m; k++) C[i * m + k] += (y[i] * y[k]) / xy - (Cx[i] * Cx[k]) / xCx
  }
}
