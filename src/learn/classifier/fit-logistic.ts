import {AdfaError, above, checkOptions, type Rules, whole} from '../../base/checks/index.ts'
import {dot, exp, log1p, logit, sigmoid} from '../../base/numeric/index.ts'
import {type Minimum, minimise} from './minimise.ts'
import {type SparseRows, sumLists, sumRows} from './sparse-rows.ts'

/** P(label = 1 | x) = sigmoid(bias + the weights of the columns that are 1, times the scale of the row). */
export interface Classifier {
  readonly weights: Float64Array
  readonly bias: number
  readonly certificate: Pick<Minimum, 'steps' | 'status'>
}

export interface LogisticOptions {
  /** One over the prior variance of each weight, of all or of each column; the bias is not regularised. */
  readonly ridge: number | Float64Array
  /** The prior mean of each weight, where the descent starts; 0 by default. */
  readonly centre: Float64Array | undefined
  /** The descent ends when the largest partial derivative, per unit of row weight, is at most this. */
  readonly tolerance: number
  readonly stepLimit: number
  /** Columns to leave out, such as the concept's own anchor. */
  readonly without: readonly number[]
  /** The weight of each row; 1 for all by default. */
  readonly rowWeights: ArrayLike<number> | undefined
}

const logisticDefaults: LogisticOptions = {
  ridge: 1,
  centre: undefined,
  tolerance: 1e-6,
  stepLimit: 500,
  without: [],
  rowWeights: undefined
}

const RULES: Rules<LogisticOptions> = {tolerance: above(0), stepLimit: whole(0)}

/**
 * Ridge logistic regression on sparse rows: finds the one minimum of
 *
 *     F(w, b) = sum_d s_d [log(1 + exp z_d) - y_d z_d] + sum_j ridge_j/2 (w_j - centre_j)^2,  z_d = b + the weights of row d
 *
 * for labels y with row weights s. Labels are 0, 1, a probability of 1, or an estimate of a hidden label beyond 0 and 1:
 * where their mean lies between 0 and 1 the minimum exists and is unique, on separable rows too.
 *
 * Method: L-BFGS from the centre, scaled by the diagonal of the second derivative there. The line search does not touch the
 * features, because the margins of a direction are computed once. `errors` are the posterior standard errors of the weights, the
 * other weights fixed: one over the root of the second derivative in one weight, the bias at its best.
 * Cost: two passes per step over the features that are 1.
 */
export function fitLogistic(
  rows: SparseRows,
  labels: ArrayLike<number>,
  options?: Partial<LogisticOptions>
): Classifier & {readonly errors: Float64Array} {
  const checked = checkOptions('fitLogistic', logisticDefaults, RULES, options)
  const loss = logisticLoss(rows, labels, checked)
  const {point, margins, ...certificate} = minimise(loss, checked.tolerance * loss.total, checked.stepLimit)
  return {...loss.result(point, margins), certificate}
}

/**
 * The objective F. A point holds the weights, then the centred bias c = b + sum_j w_j m_j, with m_j the mean of column j:
 * c hardly depends on the weights, while b follows every common word, which would cost four of five steps.
 */
function logisticLoss(rows: SparseRows, given: ArrayLike<number>, options: LogisticOptions) {
  const n = rows.columnCount
  const labels = Float64Array.from(given)
  const rowWeights = options.rowWeights === undefined ? labels.map(() => 1) : Float64Array.from(options.rowWeights)
  const ridges = typeof options.ridge === 'number' ? new Float64Array(n).fill(options.ridge) : options.ridge
  const centre = options.centre ?? new Float64Array(n)
  /** 0 for columns whose weight stays 0. */
  const isFree = new Uint8Array(n).fill(1)
  for (const column of options.without) isFree[column] = 0
  const total = sum(rowWeights)
  const share = dot(rowWeights, labels) / total
  if (!(share > 0 && share < 1))
    throw new AdfaError(
      'bad-option',
      `the mean label must lie between 0 and 1; got ${share} over ${rows.rowCount} rows; leave this concept out, add documents or correct its rates`
    )
  const means = sumLists(rows.columns, scaled(rowWeights)).map(weight => weight / total)
  const start = new Float64Array(n + 1).fill(logit(share))
  start.set(centre)
  /** One over the second derivative where every row has the same probability of a 1. */
  const spread = total * share * (1 - share)
  const inverseDiagonal = new Float64Array(n + 1).fill(1 / spread)
  sumLists(rows.columns, scaled(scaled(rowWeights))).forEach((square, j) => {
    inverseDiagonal[j] = isFree[j] / (ridges[j] + spread * (square / total - means[j] ** 2))
  })

  return {
    total,
    start,
    inverseDiagonal,
    /** Returns z of every row at a point, or its change along a direction. */
    margins(point: Float64Array): Float64Array {
      const bias = point[n] - dot(means, point)
      return sumRows(rows, point).map(sum => sum + bias)
    },
    gradient(point: Float64Array, margins: Float64Array): Float64Array {
      const residuals = margins.map((z, d) => rowWeights[d] * (sigmoid(z) - labels[d]))
      const biasSlope = sum(residuals)
      const sums = sumLists(rows.columns, scaled(residuals))
      const out = new Float64Array(n + 1).fill(biasSlope)
      for (let j = 0; j < n; j++)
        out[j] = isFree[j] * (ridges[j] * (point[j] - centre[j]) + sums[j] - biasSlope * means[j])
      return out
    },
    /** Returns F at a point, given its margins. */
    value(point: Float64Array, margins: Float64Array): number {
      let value = 0
      for (let j = 0; j < n; j++) value += (ridges[j] / 2) * (point[j] - centre[j]) ** 2
      for (let d = 0; d < margins.length; d++) {
        if (rowWeights[d] === 0) continue
        const z = margins[d]
        value += rowWeights[d] * (Math.max(z, 0) + log1p(exp(-Math.abs(z))) - labels[d] * z)
      }
      return value
    },
    result(point: Float64Array, margins: Float64Array) {
      const spreads = margins.map((z, d) => rowWeights[d] * sigmoid(z) * sigmoid(-z))
      const all = sum(spreads)
      const errors = sumLists(rows.columns, scaled(scaled(spreads))).map(
        (square, j) => 1 / Math.sqrt(ridges[j] + Math.max(0, square - means[j] ** 2 * all))
      )
      return {weights: point.slice(0, n), bias: point[n] - dot(means, point), errors}
    }
  }

  /** The values of rows times the scale of each row. */
  function scaled(values: Float64Array): Float64Array {
    const {scale} = rows
    return scale === undefined ? values : values.map((value, d) => scale[d] * value)
  }
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Returns the log-odds of a 1 for every row. */
export function logOdds({weights, bias}: Pick<Classifier, 'weights' | 'bias'>, rows: SparseRows): Float64Array {
  return sumRows(rows, weights).map(score => score + bias)
}
