import {AdfaError, above, checkOptions, type Rules, whole} from '../../base/checks/index.ts'
import {dot, exp, log1p, logit, sigmoid} from '../../base/numeric/index.ts'
import {type SparseRows, sumColumns, sumRows} from './sparse-rows.ts'

/** L-BFGS remembers this many steps, as is usual. */
const MEMORY = 10
/** Trials of one line search, at most. */
const TRIAL_LIMIT = 60
/** Allowance for rounding in a sum of many terms: an increase by up to this share is not an increase. */
const VALUE_SLACK = 1e-11

/** P(label = 1 | x) = sigmoid(bias + the weights of the columns that are 1, times the scale of the row). */
export interface Classifier {
  readonly weights: Float64Array
  readonly bias: number
  readonly certificate: {
    readonly steps: number
    /** 'stalled': rounding leaves nothing to gain, although the gradient is above the tolerance. */
    readonly status: 'optimal' | 'step-limit' | 'stalled'
  }
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

const [isAbove] = above(0)
const RULES: Rules<LogisticOptions> = {
  ridge: [
    value => (value instanceof Float64Array ? value.every(isAbove) : isAbove(value)),
    'a number above 0: without it separable rows have no minimum'
  ],
  tolerance: above(0),
  stepLimit: whole(0)
}

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
  const {point, inverseDiagonal} = loss.start()
  const margins = loss.margins(point)
  const pairs: CurvaturePair[] = []
  let gradient = loss.gradient(point, margins)
  let {value} = loss.alongLine(point, point, margins, margins)(0)
  let status: Classifier['certificate']['status'] | undefined
  let steps = 0
  for (; ; steps++) {
    if (gradient.every(slope => Math.abs(slope) <= checked.tolerance * loss.total)) status = 'optimal'
    else if (steps === checked.stepLimit) status = 'step-limit'
    if (status !== undefined) break
    const direction = descentDirection(gradient, pairs, inverseDiagonal)
    const changes = loss.margins(direction)
    const start = {value, slope: dot(gradient, direction)}
    const found = searchLine(start, loss.alongLine(point, direction, margins, changes))
    if (found === undefined) {
      status = 'stalled'
      break
    }
    const {t} = found
    value = found.value
    addMultiple(point, direction, t)
    addMultiple(margins, changes, t)
    const next = loss.gradient(point, margins)
    const step = direction.map(entry => t * entry)
    const change = next.map((slope, e) => slope - gradient[e])
    pairs.push({step, change, product: dot(step, change)})
    if (pairs.length > MEMORY) pairs.shift()
    gradient = next
  }
  return {...loss.weightsAndBias(point), certificate: {steps, status}, errors: loss.errors(margins)}
}

/**
 * The objective F. A point holds the weights, then the centred bias c = b + sum_j w_j m_j, with m_j the mean of column j:
 * c hardly depends on the weights, while b follows every common word, which would cost four of five steps.
 */
function logisticLoss(rows: SparseRows, given: ArrayLike<number>, options: LogisticOptions) {
  const n = rows.columnCount
  const labels = Float64Array.from(given)
  const rowWeights = options.rowWeights === undefined ? labels.map(() => 1) : Float64Array.from(options.rowWeights)
  if (labels.length !== rows.rowCount || rowWeights.length !== rows.rowCount)
    throw new AdfaError(
      'mismatch',
      `fitLogistic needs a label and a weight for each row; got ${rows.rowCount} rows, ${labels.length} labels, ${rowWeights.length} weights`
    )
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
  const means = sumColumns(rows, scaled(rowWeights)).map(weight => weight / total)

  return {
    total,
    /** The start, and one over the second derivative where every row has the same probability of a 1. */
    start() {
      const squares = sumColumns(rows, scaled(scaled(rowWeights)))
      const spread = total * share * (1 - share)
      const inverseDiagonal = new Float64Array(n + 1).fill(1 / spread)
      for (let j = 0; j < n; j++)
        inverseDiagonal[j] = isFree[j] / (ridges[j] + spread * (squares[j] / total - means[j] ** 2))
      const point = new Float64Array(n + 1).fill(logit(share))
      point.set(centre)
      return {point, inverseDiagonal}
    },
    /** Returns z of every row at a point, or its change along a direction. */
    margins(point: Float64Array): Float64Array {
      const bias = point[n] - dot(means, point)
      return sumRows(rows, point).map(sum => sum + bias)
    },
    weightsAndBias: (point: Float64Array) => ({weights: point.slice(0, n), bias: point[n] - dot(means, point)}),
    gradient(point: Float64Array, margins: Float64Array): Float64Array {
      const residuals = margins.map((z, d) => rowWeights[d] * (sigmoid(z) - labels[d]))
      const biasSlope = sum(residuals)
      const sums = sumColumns(rows, scaled(residuals))
      const out = new Float64Array(n + 1).fill(biasSlope)
      for (let j = 0; j < n; j++)
        out[j] = isFree[j] * (ridges[j] * (point[j] - centre[j]) + sums[j] - biasSlope * means[j])
      return out
    },
    /** Returns F at point + t direction, with its first two derivatives in t. */
    alongLine(point: Float64Array, direction: Float64Array, margins: Float64Array, changes: Float64Array) {
      let [ww, wv, vv] = [0, 0, 0]
      for (let j = 0; j < n; j++) {
        const distance = point[j] - centre[j]
        ww += ridges[j] * distance * distance
        wv += ridges[j] * distance * direction[j]
        vv += ridges[j] * direction[j] * direction[j]
      }
      return (t: number): LinePoint => {
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
    },
    errors(margins: Float64Array): Float64Array {
      const spreads = margins.map((z, d) => rowWeights[d] * sigmoid(z) * sigmoid(-z))
      const all = sum(spreads)
      const squares = sumColumns(rows, scaled(scaled(spreads)))
      return squares.map((square, j) => 1 / Math.sqrt(ridges[j] + Math.max(0, square - means[j] ** 2 * all)))
    }
  }

  /** The values of rows times the scale of each row. */
  function scaled(values: Float64Array): Float64Array {
    const {scale} = rows
    return scale === undefined ? values : values.map((value, d) => scale[d] * value)
  }
}

/** A step of L-BFGS, the change of the gradient over it, and their scalar product, which is above 0. */
interface CurvaturePair {
  readonly step: Float64Array
  readonly change: Float64Array
  readonly product: number
}

/**
 * Returns -(approximate H^-1) gradient by the two-loop recursion of L-BFGS over the last steps, oldest first (Nocedal and
 * Wright, Algorithm 7.4). The recursion starts from `inverseDiagonal`, scaled to the last pair: word frequencies differ by
 * a factor of a thousand, which a multiple of the identity would ignore. Cost: four passes over the vector per pair.
 */
function descentDirection(
  gradient: Float64Array,
  pairs: readonly CurvaturePair[],
  inverseDiagonal: Float64Array
): Float64Array {
  const out = gradient.map(slope => -slope)
  const alphas = new Float64Array(pairs.length)
  for (let k = pairs.length - 1; k >= 0; k--) {
    const {step, change, product} = pairs[k]
    alphas[k] = dot(step, out) / product
    addMultiple(out, change, -alphas[k])
  }
  const last = pairs.at(-1)
  const square = last?.change.reduce((total, value, e) => total + value * value * inverseDiagonal[e], 0) ?? 1
  const scale = (last?.product ?? 1) / square
  for (let e = 0; e < out.length; e++) out[e] *= scale * inverseDiagonal[e]
  for (const [k, {step, change, product}] of pairs.entries())
    addMultiple(out, step, alphas[k] - dot(change, out) / product)
  return out
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0)
}

/** x += factor v */
function addMultiple(x: Float64Array, v: Float64Array, factor: number): void {
  for (let e = 0; e < x.length; e++) x[e] += factor * v[e]
}

/** A function of one variable at one point. */
interface LinePoint {
  readonly value: number
  readonly slope: number
  readonly curvature: number
}

/**
 * Finds a step t > 0 along a convex function that falls at 0: the slope has shrunk to half or less and the value has not risen.
 * Tries t = 1, then Newton steps on the slope inside the bracket given by the signs of the slopes. Where Newton leaves the
 * bracket, and every third time in case it creeps, halves the bracket or doubles t. The slope decides, not the value
 * alone, because near a minimum values differ by rounding only. Undefined when rounding leaves nothing to gain.
 */
function searchLine(
  start: Pick<LinePoint, 'value' | 'slope'>,
  at: (t: number) => LinePoint
): {t: number; value: number} | undefined {
  if (!(start.slope < 0)) return undefined
  const ceiling = start.value + VALUE_SLACK * Math.abs(start.value)
  let [low, high, t] = [0, Number.POSITIVE_INFINITY, 1]
  for (let trial = 0; trial < TRIAL_LIMIT; trial++) {
    const {value, slope, curvature} = at(t)
    if (Math.abs(slope) <= -0.5 * start.slope && value <= ceiling) return {t, value}
    if (slope < 0) low = t
    else high = t
    const newton = t - slope / curvature
    const bracketed = high < Number.POSITIVE_INFINITY
    if (newton > low && newton < high && !(bracketed && trial % 3 === 2)) t = newton
    else t = bracketed ? (low + high) / 2 : 2 * t
  }
  return undefined
}

/** Returns the log-odds of a 1 for every row. */
export function logOdds({weights, bias}: Pick<Classifier, 'weights' | 'bias'>, rows: SparseRows): Float64Array {
  return sumRows(rows, weights).map(score => score + bias)
}
