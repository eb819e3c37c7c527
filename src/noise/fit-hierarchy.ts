import {AdfaError, choleskyFactor, choleskySolve, exp, log} from '../numeric/index.ts'

/** What the labels of one concept say of its parameters: their likelihood, spread over cells of parameter space. */
export interface HierarchyCells {
  /** By parameter, its value in each cell. */
  readonly values: readonly Float64Array[]
  /** Likelihood times the size of each cell, up to a factor. */
  readonly masses: Float64Array
}

/** One parameter of every concept, drawn around a linear function of what is known about the concept without labels. */
export interface HierarchyParameter {
  /** By concept; a 1 for the intercept among them. */
  readonly predictors: readonly (readonly number[])[]
  /** Normal priors of the coefficients. */
  readonly priorMean: readonly number[]
  readonly priorDeviation: readonly number[]
  /** The spread of concepts around the function, before any label; it counts as much as `spreadWeight` concepts. */
  readonly priorSpread: number
  readonly spreadWeight: number
}

export interface FittedParameter {
  readonly coefficients: Float64Array
  readonly spread: number
}

export interface Hierarchy {
  /** By concept, the posterior probability of each of its cells. */
  readonly posteriors: readonly Float64Array[]
  readonly parameters: readonly FittedParameter[]
  readonly rounds: number
  readonly status: 'converged' | 'round-limit'
}

/** Degrees of freedom: heavy tails, so that one odd anchor neither widens the spread of all nor is drawn in by them. */
const FREEDOM = 4
const ROUND_LIMIT = 200
/** Spreads of the first parameter that are tried, as multiples of the one before any label. */
const SPREAD_FACTORS = [0.4, 0.63, 1, 1.6, 2.5]
/** Of the change of a coefficient or a spread in one round: a hundredth of what the labels leave open. */
const TOLERANCE = 1e-3
/** What labels say of a parameter they hardly touch, as 1 / variance; keeps the variance finite. */
const LEAST_INFORMATION = 1e-3

/**
 * Parameters of many concepts that resemble each other: a parameter is its linear function plus a Student t variable of
 * 4 degrees of freedom, times the spread. Sums over cells stand for integrals over the parameters of a concept, and a sum
 * over spreads, each as probable as it makes the labels, for that over the spread of the first parameter: few labels
 * leave it open by a factor of two, and intervals have to know. Coefficients and other spreads are by EM
 * (a t variable is a normal one of random precision); what is uncertain about coefficients widens each prior.
 *
 * Cost: some tens of rounds over all cells.
 */
export function fitHierarchy(
  concepts: readonly HierarchyCells[],
  parameters: readonly HierarchyParameter[]
): Hierarchy {
  const [first] = parameters
  const climbs: Climb[] = []
  let start = parameters.map(
    ({priorMean, priorSpread}): FittedParameter => ({
      coefficients: Float64Array.from(priorMean),
      spread: priorSpread
    })
  )
  for (const factor of SPREAD_FACTORS) {
    const climb = climbToTop(concepts, parameters, [
      {...start[0], spread: factor * first.priorSpread},
      ...start.slice(1)
    ])
    climbs.push(climb)
    start = climb.fitted
  }
  const best = climbs.reduce((a, b) => (b.logEvidence > a.logEvidence ? b : a))
  const chances = climbs.map(({logEvidence}) => exp(logEvidence - best.logEvidence))
  const total = chances.reduce((sum, chance) => sum + chance, 0)
  const posteriors = concepts.map(({masses}) => new Float64Array(masses.length))
  climbs.forEach(({fitted, moments}, at) => {
    const priors = widened(parameters, fitted, moments)
    concepts.forEach((cells, i) => {
      const {weights} = posterior(cells, priors[i])
      for (let cell = 0; cell < weights.length; cell++) posteriors[i][cell] += (chances[at] / total) * weights[cell]
    })
  })
  return {
    posteriors,
    parameters: best.fitted,
    rounds: climbs.reduce((sum, {rounds}) => sum + rounds, 0),
    status: climbs.every(({isDone}) => isDone) ? 'converged' : 'round-limit'
  }
}

interface Climb {
  readonly fitted: FittedParameter[]
  readonly moments: readonly (readonly Moments[])[]
  readonly logEvidence: number
  readonly rounds: number
  readonly isDone: boolean
}

/** EM from `start`; the spread of the first parameter stays. */
function climbToTop(
  concepts: readonly HierarchyCells[],
  parameters: readonly HierarchyParameter[],
  start: FittedParameter[]
): Climb {
  let fitted = start
  for (let rounds = 1; ; rounds++) {
    const priors = priorsOf(parameters, fitted, concepts.length)
    let logEvidence = parameters.reduce((sum, parameter, k) => sum + logPrior(parameter, fitted[k]), 0)
    const moments = concepts.map((cells, i) => {
      const {weights, total} = posterior(cells, priors[i])
      logEvidence += log(total)
      return momentsOf(cells, weights, priors[i])
    })
    const next = parameters.map((parameter, k) => {
      const own = moments.map(all => all[k])
      const better = maximize(parameter, own, fitted[k].spread)
      return k === 0 ? {...better, spread: fitted[k].spread} : better
    })
    const isDone = next.every((now, k) => largestChange(fitted[k], now) <= TOLERANCE)
    if (isDone || rounds === ROUND_LIMIT) return {fitted, moments, logEvidence, rounds, isDone}
    fitted = next
  }
}

/** Of the coefficients, and of the log of the spread (a scaled inverse chi-square), up to a constant. */
function logPrior(parameter: HierarchyParameter, {coefficients, spread}: FittedParameter): number {
  const {priorMean, priorDeviation, priorSpread, spreadWeight} = parameter
  const sum = spreadWeight * (-log(spread) - priorSpread ** 2 / (2 * spread ** 2))
  return coefficients.reduce((total, x, h) => total - ((x - priorMean[h]) / priorDeviation[h]) ** 2 / 2, sum)
}

/** The priors of all concepts, wider by what is uncertain about the coefficients. */
function widened(
  parameters: readonly HierarchyParameter[],
  fitted: readonly FittedParameter[],
  moments: Climb['moments']
): Prior[][] {
  const extra = parameters.map((parameter, k) =>
    predictionVariances(
      parameter,
      moments.map(all => all[k]),
      fitted[k].spread
    )
  )
  return priorsOf(parameters, fitted, moments.length).map((priors, i) =>
    priors.map(({center, variance}, k) => ({center, variance: variance + extra[k][i]}))
  )
}

interface Prior {
  readonly center: number
  readonly variance: number
}

/** Of one parameter of one concept; u is the precision that makes a normal variable a t variable. */
interface Moments {
  readonly variance: number
  /** E[u]. */
  readonly precision: number
  /** E[u x]. */
  readonly weighted: number
  /** E[u (x - center)^2]. */
  readonly squared: number
}

function priorsOf(parameters: readonly HierarchyParameter[], fitted: readonly FittedParameter[], m: number): Prior[][] {
  return Array.from({length: m}, (_, i) =>
    parameters.map(({predictors}, k) => ({
      center: predictors[i].reduce((sum, x, h) => sum + x * fitted[k].coefficients[h], 0),
      variance: fitted[k].spread ** 2
    }))
  )
}

/** The probability of each cell, and that of the labels. */
function posterior({values, masses}: HierarchyCells, priors: readonly Prior[]): {weights: Float64Array; total: number} {
  const weights = Float64Array.from(masses)
  priors.forEach(({center, variance}, k) => {
    const x = values[k]
    // The t density to the power -(freedom + 1) / 2 = -2.5.
    for (let cell = 0; cell < weights.length; cell++) {
      const base = 1 + (x[cell] - center) ** 2 / (FREEDOM * variance)
      weights[cell] /= base * base * Math.sqrt(base)
    }
  })
  let total = 0
  for (let cell = 0; cell < weights.length; cell++) total += weights[cell]
  for (let cell = 0; cell < weights.length; cell++) weights[cell] /= total
  for (const {variance} of priors) total /= Math.sqrt(variance)
  return {weights, total}
}

function momentsOf({values}: HierarchyCells, weights: Float64Array, priors: readonly Prior[]): Moments[] {
  return priors.map(({center, variance}, k) => {
    const x = values[k]
    let [mean, second, precision, weighted, squared] = [0, 0, 0, 0, 0]
    for (let cell = 0; cell < weights.length; cell++) {
      const distance = x[cell] - center
      const u = (FREEDOM + 1) / (FREEDOM + (distance * distance) / variance)
      mean += weights[cell] * distance
      second += weights[cell] * distance * distance
      precision += weights[cell] * u
      weighted += weights[cell] * u * x[cell]
      squared += weights[cell] * u * distance * distance
    }
    return {variance: second - mean * mean, precision, weighted, squared}
  })
}

/** The coefficients and spread of greatest expected likelihood and prior. */
function maximize(parameter: HierarchyParameter, moments: readonly Moments[], spread: number): FittedParameter {
  const {priorMean, priorDeviation, priorSpread, spreadWeight, predictors} = parameter
  const precisions = moments.map(({precision}) => precision / spread ** 2)
  const target = Float64Array.from(priorMean, (mean, h) => mean / priorDeviation[h] ** 2)
  moments.forEach(({weighted}, i) => {
    for (let h = 0; h < target.length; h++) target[h] += (predictors[i][h] * weighted) / spread ** 2
  })
  choleskySolve(coefficientFactor(parameter, precisions), target.length, target)
  const squares = moments.reduce((sum, {squared}) => sum + squared, 0)
  const variance = (squares + spreadWeight * priorSpread ** 2) / (moments.length + spreadWeight)
  return {coefficients: target, spread: Math.sqrt(variance)}
}

/** x' V x of each concept: V is the covariance of the coefficients, given what labels say of each concept. */
function predictionVariances(parameter: HierarchyParameter, moments: readonly Moments[], spread: number): number[] {
  const precisions = moments.map(({variance}) => {
    const information = Math.max(1 / variance - 1 / spread ** 2, LEAST_INFORMATION)
    return 1 / (spread ** 2 + 1 / information)
  })
  const factor = coefficientFactor(parameter, precisions)
  return parameter.predictors.map(x => {
    const solved = Float64Array.from(x)
    choleskySolve(factor, x.length, solved)
    return x.reduce((sum, value, h) => sum + value * solved[h], 0)
  })
}

/** The Cholesky factor of sum_i precision_i x_i x_i' and the prior's precisions. */
function coefficientFactor(parameter: HierarchyParameter, precisions: readonly number[]): Float64Array {
  const {priorDeviation, predictors} = parameter
  const size = priorDeviation.length
  const matrix = new Float64Array(size * size)
  for (let h = 0; h < size; h++) matrix[h * size + h] = 1 / priorDeviation[h] ** 2
  predictors.forEach((x, i) => {
    for (let h = 0; h < size; h++) for (let l = 0; l < size; l++) matrix[h * size + l] += precisions[i] * x[h] * x[l]
  })
  if (!choleskyFactor(matrix, size))
    throw new AdfaError('bad-rates', 'the rates of the concepts cannot be pooled: what is known of them is not finite')
  return matrix
}

function largestChange(before: FittedParameter, now: FittedParameter): number {
  return now.coefficients.reduce(
    (largest, coefficient, h) => Math.max(largest, Math.abs(coefficient - before.coefficients[h])),
    Math.abs(now.spread - before.spread)
  )
}
