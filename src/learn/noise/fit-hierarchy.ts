import {AdfaError} from '../../base/checks/index.ts'
import {choleskyFactor, choleskySolve, exp, log} from '../../base/numeric/index.ts'

export interface Hierarchy {
  /** By concept, the posterior probability of each of its cells. */
  readonly posteriors: readonly Float64Array[]
  readonly parameters: readonly FittedParameter[]
  readonly rounds: number
  readonly status: 'converged' | 'round-limit'
}

const ROUND_LIMIT = 200
/** Spreads of the first parameter as multiples of the prior one, the smallest last: EM is slow where concepts are alike. */
const SPREAD_FACTORS = [2.5, 1.6, 1, 0.63, 0.4]
/** Of the change of a coefficient or a spread: a hundredth of their uncertainty. */
const TOLERANCE = 1e-3

/**
 * A hierarchical model of many concepts: each parameter is a linear function of predictors plus the spread times a Student
 * t variable of 4 degrees of freedom. Parameters of a concept are integrated out by sums over cells; so is the spread of
 * the first parameter, which few labels leave uncertain by a factor of two. Coefficients and other spreads are fitted by
 * EM (a t variable is a normal one of random precision); their uncertainty widens each prior.
 * Cost: some tens of rounds over all cells.
 */
export function fitHierarchy(
  concepts: readonly HierarchyCells[],
  parameters: readonly HierarchyParameter[]
): Hierarchy {
  const [first] = parameters
  const climbs: Climb[] = []
  let fitted = parameters.map(
    (own): FittedParameter => ({coefficients: Float64Array.from(own.priorMean), spread: own.priorSpread})
  )
  for (const factor of SPREAD_FACTORS) {
    const [start, ...others] = fitted
    const climb = climbToTop(concepts, parameters, [{...start, spread: factor * first.priorSpread}, ...others])
    climbs.push(climb)
    fitted = climb.fitted
  }
  const best = climbs.reduce((a, b) => (b.logEvidence > a.logEvidence ? b : a))
  const chances = climbs.map(({logEvidence}) => exp(logEvidence - best.logEvidence))
  return {
    posteriors: mixedPosteriors(concepts, parameters, climbs, chances),
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

/** EM from `start`; the spread of the first parameter is fixed. */
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
      const found = momentsOf(cells, priors[i])
      logEvidence += found.logEvidence
      return found.moments
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

/** The posteriors averaged over the spreads by their probability. */
function mixedPosteriors(
  concepts: readonly HierarchyCells[],
  parameters: readonly HierarchyParameter[],
  climbs: readonly Climb[],
  chances: readonly number[]
): Float64Array[] {
  const total = chances.reduce((sum, chance) => sum + chance, 0)
  const mixed = concepts.map(({masses}) => new Float64Array(masses.length))
  climbs.forEach(({fitted, moments}, at) => {
    const priors = widened(parameters, fitted, moments)
    concepts.forEach((cells, i) => {
      const weights = posterior(cells, priors[i])
      for (let cell = 0; cell < weights.length; cell++) mixed[i][cell] += (chances[at] / total) * weights[cell]
    })
  })
  return mixed
}

/** The priors of all concepts, widened by the uncertainty of the coefficients. */
function widened(
  parameters: readonly HierarchyParameter[],
  fitted: readonly FittedParameter[],
  moments: Climb['moments']
): Prior[][] {
  const extra = parameters.map((parameter, k) => {
    const own = moments.map(all => all[k])
    return predictionVariances(parameter, own, fitted[k].spread)
  })
  return priorsOf(parameters, fitted, moments.length).map((priors, i) =>
    priors.map(({center, variance}, k) => ({center, variance: variance + extra[k][i]}))
  )
}

function priorsOf(parameters: readonly HierarchyParameter[], fitted: readonly FittedParameter[], m: number): Prior[][] {
  return Array.from({length: m}, (_, i) =>
    parameters.map(({predictors}, k) => ({
      center: predictors[i].reduce((sum, x, h) => sum + x * fitted[k].coefficients[h], 0),
      variance: fitted[k].spread ** 2
    }))
  )
}

function largestChange(before: FittedParameter, now: FittedParameter): number {
  return now.coefficients.reduce(
    (largest, coefficient, h) => Math.max(largest, Math.abs(coefficient - before.coefficients[h])),
    Math.abs(now.spread - before.spread)
  )
}

/** The likelihood of one concept's labels over cells of its parameter space. */
export interface HierarchyCells {
  /** By parameter, its value in each cell. */
  readonly values: readonly Float64Array[]
  /** Likelihood times the size of each cell, up to a factor. */
  readonly masses: Float64Array
}

/** The prior of a parameter of one concept. */
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

/** Degrees of freedom: with heavy tails, one odd anchor neither widens the spread of all nor is shrunk by them. */
const FREEDOM = 4

/** The probability of each cell. */
function posterior({values, masses}: HierarchyCells, priors: readonly Prior[]): Float64Array {
  const weights = Float64Array.from(masses)
  priors.forEach(({center, variance}, k) => {
    for (let cell = 0; cell < weights.length; cell++)
      weights[cell] *= density(1 + (values[k][cell] - center) ** 2 / (FREEDOM * variance))
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map(weight => weight / total)
}

/** E step: moments of all parameters of a concept, and the log-probability of its labels, in one pass. */
function momentsOf({values, masses}: HierarchyCells, priors: readonly Prior[]) {
  const K = priors.length
  const sums = priors.map(() => new Float64Array(5))
  const [distances, bases] = [new Float64Array(K), new Float64Array(K)]
  let total = 0
  for (let cell = 0; cell < masses.length; cell++) {
    let weight = masses[cell]
    for (let k = 0; k < K; k++) {
      distances[k] = values[k][cell] - priors[k].center
      bases[k] = 1 + (distances[k] * distances[k]) / (FREEDOM * priors[k].variance)
      weight *= density(bases[k])
    }
    total += weight
    for (let k = 0; k < K; k++) {
      const own = sums[k]
      const precise = (weight * (FREEDOM + 1)) / (FREEDOM * bases[k])
      own[0] += weight * distances[k]
      own[1] += weight * distances[k] * distances[k]
      own[2] += precise
      own[3] += precise * distances[k]
      own[4] += precise * distances[k] * distances[k]
    }
  }
  let logEvidence = log(total)
  for (const {variance} of priors) logEvidence -= log(variance) / 2
  const moments = sums.map((own, k): Moments => {
    const [mean, second, precision, shift, squared] = own.map(sum => sum / total)
    const weighted = shift + precision * priors[k].center
    return {variance: second - mean * mean, precision, weighted, squared}
  })
  return {moments, logEvidence}
}

/** A t density up to a factor: a power of -(freedom + 1) / 2 = -2.5. */
function density(base: number): number {
  return 1 / (base * base * Math.sqrt(base))
}

/** One parameter of every concept, distributed around a linear function of predictors known without labels. */
export interface HierarchyParameter {
  /** By concept, with a 1 for the intercept. */
  readonly predictors: readonly (readonly number[])[]
  /** Normal priors of the coefficients. */
  readonly priorMean: readonly number[]
  readonly priorDeviation: readonly number[]
  /** The prior spread of concepts around the function, worth `spreadWeight` concepts. */
  readonly priorSpread: number
  readonly spreadWeight: number
}

interface FittedParameter {
  readonly coefficients: Float64Array
  readonly spread: number
}

/** The least information of labels about a parameter, as 1 / variance; keeps the variance finite. */
const LEAST_INFORMATION = 1e-3

/** M step: the coefficients and spread that maximise expected likelihood and prior. */
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

/** x' V x of each concept: V is the covariance of the coefficients given the labels. */
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
    throw new AdfaError('bad-rates', 'cannot pool the rates of the concepts: a predictor is not finite')
  return matrix
}
