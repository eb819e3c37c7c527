import {AdfaError, above, badOption, checkOptions, oneOf, type Rules, whole} from '../../base/checks/index.ts'
import {dot, exp, log1p, logit} from '../../base/numeric/index.ts'
import {addMultiple, Descent, type LinePoint, searchLine} from './lbfgs.ts'
import {RowPasses, type SparseRows, TOGETHER} from './sparse-rows.ts'

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

export interface LogisticOptions {
  /** One over the prior variance of each weight, of all or of each column; the bias is not regularised. */
  readonly ridge: number | Float64Array
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

const [isAbove] = above(0)
const RULES: Rules<LogisticOptions> = {
  ridge: [
    value => (value instanceof Float64Array ? value.every(isAbove) : isAbove(value)),
    'a number above 0: without it separable rows have no minimum'
  ],
  tolerance: above(0),
  stepLimit: whole(0),
  labelRange: oneOf('shares', 'any')
}

/** Pairs that L-BFGS remembers. */
const MEMORY = 10

/**
 * Ridge logistic regression on sparse rows: the one minimum of
 * F(w, b) = sum_d s_d [log(1 + exp z_d) - y_d z_d] + sum_j ridge_j/2 w_j^2, z_d = b + the weights of row d, for labels y
 * with row weights s. `labels` are 0, 1 or a probability of 1; values outside [0, 1] need `labelRange`.
 * Cost: two passes per step over the features that are 1. With a ridge above 0 and both labels present the minimum exists
 * and is unique, on separable rows too.
 */
export function fitLogistic(
  rows: SparseRows,
  labels: ArrayLike<number>,
  options?: Partial<LogisticOptions>
): Classifier {
  const checked = checkedOptions(rows, options)
  checkLabels(rows, labels, checked)
  const {errors: _, ...classifier} = fitLogistics(rows, [{labels}], checked)[0]
  return classifier
}

/** A classifier with the posterior standard error of each weight, the others fixed. */
export interface LogisticFit extends Classifier {
  readonly errors: Float64Array
}

/** One of several regressions on the same rows. */
export interface LogisticTask {
  readonly labels: ArrayLike<number>
  /** The mean of the prior of each weight, where the descent starts; 0 by default. */
  readonly centre?: Float64Array
}

/**
 * Several regressions as in {@link fitLogistic}, whose weights shrink towards the centre of each. Where all labels are
 * equal the weights stay at the centre.
 *
 * Method: L-BFGS from the centre, scaled by the diagonal of the second derivative there. A point holds the weights, then the
 * centred bias c = b + sum_j w_j m_j, with m_j the mean of column j: c hardly depends on the weights, while b follows every
 * common word, which would cost four of five steps. Four regressions share their passes over the rows, and the
 * margins of a direction are computed once, so that the line search does not touch the features. Standard errors are one
 * over the root of the second derivative in one weight, the bias at its best.
 */
export function fitLogistics(
  rows: SparseRows,
  tasks: readonly LogisticTask[],
  options?: Partial<LogisticOptions>
): LogisticFit[] {
  const {ridge, tolerance, stepLimit, without, rowWeights: given} = checkedOptions(rows, options)
  const rowWeights = given === undefined ? new Float64Array(rows.rowCount).fill(1) : Float64Array.from(given)
  const shared: Shared = {
    rows,
    rowWeights,
    ridges: typeof ridge === 'number' ? new Float64Array(rows.columnCount).fill(ridge) : ridge,
    isPinned: new Uint8Array(rows.columnCount),
    ...columnMoments(rows, rowWeights)
  }
  for (const column of without) shared.isPinned[column] = 1
  const passes = new RowPasses(rows)
  const found: LogisticFit[] = []
  for (let first = 0; first < tasks.length; first += TOGETHER) {
    const block = tasks.slice(first, first + TOGETHER).map(task => new Regression(task, shared))
    descend(block, passes, {tolerance, stepLimit})
    passes.sumColumns(
      block.map(regression => regression.readSpreads()),
      block.map(({sums}) => sums)
    )
    found.push(...block.map(regression => ({...regression.result(), errors: regression.errors()})))
  }
  return found
}

function descend(
  block: readonly Regression[],
  passes: RowPasses,
  {tolerance, stepLimit}: Pick<LogisticOptions, 'tolerance' | 'stepLimit'>
): void {
  let moving = block.filter(regression => regression.isOpen)
  passes.sumRows(
    moving.map(({descent}) => descent.point),
    moving.map(({margins}) => margins)
  )
  for (const regression of moving) regression.begin()
  for (let step = 0; moving.length > 0; step++) {
    passes.sumColumns(
      moving.map(regression => regression.readResiduals()),
      moving.map(({sums}) => sums)
    )
    moving = moving.filter(regression => regression.aim(tolerance, step === stepLimit))
    passes.sumRows(
      moving.map(({descent}) => descent.direction),
      moving.map(({changes}) => changes)
    )
    moving = moving.filter(regression => regression.advance())
  }
}

/** What regressions on the same rows have in common. */
interface Shared {
  readonly rows: SparseRows
  readonly rowWeights: Float64Array
  readonly ridges: Float64Array
  /** 1 for columns whose weight stays 0. */
  readonly isPinned: Uint8Array
  /** Mean and variance of each column over the rows, and the sum of the row weights. */
  readonly means: Float64Array
  readonly variances: Float64Array
  readonly total: number
}

/** One regression; the caller passes over the rows for several at once. */
class Regression {
  readonly isOpen: boolean
  readonly descent: Descent
  /** z of every row at the point, and along the direction. */
  readonly margins: Float64Array
  readonly changes: Float64Array
  /** The residuals summed over the rows that have each column. */
  readonly sums: Float64Array
  readonly #shared: Shared
  readonly #labels: ArrayLike<number>
  readonly #centre: Float64Array
  readonly #residuals: Float64Array
  #biasSlope = 0
  #allSpreads = 0
  #value = 0
  #slope = 0
  #gradientNorm = 0
  #steps = 0
  #status: ClassifierCertificate['status'] = 'optimal'

  constructor({labels, centre}: LogisticTask, shared: Shared) {
    const {rows, rowWeights, ridges, isPinned, variances, total} = shared
    const n = rows.columnCount
    this.#shared = shared
    this.#labels = labels
    this.#centre = centre ?? new Float64Array(n)
    const share = dot(rowWeights, Float64Array.from(labels)) / total
    this.isOpen = share > 0 && share < 1
    this.margins = new Float64Array(rows.rowCount)
    this.changes = new Float64Array(rows.rowCount)
    this.#residuals = new Float64Array(rows.rowCount)
    this.sums = new Float64Array(n)
    const start = new Float64Array(n + 1)
    start.set(this.#centre)
    start[n] = this.isOpen ? logit(share) : 0
    // One over the second derivative where every row has the same probability of a 1.
    const spread = total * share * (1 - share)
    const inverse = new Float64Array(n + 1)
    for (let j = 0; j < n; j++) inverse[j] = isPinned[j] ? 0 : 1 / (ridges[j] + spread * variances[j])
    inverse[n] = this.isOpen ? 1 / spread : 1
    this.descent = new Descent(start, inverse, MEMORY)
  }

  begin(): void {
    this.#addBias(this.descent.point, this.margins)
    this.#value = this.#alongLine()(0).value
  }

  /** The residuals s (P(y = 1) - y) of every row, times its scale. */
  readResiduals(): Float64Array {
    const {rowWeights, rows} = this.#shared
    this.#biasSlope = 0
    for (let d = 0; d < rowWeights.length; d++) {
      const tail = exp(-Math.abs(this.margins[d]))
      const residual = rowWeights[d] * ((this.margins[d] >= 0 ? 1 : tail) / (1 + tail) - this.#labels[d])
      this.#biasSlope += residual
      this.#residuals[d] = rows.scale === undefined ? residual : rows.scale[d] * residual
    }
    return this.#residuals
  }

  /** Takes the gradient, given `sums`, and sets the direction; false where the descent ends. */
  aim(tolerance: number, isLast: boolean): boolean {
    const {ridges, isPinned, means, total} = this.#shared
    const {point} = this.descent
    const n = means.length
    this.descent.measure(out => {
      for (let j = 0; j < n; j++)
        out[j] = isPinned[j] ? 0 : ridges[j] * (point[j] - this.#centre[j]) + this.sums[j] - this.#biasSlope * means[j]
      out[n] = this.#biasSlope
    })
    this.#gradientNorm = largestEntry(this.descent.gradient) / total
    this.#status = this.#gradientNorm <= tolerance ? 'optimal' : 'step-limit'
    if (this.#status === 'optimal' || isLast) return false
    this.#slope = this.descent.aim()
    return true
  }

  /** Moves along the direction, given `changes`; false where rounding leaves nothing to gain. */
  advance(): boolean {
    this.#addBias(this.descent.direction, this.changes)
    const found = searchLine({value: this.#value, slope: this.#slope}, this.#alongLine())
    if (found === undefined) {
      this.#status = 'stalled'
      return false
    }
    this.#value = found.value
    this.#steps++
    addMultiple(this.margins, this.changes, found.t)
    this.descent.move(found.t)
    return true
  }

  /** P (1 - P) s of every row, times its scale squared. */
  readSpreads(): Float64Array {
    const {rowWeights, rows} = this.#shared
    this.#allSpreads = 0
    for (let d = 0; d < rowWeights.length; d++) {
      const tail = exp(-Math.abs(this.margins[d]))
      const spread = this.isOpen ? (rowWeights[d] * tail) / (1 + tail) ** 2 : 0
      this.#allSpreads += spread
      this.#residuals[d] = rows.scale === undefined ? spread : rows.scale[d] ** 2 * spread
    }
    return this.#residuals
  }

  /** Given `sums` of {@link readSpreads}. */
  errors(): Float64Array {
    const {ridges, means} = this.#shared
    return this.sums.map((sum, j) => 1 / Math.sqrt(ridges[j] + Math.max(0, sum - means[j] ** 2 * this.#allSpreads)))
  }

  result(): Classifier {
    const {means} = this.#shared
    const weights = this.descent.point.slice(0, means.length)
    return {
      weights,
      bias: this.descent.point[means.length] - dot(means, weights),
      certificate: {
        objective: this.#value,
        gradientNorm: this.#gradientNorm,
        steps: this.#steps,
        status: this.#status
      }
    }
  }

  /** Adds the bias, c - sum_j w_j m_j, to every row. */
  #addBias(point: Float64Array, margins: Float64Array): void {
    const {means} = this.#shared
    let bias = point[means.length]
    for (let j = 0; j < means.length; j++) bias -= point[j] * means[j]
    for (let d = 0; d < margins.length; d++) margins[d] += bias
  }

  /** F at point + t direction, with its first two derivatives in t, given the margins of both. */
  #alongLine(): (t: number) => LinePoint {
    const {rowWeights, ridges} = this.#shared
    const {point, direction} = this.descent
    let [ww, wv, vv] = [0, 0, 0]
    for (let j = 0; j < ridges.length; j++) {
      const distance = point[j] - this.#centre[j]
      ww += ridges[j] * distance * distance
      wv += ridges[j] * distance * direction[j]
      vv += ridges[j] * direction[j] * direction[j]
    }
    return t => {
      let value = ww / 2 + t * wv + (t * t * vv) / 2
      let slope = wv + t * vv
      let curvature = vv
      for (let d = 0; d < rowWeights.length; d++) {
        const s = rowWeights[d]
        if (s === 0) continue
        const change = this.changes[d]
        const z = this.margins[d] + t * change
        const tail = exp(-Math.abs(z))
        const likely = 1 / (1 + tail)
        value += s * (Math.max(z, 0) + log1p(tail) - this.#labels[d] * z)
        slope += s * ((z >= 0 ? likely : tail * likely) - this.#labels[d]) * change
        curvature += s * tail * likely * likely * change * change
      }
      return {value, slope, curvature}
    }
  }
}

/** Mean and variance of each column, and the sum of the row weights. */
function columnMoments({starts, indices, rowCount, columnCount, scale}: SparseRows, rowWeights: Float64Array) {
  const means = new Float64Array(columnCount)
  const squares = new Float64Array(columnCount)
  let total = 0
  for (let d = 0; d < rowCount; d++) {
    const x = scale === undefined ? 1 : scale[d]
    total += rowWeights[d]
    for (let at = starts[d]; at < starts[d + 1]; at++) {
      means[indices[at]] += rowWeights[d] * x
      squares[indices[at]] += rowWeights[d] * x * x
    }
  }
  for (let j = 0; j < columnCount; j++) means[j] /= total
  return {means, variances: squares.map((square, j) => square / total - means[j] ** 2), total}
}

/** The log-odds of a 1 for every row. */
export function logOdds({weights, bias}: Pick<Classifier, 'weights' | 'bias'>, rows: SparseRows): Float64Array {
  if (weights.length !== rows.columnCount)
    throw new AdfaError(
      'mismatch',
      `the classifier has ${weights.length} columns and the rows have ${rows.columnCount}; make both with the same lexicon`
    )
  const scores = new Float64Array(rows.rowCount)
  new RowPasses(rows).sumRows([weights], [scores])
  return scores.map(score => score + bias)
}

function largestEntry(v: Float64Array): number {
  let largest = 0
  for (let e = 0; e < v.length; e++) largest = Math.max(largest, Math.abs(v[e]))
  return largest
}

function checkedOptions(rows: SparseRows, options: Partial<LogisticOptions> | undefined): LogisticOptions {
  const full = checkOptions('fitLogistic', logisticDefaults, RULES, options)
  const odd = full.without.find(column => !(Number.isInteger(column) && column >= 0 && column < rows.columnCount))
  if (odd !== undefined) throw badOption('fitLogistic', 'without', `a list of columns below ${rows.columnCount}`, odd)
  return full
}

function checkLabels(
  {rowCount}: SparseRows,
  labels: ArrayLike<number>,
  {rowWeights, labelRange}: Pick<LogisticOptions, 'rowWeights' | 'labelRange'>
): void {
  if (labels.length !== rowCount || (rowWeights !== undefined && rowWeights.length !== rowCount))
    throw new AdfaError(
      'mismatch',
      `fitLogistic needs a label and a weight for each row; got ${rowCount} rows, ${labels.length} labels, ${rowWeights?.length ?? rowCount} weights`
    )
  const inRange = (label: number) => (labelRange === 'any' ? Number.isFinite(label) : label >= 0 && label <= 1)
  let [ones, zeros] = [0, 0]
  for (let d = 0; d < rowCount; d++) {
    const weight = rowWeights?.[d] ?? 1
    if (!inRange(labels[d]))
      throw new AdfaError(
        'bad-option',
        `the label of row ${d} must be a number${labelRange === 'any' ? '' : ' in [0, 1]'}; got ${labels[d]}`
      )
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY))
      throw new AdfaError('bad-option', `the weight of row ${d} must be a number, at least 0; got ${weight}`)
    ones += weight * labels[d]
    zeros += weight * (1 - labels[d])
  }
  if (ones > 0 && zeros > 0) return
  throw new AdfaError(
    'bad-option',
    labelRange === 'any'
      ? `the mean label must lie between 0 and 1; got ${ones / (ones + zeros)} over ${rowCount} rows; leave this concept out or correct its rates`
      : `a classifier needs rows of both labels; none of ${rowCount} rows of positive weight has label ${ones > 0 ? 0 : 1}; leave this concept out or add documents`
  )
}
