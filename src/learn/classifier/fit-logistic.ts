import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {dot, log} from '../../base/numeric/index.ts'
import {addMultiple, CurvaturePairs, searchLine} from './lbfgs.ts'
import {LogisticObjective, sumColumns} from './logistic-objective.ts'

import type {SparseRows} from './sparse-rows.ts'

/** P(label = 1 | x) = sigmoid(bias + the weights of the columns that are 1). */
export interface Classifier {
  readonly weights: Float64Array
  readonly bias: number
  readonly certificate: ClassifierCertificate
}

export interface ClassifierCertificate {
  /** The negative log-likelihood and its ridge, in nats, summed over rows. */
  readonly objective: number
  /** The greatest slope in any weight (the bias following the mean) or the bias, per unit of row weight. */
  readonly gradientNorm: number
  readonly steps: number
  /** 'stalled': rounding leaves nothing to gain, though the slope is above the tolerance. */
  readonly status: 'optimal' | 'step-limit' | 'stalled'
}

export interface LogisticOptions {
  /** One over the prior variance of each weight; the bias is free. */
  readonly ridge: number
  /** Done when `gradientNorm` is at most this. */
  readonly tolerance: number
  readonly stepLimit: number
  /** Columns that are not to be used: the concept's own anchor, for one. */
  readonly without: readonly number[]
  /** How much each row counts, 0 for not at all; every row 1 when left out. */
  readonly rowWeights: ArrayLike<number> | undefined
  /**
   * 'shares': every label lies in [0, 1]. 'any': only their mean has to lie between 0 and 1, as with labels that are estimates
   * of a hidden one; the objective is convex all the same, and the ridge keeps its minimum.
   */
  readonly labelRange: 'shares' | 'any'
}

export const logisticDefaults: LogisticOptions = {
  ridge: 1,
  tolerance: 1e-6,
  stepLimit: 500,
  without: [],
  rowWeights: undefined,
  labelRange: 'shares'
}

/** Pairs that L-BFGS remembers. */
const MEMORY = 10

/**
 * Ridge logistic regression on sparse binary rows: the one minimum of {@link LogisticObjective}.
 * `labels` are 0 or 1, or anything between for rows that are a 1 with that chance; beyond them only on demand (`labelRange`).
 *
 * Method: L-BFGS from weights 0 and the bias of the labels' share, scaled by the diagonal of the second derivative there. The
 * margins of the direction are computed once a step, so that the line search does not touch the features.
 * Cost: two passes over the features that are 1 each step. The ridge must be above 0 and both classes present: then the
 * minimum exists and is unique, on separable rows too.
 */
export function fitLogistic(
  rows: SparseRows,
  labels: ArrayLike<number>,
  options?: Partial<LogisticOptions>
): Classifier {
  const {ridge, tolerance, stepLimit, without, rowWeights: given, labelRange} = checkOptions(rows, options)
  const rowWeights = given ?? new Float64Array(rows.rowCount).fill(1)
  const {total, share} = checkLabels(rows, labels, rowWeights, labelRange)
  const pinned = new Uint8Array(rows.columnCount)
  for (const column of without) pinned[column] = 1
  const objective = new LogisticObjective({rows, labels, rowWeights, ridge, pinned})
  const pairs = new CurvaturePairs(objective.inverseDiagonal(total, share), MEMORY)

  const point = new Float64Array(rows.columnCount + 1)
  point[rows.columnCount] = log(share / (1 - share))
  const margins = new Float64Array(rows.rowCount).fill(point[rows.columnCount])
  const direction = new Float64Array(point.length)
  const changes = new Float64Array(rows.rowCount)
  let gradient = new Float64Array(point.length)
  let spare = new Float64Array(point.length)
  objective.gradient(point, margins, gradient)
  let value = objective.value(point, margins)

  for (let steps = 0; ; steps++) {
    const gradientNorm = largestEntry(gradient) / total
    const finish = (status: ClassifierCertificate['status']): Classifier => ({
      weights: point.slice(0, rows.columnCount),
      bias: objective.bias(point),
      certificate: {objective: value, gradientNorm, steps, status}
    })
    if (gradientNorm <= tolerance) return finish('optimal')
    if (steps === stepLimit) return finish('step-limit')
    pairs.direction(gradient, direction)
    objective.margins(direction, changes)
    const line = objective.alongLine(point, margins, direction, changes)
    const found = searchLine({value, slope: dot(gradient, direction)}, line)
    if (found === undefined) return finish('stalled')
    value = found.value
    addMultiple(margins, changes, found.t)
    for (let e = 0; e < direction.length; e++) direction[e] *= found.t
    addMultiple(point, direction, 1)
    objective.gradient(point, margins, spare)
    pairs.add(direction, gradient, spare)
    ;[gradient, spare] = [spare, gradient]
  }
}

/** The log-odds of a 1 for every row. */
export function logOdds({weights, bias}: Classifier, rows: SparseRows): Float64Array {
  if (weights.length !== rows.columnCount)
    throw new AdfaError(
      'mismatch',
      `the classifier knows ${weights.length} columns and the rows have ${rows.columnCount}; make both of one lexicon`
    )
  const scores = new Float64Array(rows.rowCount)
  sumColumns(rows, weights, bias, scores)
  return scores
}

function largestEntry(v: Float64Array): number {
  let largest = 0
  for (let e = 0; e < v.length; e++) largest = Math.max(largest, Math.abs(v[e]))
  return largest
}

function checkOptions(rows: SparseRows, options: Partial<LogisticOptions> | undefined): LogisticOptions {
  const full = withDefaults('fitLogistic', logisticDefaults, options)
  const refuse = (name: keyof LogisticOptions, rule: string, got: unknown) =>
    new AdfaError('bad-option', `fitLogistic option "${name}" must be ${rule}; got ${got}`)
  const {ridge, tolerance, stepLimit, without, labelRange} = full
  if (!(ridge > 0 && ridge < Number.POSITIVE_INFINITY))
    throw refuse('ridge', 'a number above 0, as without it separable rows have no minimum', ridge)
  if (!(tolerance > 0)) throw refuse('tolerance', 'a number above 0', tolerance)
  if (!(Number.isInteger(stepLimit) && stepLimit >= 0)) throw refuse('stepLimit', 'a whole number from 0 on', stepLimit)
  const odd = without.find(column => !(Number.isInteger(column) && column >= 0 && column < rows.columnCount))
  if (odd !== undefined) throw refuse('without', `a list of columns below ${rows.columnCount}`, odd)
  if (labelRange !== 'shares' && labelRange !== 'any') throw refuse('labelRange', "'shares' or 'any'", labelRange)
  return full
}

/** The sum of the row weights, and the share of it that is 1. */
function checkLabels(
  {rowCount}: SparseRows,
  labels: ArrayLike<number>,
  rowWeights: ArrayLike<number>,
  labelRange: LogisticOptions['labelRange']
) {
  if (labels.length !== rowCount || rowWeights.length !== rowCount)
    throw new AdfaError(
      'mismatch',
      `fitLogistic needs a label and a weight for each row; got ${rowCount} rows, ${labels.length} labels, ${rowWeights.length} weights`
    )
  let ones = 0
  let zeros = 0
  for (let d = 0; d < rowCount; d++) {
    if (!(labelRange === 'any' ? Number.isFinite(labels[d]) : labels[d] >= 0 && labels[d] <= 1))
      throw new AdfaError(
        'bad-option',
        `label of row ${d} must be a number${labelRange === 'any' ? '' : ' in [0, 1]'}; got ${labels[d]}`
      )
    if (!(rowWeights[d] >= 0 && rowWeights[d] < Number.POSITIVE_INFINITY))
      throw new AdfaError('bad-option', `weight of row ${d} must be a number from 0 on; got ${rowWeights[d]}`)
    ones += rowWeights[d] * labels[d]
    zeros += rowWeights[d] * (1 - labels[d])
  }
  if (labelRange === 'any' && !(ones > 0 && zeros > 0))
    throw new AdfaError(
      'bad-option',
      `the mean label must lie between 0 and 1, or no bias is the best; got ${ones / (ones + zeros)} over ${rowCount} rows; leave this concept out or correct its rates`
    )
  if (!(ones > 0 && zeros > 0))
    throw new AdfaError(
      'bad-option',
      `a classifier needs rows of both labels to tell them apart; got ${rowCount} rows, none of weight with label ${ones > 0 ? 0 : 1}; leave this concept out or bring more documents`
    )
  return {total: ones + zeros, share: ones / (ones + zeros)}
}
