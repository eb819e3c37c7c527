import {AdfaError} from '../../base/checks/index.ts'
import {choleskyFactor, choleskySolve, log} from '../../base/numeric/index.ts'

/** The likelihood of the labels of one concept over cells of its parameter space. */
export interface HierarchyCells {
  /** By parameter, its value in each cell. */
  readonly values: readonly Float64Array[]
  /** Likelihood times the size of each cell, up to a factor. */
  readonly masses: Float64Array
}

/** The prior of a parameter of one concept. */
export interface Prior {
  readonly center: number
  readonly variance: number
}

/** Of one parameter of one concept; u is the precision that makes a normal variable a t variable. */
export interface Moments {
  readonly variance: number
  /** E[u]. */
  readonly precision: number
  /** E[u x]. */
  readonly weighted: number
  /** E[u (x - center)^2]. */
  readonly squared: number
}

/** Degrees of freedom: heavy tails, so that one odd anchor neither widens the spread of all nor is shrunk by them. */
const FREEDOM = 4

/** The probability of each cell. */
export function posterior({values, masses}: HierarchyCells, priors: readonly Prior[]): Float64Array {
  const weights = Float64Array.from(masses)
  priors.forEach(({center, variance}, k) => {
    for (let cell = 0; cell < weights.length; cell++)
      weights[cell] *= density(1 + (values[k][cell] - center) ** 2 / (FREEDOM * variance))
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map(weight => weight / total)
}

/** E step: moments of all parameters of a concept, and the log-probability of its labels, in one pass. */
export function momentsOf({values, masses}: HierarchyCells, priors: readonly Prior[]) {
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

export interface FittedParameter {
  readonly coefficients: Float64Array
  readonly spread: number
}

/** The least information of labels about a parameter, as 1 / variance; keeps the variance finite. */
const LEAST_INFORMATION = 1e-3

/** M step: the coefficients and spread that maximise expected likelihood and prior. */
export function maximize(parameter: HierarchyParameter, moments: readonly Moments[], spread: number): FittedParameter {
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
export function predictionVariances(
  parameter: HierarchyParameter,
  moments: readonly Moments[],
  spread: number
): number[] {
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
