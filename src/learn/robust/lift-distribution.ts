import {
  choleskyFactor,
  choleskySolve,
  clamp,
  dot,
  exp,
  goldenSection,
  log,
  normalised
} from '../../base/numeric/index.ts'
import type {MomentCertificate} from '../moments/index.ts'

/** The factor by which the lift of a pair may differ from the one its words suggest: .018 to 55, evenly spaced in its logarithm. */
const LOG_LIFTS = Float64Array.from({length: 33}, (_, g) => (g - 16) / 4)
const LIFTS = LOG_LIFTS.map(value => exp(value))
/** The prior of log lift, a standard normal distribution, counts as this many pairs. */
const PRIOR = normalised(LOG_LIFTS.map(value => exp(-(value ** 2) / 2)))
const PRIOR_PAIRS = 10
/** The most that words may change the expected log lift. */
const FURTHEST = 3
/** The slope is learned from at most about this many pairs, evenly spread. */
const SLOPE_PAIRS = 2000
/** The prior of the slope times the root mean square of likeness is normal with this standard deviation: few pairs say nothing. */
const SLOPE_SPREAD = 0.25
/** The largest such product, and the share of it to which the search narrows the slope. */
const STEEPEST = 2
const SLOPE_TOLERANCE = 0.01
/** An expected count is at least this share of the one at independence. */
const LEAST_RATIO = 1e-3
const NEWTON_STEPS = 60
/** The gap per pair at which the distribution of lifts is final, and while the slope is sought, in nats. */
const GAP_PER_PAIR = 1e-6
const SLOPE_GAP_PER_PAIR = 1e-4

/** The anchors of two concepts, i < k. */
export interface AnchorPair {
  readonly i: number
  readonly k: number
  /** Documents with both anchors, and how many independence predicts. */
  readonly seen: number
  readonly expected: number
  /** True firings of both as a share of all. */
  readonly trueShare: number
  /** The likeness of their words. */
  readonly likeness: number
}

function locationOf({likeness}: AnchorPair, slope: number): number {
  return clamp(slope * likeness, -FURTHEST, FURTHEST)
}

/** Learns the slope of likeness, unless it is known, the distribution of lifts around it, and the posterior of each pair. */
export function fitLifts(pairs: readonly AnchorPair[], known?: number) {
  const slope = known ?? mostProbableSlope(pairs)
  const likelihoods = pairs.map(pair => liftLikelihood(pair, locationOf(pair, slope)).likelihood)
  const {shares, certificate} = liftShares(likelihoods)
  const posteriors = pairs.map((pair, p) => liftPosterior(likelihoods[p], shares, locationOf(pair, slope)))
  return {slope, posteriors, certificate}
}

/** Returns the posterior of a pair that is known to be linked: its prior is not the lifts of all pairs, most of which are not. */
export function knownLift(pair: AnchorPair, slope: number) {
  const location = locationOf(pair, slope)
  return liftPosterior(liftLikelihood(pair, location).likelihood, PRIOR, location)
}

/** Finds the slope by golden section; each slope is judged with its most probable distribution of lifts. */
function mostProbableSlope(all: readonly AnchorPair[]): number {
  const every = Math.ceil(all.length / SLOPE_PAIRS)
  const pairs = all.filter((_, p) => p % every === 0)
  const size = Math.sqrt(pairs.reduce((sum, {likeness}) => sum + likeness * likeness, 0) / pairs.length)
  if (!(size > 0)) return 0
  let shares = PRIOR
  const evaluate = (slope: number) => {
    const found = pairs.map(pair => liftLikelihood(pair, locationOf(pair, slope)))
    const likelihoods = found.map(({likelihood}) => likelihood)
    const best = liftShares(likelihoods, shares, SLOPE_GAP_PER_PAIR)
    shares = best.shares
    const logPrior = -(((slope * size) / SLOPE_SPREAD) ** 2) / 2
    const logFactors = found.reduce((sum, {logFactor}) => sum + logFactor, 0)
    return {at: slope, value: logPrior + logFactors - best.certificate.objective}
  }
  const flat = evaluate(0)
  const steepest = STEEPEST / size
  const {best} = goldenSection(evaluate, [0, steepest], SLOPE_TOLERANCE * steepest)
  return best.value > flat.value ? best.at : 0
}

/**
 * Returns the Poisson likelihood of each lift of the grid around exp(location), as a share of the largest, and the logarithm
 * of the largest. Counts have the mean expected (1 + trueShare (lift - 1)); factors that no lift changes are left out.
 */
export function liftLikelihood(
  {seen, expected, trueShare}: Pick<AnchorPair, 'seen' | 'expected' | 'trueShare'>,
  location = 0
) {
  const centre = exp(location)
  const logs = LIFTS.map(lift => {
    const ratio = Math.max(LEAST_RATIO, 1 + trueShare * (centre * lift - 1))
    return seen * log(ratio) - expected * ratio
  })
  const logFactor = logs.reduce((top, value) => Math.max(top, value))
  return {likelihood: logs.map(value => exp(value - logFactor)), logFactor}
}

/**
 * Finds the distribution of lifts over the pairs that is most probable given all counts: it maximises
 *
 *     f(s) = sum_p log(L_p s) + sum_g alpha_g log s_g
 *
 * over the simplex, with alpha the prior times {@link PRIOR_PAIRS}, by Newton's method. The prior keeps every share positive, and
 * the sum is 1 at the optimum of f minus its degree times the sum. Since f is concave, the gap max_g f'_g - degree bounds what
 * any other distribution could add. Cost: O(pairs grid^2) per step.
 */
export function liftShares(
  likelihoods: readonly Float64Array[],
  start = PRIOR,
  gapPerPair = GAP_PER_PAIR
): {readonly shares: Float64Array; readonly certificate: MomentCertificate} {
  const degree = likelihoods.length + PRIOR_PAIRS
  let shares = start
  let objective = logPosterior(likelihoods, shares)
  for (let steps = 0; ; steps++) {
    const {gradient, curvature} = derivatives(likelihoods, shares)
    const gap = Math.max(0, gradient.reduce((top, value) => Math.max(top, value)) - degree)
    const isOptimal = gap <= gapPerPair * degree
    const direction = gradient.map(value => value - degree)
    const isLast = isOptimal || steps === NEWTON_STEPS || !choleskyFactor(curvature, direction.length)
    if (!isLast) choleskySolve(curvature, direction.length, direction)
    const next = isLast ? undefined : searchAlong(likelihoods, shares, direction, objective)
    if (next === undefined) {
      const status = isOptimal ? 'optimal' : 'step-limit'
      const bounds = {objective: -objective, lowerBound: -objective - gap, gap}
      return {shares, certificate: {...bounds, steps, atoms: 0, cuts: 0, status}}
    }
    shares = next.shares
    objective = next.objective
  }
}

function logPosterior(likelihoods: readonly Float64Array[], shares: Float64Array): number {
  const logPrior = shares.reduce((sum, share, g) => sum + PRIOR_PAIRS * PRIOR[g] * log(share), 0)
  return likelihoods.reduce((sum, likelihood) => sum + log(dot(likelihood, shares)), logPrior)
}

/** Returns the gradient of f, and the lower triangle of the negative of its second derivatives. */
function derivatives(likelihoods: readonly Float64Array[], shares: Float64Array) {
  const size = shares.length
  const gradient = PRIOR.map((share, g) => (PRIOR_PAIRS * share) / shares[g])
  const curvature = new Float64Array(size * size)
  for (let g = 0; g < size; g++) curvature[g * size + g] = gradient[g] / shares[g]
  const ratios = new Float64Array(size)
  for (const likelihood of likelihoods) {
    const total = dot(likelihood, shares)
    for (let g = 0; g < size; g++) {
      const ratio = likelihood[g] / total
      ratios[g] = ratio
      gradient[g] += ratio
      for (let h = 0, cell = g * size; h <= g; h++, cell++) curvature[cell] += ratio * ratios[h]
    }
  }
  return {gradient, curvature}
}

/** Returns the first of ever shorter steps, normalised, that raises the objective; undefined when rounding hides any gain. */
function searchAlong(
  likelihoods: readonly Float64Array[],
  shares: Float64Array,
  direction: Float64Array,
  objective: number
) {
  for (let length = 1; length > 1e-10; length /= 2) {
    // No share loses more than nine tenths at once.
    const moved = normalised(shares.map((share, g) => Math.max(share + length * direction[g], 0.1 * share)))
    const reached = logPosterior(likelihoods, moved)
    if (reached > objective) return {shares: moved, objective: reached}
  }
  return undefined
}

/** Returns exp E[log lift] of a pair, and the 5% and 95% points of its lift; the grid lies around exp(location). */
export function liftPosterior(likelihood: Float64Array, shares: Float64Array, location = 0) {
  const chances = normalised(likelihood.map((value, g) => value * shares[g]))
  const step = LOG_LIFTS[1] - LOG_LIFTS[0]
  // The chance of each lift is spread evenly over the step around it.
  const quantile = (mass: number) => {
    let left = mass
    const g = chances.findIndex(chance => {
      left -= chance
      return left <= 0
    })
    return exp(location + LOG_LIFTS[g] + step * (0.5 + left / chances[g]))
  }
  return {lift: exp(location + dot(chances, LOG_LIFTS)), low: quantile(0.05), high: quantile(0.95)}
}
