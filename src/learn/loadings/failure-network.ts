import {clamp, exp, log} from '../../base/numeric/index.ts'
import {clipFailure, FAILURE_FLOOR} from './loadings.ts'
import type {NetworkSums} from './network-sums.ts'

/** In log f: far below any sampling error, well above rounding. */
const TOLERANCE = 1e-10
/** Words need 5 to 20 steps; beyond this many they are counted as unfinished. */
const STEP_LIMIT = 500
const LOWEST = log(FAILURE_FLOOR)
/** A ratio of 0 has no logarithm; this one is far beyond every bound. */
const LEAST_RATIO = 1e-12

/**
 * The network estimator: all failures of a word at once, from its direct ratios and P(Y). It is not in the paper, whose Eq. 6
 * conditions on the whole Markov blanket and needs moments of its order; it is used where a blanket is too large for that.
 *
 * The direct estimate of concept i, r_i = P(x0|y_i = 1) / P(x0|y_i = 0), is f_i times the effect through the other concepts,
 *   r_i = f_i E[prod_{k != i} f_k^{y_k} | y_i = 1] / E[prod_{k != i} f_k^{y_k} | y_i = 0].
 * That is, the word's absence tilts P(y) to P(y) prod_k f_k^{y_k} / Z, and there the odds of y_i are r_i times its odds
 * in P(Y). These are the maximum-likelihood equations of an exponential family with theta = log f: convex, one solution.
 * Failures are restricted to [1e-3, 1], or others would compensate for one above 1. The result is r_i over the two expectations
 * at that solution: the failure itself or, at a bound, the value beyond it that the others leave to i.
 *
 * Method: every theta_i moves towards the value that alone would give y_i its odds, all by the same share of the way
 * ({@link stepLength}). Words without a link cost nothing, and those with one link a single propagation.
 * `ratios` are r, `i*n + j`; NaN does not exist, and exactly 1 means that there is no link: the failure is then 1.
 * `fixed` has the failures of concepts estimated by other means. `residual` is the largest change that a failure still wants,
 * relative to it; `unfinished` words stopped above 1e-10.
 */
export function failureNetwork(
  sums: NetworkSums,
  ratios: Float64Array,
  wordCount: number,
  fixed: ReadonlyMap<number, Float64Array> = new Map()
) {
  const m = sums.conceptCount
  const weights = new Float64Array(2 * m).fill(1)
  const means = new Float64Array(m)
  sums.propagate(weights, means)
  const prior = means.map(logOdds)
  const failure = new Float64Array(m * wordCount)
  let steps = 0
  let residual = 0
  let unfinished = 0
  for (let j = 0; j < wordCount; j++) {
    const links: Link[] = []
    for (let i = 0; i < m; i++) {
      const ratio = ratios[i * wordCount + j]
      const known =
        fixed.get(i)?.[j] ?? (ratio === 1 || Number.isNaN(prior[i] + ratio) ? clipFailure(ratio) : undefined)
      weights[2 * i + 1] = known ?? 1
      failure[i * wordCount + j] = fixed.get(i)?.[j] ?? (known === undefined || ratio === 1 ? 1 : Number.NaN)
      if (known === undefined)
        links.push({
          i,
          target: prior[i] + log(Math.max(ratio, LEAST_RATIO)),
          theta: log(clipFailure(ratio)),
          step: 0,
          move: 0,
          turn: 0
        })
    }
    if (links.length === 0) continue
    const found = solve(links)
    steps += found.steps
    residual = Math.max(residual, found.residual)
    if (found.residual > TOLERANCE) unfinished++
    for (const {i, theta, step} of links) failure[i * wordCount + j] = exp(theta + step)
  }
  return {failure, steps, residual, unfinished}

  function solve(links: readonly Link[]): {readonly steps: number; readonly residual: number} {
    for (let steps = 0; ; steps++) {
      for (const {i, theta} of links) weights[2 * i + 1] = exp(theta)
      sums.propagate(weights, means)
      let residual = 0
      for (const link of links) {
        const step = link.target - logOdds(means[link.i])
        link.turn = step - link.step
        link.step = step
        residual = Math.max(residual, Math.abs(clamp(link.theta + step, LOWEST, 0) - link.theta))
      }
      if (residual <= TOLERANCE || steps === STEP_LIMIT) return {steps, residual}
      const length = steps === 0 ? 1 : stepLength(links, means)
      for (const link of links) {
        const next = clamp(link.theta + length * link.step, LOWEST, 0)
        link.move = next - link.theta
        link.theta = next
      }
    }
  }
}

/** A concept whose failure of the word is not known yet. */
interface Link {
  readonly i: number
  /** Log-odds of y_i where the word is absent. */
  readonly target: number
  /** log f. */
  theta: number
  /** The change of theta that alone would give y_i its target. */
  step: number
  /** The last changes of theta and of `step`. */
  move: number
  turn: number
}

/**
 * The share of the way to go, by Barzilai and Borwein (1988): one over the curvature along the last move, in coordinates
 * scaled by the standard deviations of y, in which the Hessian is the correlation matrix.
 */
function stepLength(links: readonly Link[], means: Float64Array): number {
  let squares = 0
  let curvature = 0
  for (const {i, move, turn} of links) {
    const variance = means[i] * (1 - means[i])
    squares += variance * move ** 2
    curvature -= variance * move * turn
  }
  return curvature > 0 ? Math.min(squares / curvature, 1e3) : 1
}

function logOdds(p: number): number {
  return p > 0 && p < 1 ? log(p / (1 - p)) : Number.NaN
}
