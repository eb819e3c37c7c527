import {AdfaError, above, badOption, checkOptions, oneOf, type Rules, whole} from '../../base/checks/index.ts'
import {logit} from '../../base/numeric/index.ts'
import {addMultiple, Descent, searchLine} from './lbfgs.ts'
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
  /** The largest partial derivative, per unit of row weight. */
  readonly gradientNorm: number
  readonly steps: number
  /** 'stalled': rounding leaves nothing to gain, although `gradientNorm` is above the tolerance. */
  readonly status: 'optimal' | 'step-limit' | 'stalled'
}

export interface LogisticOptions {
  /** One over the prior variance of each weight; the bias is not regularised. */
  readonly ridge: number
  /** Done when `gradientNorm` is at most this. */
  readonly tolerance: number
  readonly stepLimit: number
  /** Columns to leave out, such as the concept's own anchor. */
  readonly without: readonly number[]
  /** The weight of each row; 1 for all by default. */
  readonly rowWeights: ArrayLike<number> | undefined
  /**
   * 'shares': every label lies in [0, 1]. 'any': only their mean lies between 0 and 1, as with estimates of hidden
   * labels; the objective remains convex, and the ridge guarantees a minimum.
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

const RULES: Rules<LogisticOptions> = {
  ridge: [above(0)[0], 'a number above 0: without it separable rows have no minimum'],
  tolerance: above(0),
  stepLimit: whole(0),
  labelRange: oneOf('shares', 'any')
}

/** Pairs that L-BFGS remembers. */
const MEMORY = 10

/**
 * Ridge logistic regression on sparse binary rows: the one minimum of {@link LogisticObjective}.
 * `labels` are 0, 1 or a probability of 1; values outside [0, 1] need `labelRange`.
 *
 * Method: L-BFGS from weights 0 and the bias of the labels' mean, scaled by the diagonal of the second derivative there.
 * The margins of the direction are computed once per step, so that the line search does not touch the features.
 * Cost: two passes per step over the features that are 1. With a ridge above 0 and both labels present the minimum exists
 * and is unique, on separable rows too.
 */
export function fitLogistic(
  rows: SparseRows,
  labels: ArrayLike<number>,
  options?: Partial<LogisticOptions>
): Classifier {
  const {ridge, tolerance, stepLimit, without, rowWeights: given, labelRange} = checked(rows, options)
  const rowWeights = given ?? new Float64Array(rows.rowCount).fill(1)
  const {total, share} = checkLabels(rows, labels, rowWeights, labelRange)
  const pinned = new Uint8Array(rows.columnCount)
  for (const column of without) pinned[column] = 1
  const objective = new LogisticObjective({rows, labels, rowWeights, ridge, pinned})
  const point = new Float64Array(rows.columnCount + 1)
  point[rows.columnCount] = logit(share)
  const margins = new Float64Array(rows.rowCount).fill(point[rows.columnCount])
  const changes = new Float64Array(rows.rowCount)
  const descent = new Descent(point, objective.inverseDiagonal(total, share), MEMORY)
  let value = objective.value(point, margins)

  for (let steps = 0; ; steps++) {
    descent.measure(gradient => objective.gradient(point, margins, gradient))
    const gradientNorm = largestEntry(descent.gradient) / total
    const finish = (status: ClassifierCertificate['status']): Classifier => ({
      weights: point.slice(0, rows.columnCount),
      bias: objective.bias(point),
      certificate: {objective: value, gradientNorm, steps, status}
    })
    if (gradientNorm <= tolerance) return finish('optimal')
    if (steps === stepLimit) return finish('step-limit')
    const slope = descent.aim()
    objective.margins(descent.direction, changes)
    const found = searchLine({value, slope}, objective.alongLine(point, margins, descent.direction, changes))
    if (found === undefined) return finish('stalled')
    value = found.value
    addMultiple(margins, changes, found.t)
    descent.move(found.t)
  }
}

/** The log-odds of a 1 for every row. */
export function logOdds({weights, bias}: Classifier, rows: SparseRows): Float64Array {
  if (weights.length !== rows.columnCount)
    throw new AdfaError(
      'mismatch',
      `the classifier has ${weights.length} columns and the rows have ${rows.columnCount}; make both with the same lexicon`
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

function checked(rows: SparseRows, options: Partial<LogisticOptions> | undefined): LogisticOptions {
  const full = checkOptions('fitLogistic', logisticDefaults, RULES, options)
  const odd = full.without.find(column => !(Number.isInteger(column) && column >= 0 && column < rows.columnCount))
  if (odd !== undefined) throw badOption('fitLogistic', 'without', `a list of columns below ${rows.columnCount}`, odd)
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
  const inRange = (label: number) => (labelRange === 'any' ? Number.isFinite(label) : label >= 0 && label <= 1)
  let [ones, zeros] = [0, 0]
  for (let d = 0; d < rowCount; d++) {
    if (!inRange(labels[d]))
      throw new AdfaError(
        'bad-option',
        `the label of row ${d} must be a number${labelRange === 'any' ? '' : ' in [0, 1]'}; got ${labels[d]}`
      )
    if (!(rowWeights[d] >= 0 && rowWeights[d] < Number.POSITIVE_INFINITY))
      throw new AdfaError('bad-option', `the weight of row ${d} must be a number, at least 0; got ${rowWeights[d]}`)
    ones += rowWeights[d] * labels[d]
    zeros += rowWeights[d] * (1 - labels[d])
  }
  if (!(ones > 0 && zeros > 0))
    throw new AdfaError(
      'bad-option',
      labelRange === 'any'
        ? `the mean label must lie between 0 and 1; got ${ones / (ones + zeros)} over ${rowCount} rows; leave this concept out or correct its rates`
        : `a classifier needs rows of both labels; none of ${rowCount} rows of positive weight has label ${ones > 0 ? 0 : 1}; leave this concept out or add documents`
    )
  return {total: ones + zeros, share: ones / (ones + zeros)}
}
