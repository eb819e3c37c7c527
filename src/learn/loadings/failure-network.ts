import {type BayesNetwork, forwardSampler, junctionTree} from '../../base/network/index.ts'
import {clamp, exp, log, type Rng} from '../../base/numeric/index.ts'
import {clipFailure, FAILURE_FLOOR} from './failure.ts'

/** A word is solved when a further step changes no log f by more than this: far below any sampling error, well above rounding. */
const TOLERANCE = 1e-10
/** The most steps for a word. Words need 5 to 20, and the returned residual shows if this many were not enough. */
const STEP_LIMIT = 500
const LOG_FAILURE_FLOOR = log(FAILURE_FLOOR)
/** Stands for a ratio of 0, which has no logarithm; it is far below every failure. */
const MIN_RATIO = 1e-12
/** With more cells, a pass through the junction tree takes longer than a pass over the draws. */
const TREE_LIMIT = 2 ** 14
/** The number of draws from a P(Y) too wide for a junction tree, about as many as documents in a corpus of middle size. */
const SAMPLES = 20_000

/** Computes weighted sums over P(Y). Concept i has the weight `weights[2*i + 1]` >= 0 for Y_i = 1, and `weights[2*i]` = 1. */
export interface NetworkSums {
  readonly conceptCount: number
  /** The number of draws that replace P(Y), or undefined if sums are exact. */
  readonly samples?: number
  /** Returns the log of the sum over y of P(y) prod_i weights[2*i + y_i]. */
  logTotal(weights: Float64Array): number
  /** Returns the same as `logTotal`, and writes the share of the sum that has y_i = 1 to `marginals[i]`. */
  propagate(weights: Float64Array, marginals: Float64Array): number
}

/** Prepares sums over P(Y): exact ones by a junction tree of moderate size, or means over draws if it is too large. */
export function networkSums(network: BayesNetwork, random: Rng): NetworkSums {
  return junctionTree(network, {cellLimit: TREE_LIMIT}) ?? sampledSums(network, random)
}

/**
 * Prepares means over draws of y in place of sums over P(Y). All calls use the same draws, so that problems solved with them
 * stay convex and smooth. Cost: two operations per call for each concept that is on in a draw.
 */
export function sampledSums(network: BayesNetwork, random: Rng): NetworkSums {
  const m = network.parents.length
  const draw = forwardSampler(network, random)
  const y = new Uint8Array(m)
  /** The concepts that are on in each draw; draw n begins at `starts[n]`. */
  const present: number[] = []
  const starts = [0]
  for (let sample = 0; sample < SAMPLES; sample++) {
    draw(y)
    for (let i = 0; i < m; i++) if (y[i] === 1) present.push(i)
    starts.push(present.length)
  }
  return {conceptCount: m, samples: SAMPLES, logTotal: weights => propagate(weights, new Float64Array(m)), propagate}

  function propagate(weights: Float64Array, marginals: Float64Array): number {
    let total = 0
    marginals.fill(0)
    for (let sample = 0; sample < SAMPLES; sample++) {
      let product = 1
      for (let at = starts[sample]; at < starts[sample + 1]; at++) product *= weights[2 * present[at] + 1]
      for (let at = starts[sample]; at < starts[sample + 1]; at++) marginals[present[at]] += product
      total += product
    }
    for (let i = 0; i < m; i++) marginals[i] /= total
    return log(total / SAMPLES)
  }
}

/**
 * The network estimator: finds all failures of a word at once, from its direct ratios and P(Y). It is not in the paper, whose
 * Eq. 6 conditions on the Markov blanket and needs moments of the whole blanket, which may be too large.
 *
 * The direct estimate of concept i, r_i = P(x0|y_i = 1) / P(x0|y_i = 0), is f_i times the effect through the other concepts,
 *   r_i = f_i E[prod_{k != i} f_k^{y_k} | y_i = 1] / E[prod_{k != i} f_k^{y_k} | y_i = 0].
 * That is, the word's absence tilts P(y) to P(y) prod_k f_k^{y_k} / Z, and there the odds of y_i are r_i times its odds
 * in P(Y). These are the maximum-likelihood equations of an exponential family with theta = log f: convex, one solution.
 * Failures are restricted to [1e-3, 1], since other failures would compensate for a failure above 1. The result is r_i divided by
 * the ratio of expectations at that solution: the failure itself or, if it is at a bound, the value beyond the bound.
 *
 * Method: every theta_i moves towards the value that would give y_i its odds if no other theta moved, all by the same fraction of
 * the way ({@link stepLength}). Words without a link cost nothing, and those with one link a single propagation.
 * `ratios` has r of concept i and word j at `i*n + j`; NaN stands for an undefined ratio, and exactly 1 for no link, which gives
 * a failure of 1. `residual` is the largest relative change of a failure in a further step: at most 1e-10, unless a word reached
 * the step limit.
 */
export function failureNetwork(sums: NetworkSums, ratios: Float64Array, wordCount: number) {
  const m = sums.conceptCount
  const weights = new Float64Array(2 * m).fill(1)
  const means = new Float64Array(m)
  sums.propagate(weights, means)
  const prior = means.map(logOdds)
  const failure = new Float64Array(m * wordCount)
  let residual = 0
  for (let j = 0; j < wordCount; j++) {
    const links: Link[] = []
    for (let i = 0; i < m; i++) {
      const at = i * wordCount + j
      const ratio = ratios[at]
      // A concept of probability 0 or 1, whose prior log-odds are NaN, has no failure.
      failure[at] = Number.isNaN(prior[i]) && ratio !== 1 ? Number.NaN : ratio
      weights[2 * i + 1] = 1
      if (failure[at] === 1 || Number.isNaN(failure[at])) continue
      const target = prior[i] + log(Math.max(ratio, MIN_RATIO))
      links.push({i, target, theta: log(clipFailure(ratio)), step: 0, move: 0, turn: 0})
    }
    if (links.length === 0) continue
    residual = Math.max(residual, solve(links))
    for (const {i, theta, step} of links) failure[i * wordCount + j] = exp(theta + step) // step is not 0 at a bound
  }
  return {failure, residual}

  /** Moves the theta of all links to the solution, and returns the residual. */
  function solve(links: readonly Link[]): number {
    for (let steps = 0; ; steps++) {
      for (const {i, theta} of links) weights[2 * i + 1] = exp(theta)
      sums.propagate(weights, means)
      let residual = 0
      for (const link of links) {
        const step = link.target - logOdds(means[link.i])
        link.turn = step - link.step
        link.step = step
        residual = Math.max(residual, Math.abs(clamp(link.theta + step, LOG_FAILURE_FLOOR, 0) - link.theta))
      }
      if (residual <= TOLERANCE || steps === STEP_LIMIT) return residual
      const length = steps === 0 ? 1 : stepLength(links, means)
      for (const link of links) {
        const next = clamp(link.theta + length * link.step, LOG_FAILURE_FLOOR, 0)
        link.move = next - link.theta
        link.theta = next
      }
    }
  }
}

/** A concept whose failure for the current word is being estimated. */
interface Link {
  readonly i: number
  /** The log-odds that y_i must have, at the solution, given that the word is absent. */
  readonly target: number
  /** The logarithm of the failure. */
  theta: number
  /** The change of theta that would give y_i its target if no other theta changed. */
  step: number
  /** The last change of theta. */
  move: number
  /** The last change of `step`. */
  turn: number
}

/**
 * Returns the fraction of each step to take, by Barzilai and Borwein (1988): one over the curvature along the last move, in
 * coordinates scaled by the standard deviations of y, in which the Hessian is the correlation matrix.
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
