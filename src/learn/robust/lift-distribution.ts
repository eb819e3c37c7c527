import {choleskyFactor, choleskySolve, clamp, exp, goldenSection, log} from '../../base/numeric/index.ts'
import type {MomentCertificate} from '../moments/index.ts'

/** How far the lift of a pair may be from the one its words suggest: factors from 0.018 to 55, evenly spaced in their logarithm. */
const LOG_LIFTS = Float64Array.from({length: 33}, (_, g) => (g - 16) / 4)
const LIFTS = LOG_LIFTS.map(value => exp(value))
/** The prior of log lift, a standard normal distribution, counts as this many pairs. */
const PRIOR = normalised(LOG_LIFTS.map(value => exp(-(value ** 2) / 2)))
const PRIOR_PAIRS = 10

/** The anchors of two concepts, i < k. */
export interface AnchorPair {
  readonly i: number
  readonly k: number
  /** Documents with both anchors, and how many independence predicts. */
  readonly seen: number
  readonly expected: number
  /** True firings of both as a share of all. */
  readonly trueShare: number
  /** Of their words. */
  readonly likeness: number
}

/** The most that words may change the expected log lift. */
const FURTHEST = 3

function locationOf({likeness}: AnchorPair, slope: number): number {
  return clamp(slope * likeness, -FURTHEST, FURTHEST)
}

/** The slope is learned from at most about this many pairs, evenly spread. */
const SLOPE_PAIRS = 2000
/** The prior of the slope times the root mean square of likeness is normal with this standard deviation: few pairs say nothing. */
const SLOPE_SPREAD = 0.25
/** The largest such product, and the share of it to which the search narrows the slope. */
const STEEPEST = 2
const SLOPE_TOLERANCE = 0.01

/** The slope of likeness, unless it is known, the distribution of lifts around it, and the posterior of each pair. */
export function fitLifts(pairs: readonly AnchorPair[], known?: number) {
  const {slope, shares} = known === undefined ? likeliestSlope(spreadPairs(pairs)) : {slope: known, shares: undefined}
  const {likelihoods} = likelihoodsAt(pairs, slope, likelihoodRows(pairs.length))
  const found = liftShares(likelihoods, shares)
  const posteriors = pairs.map((pair, p) => liftPosterior(likelihoods[p], found.shares, locationOf(pair, slope)))
  return {slope, posteriors, certificate: found.certificate}
}

/**
 * The posterior of a pair that is known to be linked. It is no draw from the lifts of all pairs, most of which are not, so its
 * prior is the one that these start from.
 */
export function knownLift(pair: AnchorPair, slope: number) {
  const location = locationOf(pair, slope)
  return liftPosterior(liftLikelihood(pair, location).likelihood, PRIOR, location)
}

function spreadPairs(pairs: readonly AnchorPair[]): readonly AnchorPair[] {
  const every = Math.ceil(pairs.length / SLOPE_PAIRS)
  return every > 1 ? pairs.filter((_, p) => p % every === 0) : pairs
}

/** The most probable slope, each with its likeliest distribution of lifts, by golden section. */
function likeliestSlope(pairs: readonly AnchorPair[]) {
  const size = Math.sqrt(pairs.reduce((sum, {likeness}) => sum + likeness * likeness, 0) / pairs.length)
  const rows = likelihoodRows(pairs.length)
  let shares: Float64Array | undefined
  const evaluate = (slope: number) => {
    const {likelihoods, logFactor} = likelihoodsAt(pairs, slope, rows)
    const found = liftShares(likelihoods, shares, SLOPE_GAP_PER_PAIR)
    shares = found.shares
    const logPrior = -(((slope * size) / SLOPE_SPREAD) ** 2) / 2
    return {at: slope, slope, shares, value: logPrior + logFactor - found.certificate.objective}
  }
  const flat = evaluate(0)
  if (!(size > 0)) return flat
  const steepest = STEEPEST / size
  const {best} = goldenSection(evaluate, [0, steepest], SLOPE_TOLERANCE * steepest)
  return best.value > flat.value ? best : flat
}

/** Room for the likelihoods of so many pairs. */
function likelihoodRows(pairs: number): Float64Array[] {
  const size = LIFTS.length
  const table = new Float64Array(pairs * size)
  return Array.from({length: pairs}, (_, p) => table.subarray(p * size, (p + 1) * size))
}

/** The likelihoods of all pairs, in `rows`, and the logarithm of the factor that they leave out. */
function likelihoodsAt(pairs: readonly AnchorPair[], slope: number, rows: readonly Float64Array[]) {
  let logFactor = 0
  pairs.forEach((pair, p) => {
    logFactor += liftLikelihood(pair, locationOf(pair, slope), rows[p]).logFactor
  })
  return {likelihoods: rows, logFactor}
}

/** An expected count this far below independence is 0. */
const LEAST_SHARE = 1e-3
const LOG_LEAST_SHARE = log(LEAST_SHARE)
/** A likelihood this far below the largest, in nats, is 0: no share of a lift is so small that it would count. */
const FURTHEST_BELOW = 40

/** The likelihood of each lift of the grid around exp(location), as a share of the largest; and the logarithm of that. */
export function liftLikelihood(
  {seen, expected, trueShare}: Pick<AnchorPair, 'seen' | 'expected' | 'trueShare'>,
  location = 0,
  likelihood: Float64Array = new Float64Array(LIFTS.length)
) {
  const centre = exp(location)
  let logFactor = Number.NEGATIVE_INFINITY
  for (let g = 0; g < LIFTS.length; g++) {
    const ratio = Math.max(LEAST_SHARE, 1 + trueShare * (centre * LIFTS[g] - 1))
    const logRatio = trueShare === 1 ? Math.max(LOG_LEAST_SHARE, location + LOG_LIFTS[g]) : log(ratio)
    likelihood[g] = seen * logRatio - expected * ratio
    logFactor = Math.max(logFactor, likelihood[g])
  }
  for (let g = 0; g < LIFTS.length; g++) {
    const below = logFactor - likelihood[g]
    likelihood[g] = below > FURTHEST_BELOW ? 0 : exp(-below)
  }
  return {likelihood, logFactor}
}

const NEWTON_STEPS = 60
/** The gap per pair at which the distribution of lifts is final, in nats. */
const GAP_PER_PAIR = 1e-6
/** While the slope is sought. */
const SLOPE_GAP_PER_PAIR = 1e-4

/**
 * The distribution of lifts over the pairs that is most probable given all counts: maximises sum_p log(L_p s) + sum_g
 * alpha_g log s_g over the simplex, with alpha the prior times {@link PRIOR_PAIRS}. By Newton's method: the prior keeps
 * every share positive, and the sum is 1 at the optimum of the function minus its degree times the sum.
 * The gap max_g f'_g - degree bounds what any other distribution could add, since the function is concave.
 */
export function liftShares(
  likelihoods: readonly Float64Array[],
  start?: Float64Array,
  gapPerPair = GAP_PER_PAIR
): {
  readonly shares: Float64Array
  readonly certificate: MomentCertificate
} {
  const alpha = PRIOR.map(share => PRIOR_PAIRS * share)
  const degree = likelihoods.length + PRIOR_PAIRS
  const supported = likelihoods.map(supportOf)
  let shares = start ?? PRIOR
  let objective = liftObjective(supported, alpha, shares)
  let gap = Number.POSITIVE_INFINITY
  let steps = 0
  for (; ; steps++) {
    const {gradient, curvature} = liftDerivatives(supported, alpha, shares)
    gap = Math.max(0, gradient.reduce((top, value) => Math.max(top, value)) - degree)
    if (gap <= gapPerPair * degree || steps === NEWTON_STEPS) break
    const step = gradient.map(value => value - degree)
    if (!choleskyFactor(curvature, step.length)) break
    choleskySolve(curvature, step.length, step)
    const next = searchAlong(supported, alpha, shares, step, objective)
    if (next === undefined) break
    shares = next.shares
    objective = next.objective
  }
  const status = gap <= gapPerPair * degree ? 'optimal' : 'step-limit'
  return {
    shares,
    certificate: {objective: -objective, lowerBound: -objective - gap, gap, steps, atoms: 0, cuts: 0, status}
  }
}

/** A likelihood with the range of lifts outside which it is 0. */
interface Supported {
  readonly likelihood: Float64Array
  readonly first: number
  readonly end: number
}

function supportOf(likelihood: Float64Array): Supported {
  let [first, end] = [0, likelihood.length]
  while (first < end && likelihood[first] === 0) first++
  while (end > first && likelihood[end - 1] === 0) end--
  return {likelihood, first, end}
}

function liftObjective(pairs: readonly Supported[], alpha: Float64Array, shares: Float64Array): number {
  let sum = 0
  for (let g = 0; g < shares.length; g++) sum += alpha[g] * log(shares[g])
  // A logarithm for many pairs: each factor is far from the end of the range of numbers.
  let product = 1
  for (const pair of pairs) {
    product *= mixed(pair, shares)
    if (product > 1e-150) continue
    sum += log(product)
    product = 1
  }
  return sum + log(product)
}

function mixed({likelihood, first, end}: Supported, shares: Float64Array): number {
  let total = 0
  for (let g = first; g < end; g++) total += shares[g] * likelihood[g]
  return total
}

/** Pairs whose products are summed before they are added to the curvature: fewer passes over it. */
const BLOCK = 4

/** The gradient, and the negative of the second derivatives. */
function liftDerivatives(pairs: readonly Supported[], alpha: Float64Array, shares: Float64Array) {
  const size = shares.length
  const gradient = alpha.map((value, g) => value / shares[g])
  const curvature = new Float64Array(size * size)
  for (let g = 0; g < size; g++) curvature[g * size + g] = gradient[g] / shares[g]
  // Pair b of a block, lift g at `BLOCK*g + b`.
  const ratios = new Float64Array(BLOCK * size)
  for (let from = 0; from < pairs.length; from += BLOCK) {
    ratios.fill(0)
    let [first, end] = [size, 0]
    for (let b = 0; b < BLOCK && from + b < pairs.length; b++) {
      const pair = pairs[from + b]
      const share = 1 / mixed(pair, shares)
      for (let g = pair.first; g < pair.end; g++) {
        const ratio = pair.likelihood[g] * share
        ratios[BLOCK * g + b] = ratio
        gradient[g] += ratio
      }
      first = Math.min(first, pair.first)
      end = Math.max(end, pair.end)
    }
    addProducts(ratios, curvature, size, first, end)
  }
  return {gradient, curvature}
}

/** Only the lower triangle is read. */
function addProducts(ratios: Float64Array, curvature: Float64Array, size: number, first: number, end: number): void {
  for (let g = first; g < end; g++) {
    const a = ratios[BLOCK * g]
    const b = ratios[BLOCK * g + 1]
    const c = ratios[BLOCK * g + 2]
    const d = ratios[BLOCK * g + 3]
    for (let at = BLOCK * first, cell = g * size + first; at <= BLOCK * g; at += BLOCK, cell++)
      curvature[cell] += a * ratios[at] + b * ratios[at + 1] + c * ratios[at + 2] + d * ratios[at + 3]
  }
}

/** The first of ever shorter steps, normalised, that raises the objective; undefined when rounding hides any gain. */
function searchAlong(
  pairs: readonly Supported[],
  alpha: Float64Array,
  shares: Float64Array,
  step: Float64Array,
  objective: number
) {
  for (let length = 1; length > 1e-10; length /= 2) {
    // No share loses more than nine tenths at once.
    const moved = normalised(shares.map((share, g) => Math.max(share + length * step[g], 0.1 * share)))
    const reached = liftObjective(pairs, alpha, moved)
    if (reached > objective) return {shares: moved, objective: reached}
  }
  return undefined
}

/** exp E[log lift] of a pair, and the 5% and 95% points of its lift; the grid lies around exp(location). */
export function liftPosterior(likelihood: Float64Array, shares: Float64Array, location = 0) {
  let [total, sum] = [0, 0]
  for (let g = 0; g < shares.length; g++) {
    const chance = likelihood[g] * shares[g]
    total += chance
    sum += chance * LOG_LIFTS[g]
  }
  const quantile = (share: number) => exp(location + logQuantile(likelihood, shares, share * total))
  return {lift: exp(location + sum / total), low: quantile(0.05), high: quantile(0.95)}
}

/** The log lift below which `mass` lies: that of each lift is spread evenly over the step around it. */
function logQuantile(likelihood: Float64Array, shares: Float64Array, mass: number): number {
  const step = LOG_LIFTS[1] - LOG_LIFTS[0]
  let left = mass
  for (let g = 0; g < shares.length; g++) {
    const chance = likelihood[g] * shares[g]
    if (chance >= left) return LOG_LIFTS[g] + step * (left / chance - 0.5)
    left -= chance
  }
  return LOG_LIFTS[LOG_LIFTS.length - 1]
}

function normalised(values: Float64Array): Float64Array {
  const total = values.reduce((sum, value) => sum + value, 0)
  return values.map(value => value / total)
}
