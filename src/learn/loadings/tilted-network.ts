import {choleskyFactor, choleskySolve, clamp, dot, exp, log, sigmoid} from '../../base/numeric/index.ts'
import {FAILURE_FLOOR} from './loadings.ts'

/** Weighted sums over P(Y), such as those of a junction tree. */
export interface NetworkSums {
  readonly conceptCount: number
  /** log of the sum over y of P(y) prod_i weights[2*i + y_i]; marginals[i] becomes the share of it that has y_i = 1. */
  propagate(weights: Float64Array, marginals: Float64Array): number
  /**
   * Where the covariance of the last `propagate` is easily inverted: the step of log weights[2*i + 1] that changes the means of
   * concepts that are not held by `wantedChange`, to first order; 0 for those held.
   */
  readonly newtonStep?: (wantedChange: Float64Array, isHeld: Uint8Array, step: Float64Array) => void
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
 * Method: projected Newton (Bertsekas 1982). The Hessian is the covariance of y. A forest inverts its own (`newtonStep`); of other
 * networks {@link estimatedCovariance} is used. A theta that would pass its bound keeps only its diagonal entry, so that every
 * direction is a descent direction; a step is halved until the objective falls.
 * Cost per solution: about 5 propagations and as many Newton steps of O(m) on a forest, 5 to 15 and Cholesky factors of m x m
 * otherwise, after m propagations once.
 */
export interface TiltedNetwork {
  /** Set to the start before solving. */
  readonly theta: Float64Array
  /** Log-odds of sigma, set before solving; NaN for a concept whose theta stays as it is. */
  readonly wanted: Float64Array
  /** Log-odds of the means of P(Y); NaN for a concept that is never or always on. */
  readonly prior: Float64Array
  /** Moves theta to the solution. `residual` is the largest remaining change of a single theta. */
  solve(): {readonly steps: number; readonly residual: number; readonly isDone: boolean}
  /** The change of theta_i alone that gives y_i its wanted mean; NaN for one that stays. */
  ownStep(i: number): number
}

export function tiltedNetwork(sums: NetworkSums): TiltedNetwork {
  const state = priorState(sums)
  const {theta, wanted, prior} = state
  return {theta, wanted, prior, solve: () => solve(state), ownStep: i => ownStep(state, i)}
}

type State = ReturnType<typeof priorState>

/** At theta = 0, the network itself. */
function priorState(sums: NetworkSums) {
  const m = sums.conceptCount
  const concepts = () => new Float64Array(m)
  const weights = new Float64Array(2 * m).fill(1)
  const means = concepts()
  sums.propagate(weights, means)
  const prior = means.map(p => (p > 0 && p < 1 ? log(p / (1 - p)) : Number.NaN))
  const {newtonStep} = sums
  const covariance: Covariance = newtonStep === undefined ? estimatedCovariance(sums) : {newtonStep}
  const [theta, wanted, sigma, next, missing, direction, lastMeans] = Array.from({length: 7}, concepts)
  const given = {sums, covariance, prior, weights, means, lastMeans}
  return {...given, theta, wanted, sigma, next, missing, direction, isHeld: new Uint8Array(m)}
}

function solve(state: State) {
  const {wanted, sigma, covariance} = state
  for (let i = 0; i < wanted.length; i++) sigma[i] = sigmoid(wanted[i])
  covariance.restart?.()
  let objective = objectiveAt(state, state.theta)
  for (let steps = 0; ; steps++) {
    const residual = largestStep(state)
    if (residual <= TOLERANCE) return {steps, residual, isDone: true}
    findDirection(state, Math.min(1e-3, residual))
    const lower = steps < STEP_LIMIT ? goDown(state, objective) : undefined
    if (lower === undefined) return {steps, residual, isDone: false}
    objective = lower
  }
}

function ownStep({wanted, means}: State, i: number): number {
  return wanted[i] - log(means[i] / (1 - means[i]))
}

/** log Z - sigma.theta at x; keeps the means there. */
function objectiveAt({sums, weights, wanted, sigma, means}: State, x: Float64Array): number {
  let linear = 0
  for (let i = 0; i < x.length; i++) {
    weights[2 * i + 1] = x[i] === 0 ? 1 : exp(x[i])
    if (!Number.isNaN(wanted[i])) linear += sigma[i] * x[i]
  }
  return sums.propagate(weights, means) - linear
}

function largestStep(state: State): number {
  const {theta, sigma, means} = state
  let largest = 0
  for (let i = 0; i < theta.length; i++) {
    // Most concepts: at the bound, and the step would pass it.
    if (theta[i] === 0 && means[i] <= sigma[i]) continue
    const step = clamp(theta[i] + ownStep(state, i), LOWEST, 0) - theta[i]
    if (Math.abs(step) > largest) largest = Math.abs(step)
  }
  return largest
}

/** -H^-1 (s - sigma); a theta within `near` of a bound that it would pass moves on its own. */
function findDirection(state: State, near: number): void {
  const {theta, wanted, sigma, means, covariance, isHeld, missing, direction} = state
  for (let i = 0; i < theta.length; i++) {
    const stays = Number.isNaN(wanted[i])
    missing[i] = stays ? 0 : sigma[i] - means[i]
    const holds = stays || (theta[i] > -near && missing[i] > 0) || (theta[i] < LOWEST + near && missing[i] < 0)
    isHeld[i] = holds ? 1 : 0
  }
  covariance.newtonStep(missing, isHeld, direction, means)
  for (let i = 0; i < theta.length; i++)
    if (isHeld[i]) direction[i] = missing[i] === 0 ? 0 : missing[i] / (means[i] * (1 - means[i]))
}

/** Takes the longest step, of 1, 1/2, 1/4, ..., that lowers the objective by a share of what the slope predicts. */
function goDown(state: State, objective: number): number | undefined {
  const {theta, wanted, next, missing, direction, means, lastMeans} = state
  lastMeans.set(means)
  for (let halving = 0, length = 1; halving < HALVINGS; halving++, length /= 2) {
    let promised = 0
    for (let i = 0; i < theta.length; i++) {
      next[i] = Number.isNaN(wanted[i]) ? theta[i] : clamp(theta[i] + length * direction[i], LOWEST, 0)
      promised -= missing[i] * (next[i] - theta[i])
    }
    const found = objectiveAt(state, next)
    if (found <= objective + 1e-4 * promised + ROUNDING) {
      state.covariance.learn?.(state)
      theta.set(next)
      return found
    }
  }
  return undefined
}

interface Covariance {
  readonly newtonStep: (wantedChange: Float64Array, isHeld: Uint8Array, step: Float64Array, means: Float64Array) => void
  /** Before another solution. */
  restart?(): void
  /** From theta and `lastMeans` to `next` and `means`. */
  learn?(step: Pick<State, 'theta' | 'wanted' | 'next' | 'means' | 'lastMeans'>): void
}

/**
 * The standard deviations at theta, which every propagation gives, with correlations: initially those of P(Y), computed once, then
 * updated by BFGS from the steps.
 */
function estimatedCovariance(sums: NetworkSums): Covariance {
  const m = sums.conceptCount
  const priorCorrelation = correlationsOf(sums)
  const [C, H, free, solution] = [
    new Float64Array(m * m),
    new Float64Array(m * m),
    new Int32Array(m),
    new Float64Array(m)
  ]
  return {
    restart: () => C.set(priorCorrelation),
    learn: step => learnCorrelations(C, step),
    newtonStep(wantedChange, isHeld, step, means) {
      let count = 0
      for (let i = 0; i < m; i++) if (!isHeld[i]) free[count++] = i
      const variance = (i: number) => means[i] * (1 - means[i])
      for (let a = 0; a < count; a++) {
        const i = free[a]
        solution[a] = wantedChange[i]
        for (let b = 0; b < a; b++) H[a * count + b] = C[i * m + free[b]] * Math.sqrt(variance(i) * variance(free[b]))
        // Concepts that always occur together would leave H singular.
        H[a * count + a] = variance(i) * C[i * m + i] * (1 + 1e-6)
      }
      // Where rounding spoils H, the negative slope is a descent direction, too.
      if (choleskyFactor(H, count)) choleskySolve(H, count, solution)
      step.fill(0)
      for (let a = 0; a < count; a++) step[free[a]] = solution[a]
    }
  }
}

/** Of P(Y); 0 for concepts that are never or always on. */
function correlationsOf(sums: NetworkSums): Float64Array {
  const m = sums.conceptCount
  const weights = new Float64Array(2 * m).fill(1)
  const [p, means] = [new Float64Array(m), new Float64Array(m)]
  sums.propagate(weights, p)
  const deviation = p.map(share => Math.sqrt(share * (1 - share)))
  const correlation = new Float64Array(m * m)
  for (let i = 0; i < m; i++) {
    if (!(deviation[i] > 0)) continue
    weights[2 * i] = 0
    sums.propagate(weights, means)
    weights[2 * i] = 1
    for (let k = 0; k < m; k++)
      if (deviation[k] > 0) correlation[i * m + k] = ((means[k] - p[k]) * p[i]) / (deviation[i] * deviation[k])
  }
  return correlation
}

/** BFGS, scaled by the standard deviations d: makes d C d (next - theta) the change of the means. */
function learnCorrelations(C: Float64Array, step: Parameters<NonNullable<Covariance['learn']>>[0]): void {
  const {theta, wanted, next, means, lastMeans} = step
  const m = theta.length
  const deviation = means.map(p => Math.sqrt(p * (1 - p)))
  const x = next.map((to, i) => (Number.isNaN(wanted[i]) ? 0 : (to - theta[i]) * deviation[i]))
  const y = means.map((mean, i) => (Number.isNaN(wanted[i]) ? 0 : (mean - lastMeans[i]) / deviation[i]))
  const Cx = x.map((_, i) => dot(C.subarray(i * m, (i + 1) * m), x))
  const xy = dot(x, y)
  const xCx = dot(x, Cx)
  // xy is positive by convexity, unless rounding spoils it.
  if (!(xy > 1e-8 * xCx)) return
  for (let i = 0; i < m; i++) for (let k = 0; k < m; k++) C[i * m + k] += (y[i] * y[k]) / xy - (Cx[i] * Cx[k]) / xCx
}
