import {AdfaError, above, checkOptions, type Rules, whole} from '../../base/checks/index.ts'
import {dot, exp, log1p, logit, sigmoid} from '../../base/numeric/index.ts'
import {addMultiple, type CurvaturePair, descentDirection, type LinePoint, searchLine} from './lbfgs.ts'
import {type SparseRows, sumColumns, sumRows} from './sparse-rows.ts'

/** P(label = 1 | x) = sigmoid(bias + the weights of the columns that are 1, times the scale of the row). */
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

/** A classifier with the posterior standard error of each weight, the others fixed. */
export interface LogisticFit extends Classifier {
  readonly errors: Float64Array
}

export interface LogisticOptions {
  /** One over the prior variance of each weight, of all or of each column; the bias is not regularised. */
  readonly ridge: number | Float64Array
  /** The prior mean of each weight, where the descent starts; 0 by default. */
  readonly centre: Float64Array | undefined
  /** The descent ends when `gradientNorm` is at most this. */
  readonly tolerance: number
  readonly stepLimit: number
  /** Columns to leave out, such as the concept's own anchor. */
  readonly without: readonly number[]
  /** The weight of each row; 1 for all by default. */
  readonly rowWeights: ArrayLike<number> | undefined
}

export const logisticDefaults: LogisticOptions = {
  ridge: 1,
  centre: undefined,
  tolerance: 1e-6,
  stepLimit: 500,
  without: [],
  rowWeights: undefined
}

const [isAbove] = above(0)
const RULES: Rules<LogisticOptions> = {
  ridge: [
    value => (value instanceof Float64Array ? value.every(isAbove) : isAbove(value)),
    'a number above 0: without it separable rows have no minimum'
  ],
  tolerance: above(0),
  stepLimit: whole(0)
}

/** L-BFGS remembers this many steps. */
const MEMORY = 10

/**
 * Ridge logistic regression on sparse rows: finds the one minimum of
 *
 *     F(w, b) = sum_d s_d [log(1 + exp z_d) - y_d z_d] + sum_j ridge_j/2 (w_j - centre_j)^2,  z_d = b + the weights of row d
 *
 * for labels y with row weights s. Labels are 0, 1, a probability of 1, or an estimate of a hidden label beyond 0 and 1:
 * where their mean lies between 0 and 1 the minimum exists and is unique, on separable rows too.
 *
 * Method: L-BFGS from the centre, scaled by the diagonal of the second derivative there. The line search does not touch the
 * features, because the margins of a direction are computed once. Standard errors are one over the root of the second
 * derivative in one weight, the bias at its best. Cost: two passes per step over the features that are 1.
 */
export function fitLogistic(
  rows: SparseRows,
  labels: ArrayLike<number>,
  options?: Partial<LogisticOptions>
): LogisticFit {
  const checked = checkOptions('fitLogistic', logisticDefaults, RULES, options)
  checkData(rows, labels, checked)
  const loss = new LogisticLoss(rows, labels, checked)
  const point = loss.start()
  const margins = loss.margins(point)
  const inverseDiagonal = loss.inverseDiagonal()
  const pairs: CurvaturePair[] = []
  let gradient = loss.gradient(point, margins)
  let value = loss.alongLine({point, margins, direction: point, changes: margins})(0).value
  let status: ClassifierCertificate['status'] = 'step-limit'
  let steps = 0
  for (; ; steps++) {
    if (loss.relativeNorm(gradient) <= checked.tolerance) status = 'optimal'
    if (status === 'optimal' || steps === checked.stepLimit) break
    const direction = descentDirection(gradient, pairs, inverseDiagonal)
    const changes = loss.margins(direction)
    const start = {value, slope: dot(gradient, direction)}
    const found = searchLine(start, loss.alongLine({point, direction, margins, changes}))
    if (found === undefined) {
      status = 'stalled'
      break
    }
    value = found.value
    addMultiple(point, direction, found.t)
    addMultiple(margins, changes, found.t)
    const next = loss.gradient(point, margins)
    const step = direction.map(entry => found.t * entry)
    const change = next.map((slope, e) => slope - gradient[e])
    pairs.push({step, change, product: dot(step, change)})
    if (pairs.length > MEMORY) pairs.shift()
    gradient = next
  }
  const certificate = {objective: value, gradientNorm: loss.relativeNorm(gradient), steps, status}
  return {...loss.weightsAndBias(point), certificate, errors: loss.errors(margins)}
}

/** A line through a point, with the margins z of every row at the point and their changes along the direction. */
interface Line {
  readonly point: Float64Array
  readonly direction: Float64Array
  readonly margins: Float64Array
  readonly changes: Float64Array
}

/**
 * The objective F. A point holds the weights, then the centred bias c = b + sum_j w_j m_j, with m_j the mean of column j:
 * c hardly depends on the weights, while b follows every common word, which would cost four of five steps.
 */
class LogisticLoss {
  readonly #rows: SparseRows
  readonly #labels: Float64Array
  readonly #rowWeights: Float64Array
  readonly #ridges: Float64Array
  readonly #centre: Float64Array
  /** 1 for columns whose weight stays 0. */
  readonly #isPinned: Uint8Array
  /** The mean and the variance of each column over the rows, and the sum of the row weights. */
  readonly #means: Float64Array
  readonly #variances: Float64Array
  readonly #total: number
  /** The mean label. */
  readonly #share: number

  constructor(rows: SparseRows, labels: ArrayLike<number>, {ridge, centre, without, rowWeights}: LogisticOptions) {
    const n = rows.columnCount
    this.#rows = rows
    this.#labels = Float64Array.from(labels)
    this.#rowWeights = rowWeights === undefined ? this.#labels.map(() => 1) : Float64Array.from(rowWeights)
    this.#ridges = typeof ridge === 'number' ? new Float64Array(n).fill(ridge) : ridge
    this.#centre = centre ?? new Float64Array(n)
    this.#isPinned = new Uint8Array(n)
    for (const column of without) this.#isPinned[column] = 1
    this.#total = this.#rowWeights.reduce((sum, s) => sum + s, 0)
    this.#share = dot(this.#rowWeights, this.#labels) / this.#total
    const scaled = this.#scaled(this.#rowWeights)
    this.#means = sumColumns(rows, scaled).map(sum => sum / this.#total)
    const squares = sumColumns(rows, this.#scaled(scaled))
    this.#variances = squares.map((sum, j) => sum / this.#total - this.#means[j] ** 2)
  }

  start(): Float64Array {
    const point = new Float64Array(this.#means.length + 1)
    point.set(this.#centre)
    point[this.#means.length] = logit(this.#share)
    return point
  }

  /** One over the second derivative where every row has the same probability of a 1. */
  inverseDiagonal(): Float64Array {
    const n = this.#means.length
    const spread = this.#total * this.#share * (1 - this.#share)
    const inverse = new Float64Array(n + 1)
    for (let j = 0; j < n; j++) inverse[j] = this.#isPinned[j] ? 0 : 1 / (this.#ridges[j] + spread * this.#variances[j])
    inverse[n] = 1 / spread
    return inverse
  }

  /** Returns z of every row at a point, or its change along a direction. */
  margins(point: Float64Array): Float64Array {
    const n = this.#means.length
    const bias = point[n] - dot(point.subarray(0, n), this.#means)
    const out = sumRows(this.#rows, point, new Float64Array(this.#rows.rowCount))
    for (let d = 0; d < out.length; d++) out[d] += bias
    return out
  }

  weightsAndBias(point: Float64Array): {weights: Float64Array; bias: number} {
    const weights = point.slice(0, this.#means.length)
    return {weights, bias: point[this.#means.length] - dot(this.#means, weights)}
  }

  gradient(point: Float64Array, margins: Float64Array): Float64Array {
    const residuals = margins.map((z, d) => this.#rowWeights[d] * (sigmoid(z) - this.#labels[d]))
    const biasSlope = residuals.reduce((sum, residual) => sum + residual, 0)
    const sums = sumColumns(this.#rows, this.#scaled(residuals))
    const out = new Float64Array(point.length)
    for (let j = 0; j < sums.length; j++)
      if (!this.#isPinned[j])
        out[j] = this.#ridges[j] * (point[j] - this.#centre[j]) + sums[j] - biasSlope * this.#means[j]
    out[sums.length] = biasSlope
    return out
  }

  /** The largest partial derivative, per unit of row weight. */
  relativeNorm(gradient: Float64Array): number {
    return gradient.reduce((largest, slope) => Math.max(largest, Math.abs(slope)), 0) / this.#total
  }

  /** Returns F at point + t direction, with its first two derivatives in t. */
  alongLine({point, direction, margins, changes}: Line): (t: number) => LinePoint {
    let [ww, wv, vv] = [0, 0, 0]
    for (let j = 0; j < this.#ridges.length; j++) {
      const distance = point[j] - this.#centre[j]
      ww += this.#ridges[j] * distance * distance
      wv += this.#ridges[j] * distance * direction[j]
      vv += this.#ridges[j] * direction[j] * direction[j]
    }
    const [rowWeights, labels] = [this.#rowWeights, this.#labels]
    return t => {
      let value = ww / 2 + t * wv + (t * t * vv) / 2
      let slope = wv + t * vv
      let curvature = vv
      for (let d = 0; d < rowWeights.length; d++) {
        const s = rowWeights[d]
        if (s === 0) continue
        const z = margins[d] + t * changes[d]
        const tail = exp(-Math.abs(z))
        const likely = 1 / (1 + tail)
        value += s * (Math.max(z, 0) + log1p(tail) - labels[d] * z)
        slope += s * ((z >= 0 ? likely : tail * likely) - labels[d]) * changes[d]
        curvature += s * tail * likely * likely * changes[d] * changes[d]
      }
      return {value, slope, curvature}
    }
  }

  errors(margins: Float64Array): Float64Array {
    const spreads = margins.map((z, d) => this.#rowWeights[d] * sigmoid(z) * sigmoid(-z))
    const all = spreads.reduce((sum, spread) => sum + spread, 0)
    const squares = sumColumns(this.#rows, this.#scaled(this.#scaled(spreads)))
    return squares.map((sum, j) => 1 / Math.sqrt(this.#ridges[j] + Math.max(0, sum - this.#means[j] ** 2 * all)))
  }

  /** The values of rows times the scale of each row. */
  #scaled(values: Float64Array): Float64Array {
    const {scale} = this.#rows
    return scale === undefined ? values : values.map((value, d) => scale[d] * value)
  }
}

/** Returns the log-odds of a 1 for every row. */
export function logOdds({weights, bias}: Pick<Classifier, 'weights' | 'bias'>, rows: SparseRows): Float64Array {
  if (weights.length !== rows.columnCount)
    throw new AdfaError(
      'mismatch',
      `the classifier has ${weights.length} columns and the rows have ${rows.columnCount}; make both with the same lexicon`
    )
  return sumRows(rows, weights, new Float64Array(rows.rowCount)).map(score => score + bias)
}

function checkData({rowCount}: SparseRows, labels: ArrayLike<number>, {rowWeights}: LogisticOptions): void {
  if (labels.length !== rowCount || (rowWeights !== undefined && rowWeights.length !== rowCount))
    throw new AdfaError(
      'mismatch',
      `fitLogistic needs a label and a weight for each row; got ${rowCount} rows, ${labels.length} labels, ${rowWeights?.length ?? rowCount} weights`
    )
  let [ones, zeros] = [0, 0]
  for (let d = 0; d < rowCount; d++) {
    const weight = rowWeights?.[d] ?? 1
    ones += weight * labels[d]
    zeros += weight * (1 - labels[d])
  }
  if (!(ones > 0 && zeros > 0))
    throw new AdfaError(
      'bad-option',
      `the mean label must lie between 0 and 1; got ${ones / (ones + zeros)} over ${rowCount} rows; leave this concept out, add documents or correct its rates`
    )
}
