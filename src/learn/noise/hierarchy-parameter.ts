import {AdfaError} from '../../base/checks/index.ts'
import {choleskyFactor, choleskySolve} from '../../base/numeric/index.ts'
import type {Moments} from './hierarchy-cells.ts'

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

/** What labels say of a parameter they hardly touch, as 1 / variance; keeps the variance finite. */
const LEAST_INFORMATION = 1e-3

/** The coefficients and spread of greatest expected likelihood and prior. */
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

/** x' V x of each concept: V is the covariance of the coefficients, given what labels say of each concept. */
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
    throw new AdfaError('bad-rates', 'the rates of the concepts cannot be pooled: what is known of them is not finite')
  return matrix
}
