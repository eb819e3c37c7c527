import {AdfaError} from '../../base/checks/index.ts'
import {dot, exp, log1p, logit, sigmoid} from '../../base/numeric/index.ts'
import {type Minimum, minimise} from './minimise.ts'
import {type SparseRows, sumLists, sumRows} from './sparse-rows.ts'

/** A classifier with P(label = 1 | x) = sigmoid(bias + scale of the row * sum of the weights of its columns). */
export interface Classifier {
  readonly weights: Float64Array
  readonly bias: number
  readonly certificate: Pick<Minimum, 'steps' | 'status'>
}

export interface LogisticOptions {
  /** One over the prior variance of the weights, for all columns or for each; the bias is not regularised. */
  readonly ridge: number | Float64Array
  /** The prior mean of each weight, where the descent starts; 0 by default. */
  readonly centre: Float64Array | undefined
  /** The fit ends when no partial derivative of F, divided by the sum of the row weights, exceeds this in absolute value. */
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

/**
 * Fits a ridge logistic regression on sparse rows: finds the unique minimum of
 *
 *     F(w, b) = sum_d s_d [log(1 + exp z_d) - y_d z_d] + sum_j ridge_j/2 (w_j - centre_j)^2,  z_d = b + scale_d (sum of w_j in row d)
 *
 * for labels y with row weights s. A label is 0, 1, a probability of 1, or an estimate of an unknown label, which may be below
 * 0 or above 1. If the mean label lies between 0 and 1 the minimum exists and is unique, on separable rows too.
 *
 * Method: L-BFGS from the centre, scaled by the diagonal of the Hessian there. `errors()` are the posterior standard errors of
 * the weights with the other weights fixed and the bias optimal: one over the root of the second derivative.
 * Cost: two passes per step over the features that are 1.
 */
export function fitLogistic(
  rows: SparseRows,
  labels: ArrayLike<number>,
  given?: Partial<LogisticOptions>
): Classifier & {errors(): Float64Array} {
  const options = {...logisticDefaults, ...given}
  const loss = logisticLoss(rows, labels, options)
  const {point, margins, ...certificate} = minimise(loss, options.tolerance * loss.total, options.stepLimit)
  return {...loss.classifierAt(point, margins), certificate}
}

/**
 * Creates the objective F. A point holds the weights, then the centred bias c = b + sum_j w_j m_j, with m_j the mean of column
 * j. The best c hardly depends on the weights; the best b depends on every common word, and would take five times as many steps.
 */
function logisticLoss(rows: SparseRows, given: ArrayLike<number>, options: LogisticOptions) {
  const n = rows.columnCount
  const labels = Float64Array.from(given)
  const rowWeights = options.rowWeights === undefined ? labels.map(() => 1) : Float64Array.from(options.rowWeights)
  const ridges = typeof options.ridge === 'number' ? new Float64Array(n).fill(options.ridge) : options.ridge
  const centre = options.centre ?? new Float64Array(n)
  // 0 for columns that are left out, whose weight stays where it starts; otherwise 1.
  const isFree = new Uint8Array(n).fill(1)
  for (const column of options.without) isFree[column] = 0
  const total = sum(rowWeights)
  const meanLabel = dot(rowWeights, labels) / total
  if (!(meanLabel > 0 && meanLabel < 1))
    throw new AdfaError(
      'bad-option',
      `the mean label must lie between 0 and 1; got ${meanLabel} over ${rows.rowCount} rows; leave this concept out, add documents or correct its rates`
    )
  const means = sumLists(rows.columns, scaled(rowWeights)).map(weight => weight / total)
  const start = new Float64Array(n + 1).fill(logit(meanLabel))
  start.set(centre)
  // The Hessian is approximated by its value where every row has the mean label as its probability of a 1.
  const curvature = total * meanLabel * (1 - meanLabel)
  const inverseDiagonal = new Float64Array(n + 1).fill(1 / curvature)
  sumLists(rows.columns, scaled(scaled(rowWeights))).forEach((square, j) => {
    inverseDiagonal[j] = isFree[j] / (ridges[j] + curvature * (square / total - means[j] ** 2))
  })

  return {
    total,
    start,
    inverseDiagonal,
    /** Returns z of every row. */
    margins(point: Float64Array): Float64Array {
      const bias = point[n] - dot(means, point)
      const margins = sumRows(rows, point)
      for (let d = 0; d < margins.length; d++) margins[d] += bias
      return margins
    },
    evaluate(point: Float64Array, margins: Float64Array) {
      // `residuals` are s_d (P(y_d = 1) - y_d). The value and the gradient share one exponential per row.
      const residuals = new Float64Array(margins.length)
      let value = 0
      for (let j = 0; j < n; j++) value += (ridges[j] / 2) * (point[j] - centre[j]) ** 2
      for (let d = 0; d < margins.length; d++) {
        const z = margins[d]
        const e = exp(-Math.abs(z))
        value += rowWeights[d] * (Math.max(z, 0) + log1p(e) - labels[d] * z)
        residuals[d] = rowWeights[d] * ((z > 0 ? 1 : e) / (1 + e) - labels[d])
      }
      const gradient = () => {
        const biasSlope = sum(residuals)
        const sums = sumLists(rows.columns, scaled(residuals))
        const out = new Float64Array(n + 1).fill(biasSlope)
        for (let j = 0; j < n; j++)
          out[j] = isFree[j] * (ridges[j] * (point[j] - centre[j]) + sums[j] - biasSlope * means[j])
        return out
      }
      return {value, gradient}
    },
    classifierAt(point: Float64Array, margins: Float64Array) {
      const errors = () => {
        const variances = margins.map((z, d) => rowWeights[d] * sigmoid(z) * sigmoid(-z))
        const all = sum(variances)
        return sumLists(rows.columns, scaled(scaled(variances))).map(
          (square, j) => 1 / Math.sqrt(ridges[j] + Math.max(0, square - means[j] ** 2 * all))
        )
      }
      return {weights: point.slice(0, n), bias: point[n] - dot(means, point), errors}
    }
  }

  /** Multiplies the value of each row by its scale. */
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
