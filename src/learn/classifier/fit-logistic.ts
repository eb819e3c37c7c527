import {AdfaError, above, checkOptions, type Rules, whole} from '../../base/checks/index.ts'
import {clamp, dot, exp, log1p, logit, sigmoid} from '../../base/numeric/index.ts'
import {type SparseRows, sumLists, sumRows} from './sparse-rows.ts'

/** L-BFGS remembers this many steps, as is usual. */
const MEMORY = 10
/** Trials of one line search, at most. */
const TRIAL_LIMIT = 60
/** The share of the decrease by the slope alone that a step must reach, as is usual. */
const MIN_DECREASE = 1e-4
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
 * features, because the margins of a direction are computed once. `errors()` are the posterior standard errors of the weights, the
 * other weights fixed: one over the root of the second derivative in one weight, the bias at its best.
 * Cost: two passes per step over the features that are 1.
 */
export function fitLogistic(
  rows: SparseRows,
  labels: ArrayLike<number>,
  options?: Partial<LogisticOptions>
): Classifier & {errors(): Float64Array} {
  const checked = checkOptions('fitLogistic', logisticDefaults, RULES, options)
  const loss = logisticLoss(rows, labels, checked)
  const isOptimal = () => gradient.every(slope => Math.abs(slope) <= checked.tolerance * loss.total)
  const finish = (status: Classifier['certificate']['status']) => ({
    ...loss.result(point, margins),
    certificate: {steps, status}
  })
  let point: Float64Array = loss.start
  let margins = loss.margins(point)
  let {value, residuals} = loss.value(point, margins)
  let gradient = loss.gradient(point, residuals)
  let steps = 0
  const pairs: CurvaturePair[] = []
  for (; !isOptimal(); steps++) {
    if (steps === checked.stepLimit) return finish('step-limit')
    const direction = descentDirection(gradient, pairs, loss.inverseDiagonal)
    const changes = loss.margins(direction)
    const found = searchLine(value, dot(gradient, direction), t => {
      const trial = {point: sumWith(point, direction, t), margins: sumWith(margins, changes, t)}
      return {...trial, ...loss.value(trial.point, trial.margins)}
    })
    if (found === undefined) return finish('stalled')
    const next = loss.gradient(found.point, found.residuals)
    const [step, change] = [sumWith(found.point, point, -1), sumWith(next, gradient, -1)]
    pairs.push({step, change, product: dot(step, change)})
    if (pairs.length > MEMORY) pairs.shift()
    ;({point, margins, value, residuals} = found)
    gradient = next
  }
  return finish('optimal')
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
      const margins = sumRows(rows, point)
      for (let d = 0; d < margins.length; d++) margins[d] += bias
      return margins
    },
    /** Returns the gradient of F at a point, given its residuals. */
    gradient(point: Float64Array, residuals: Float64Array): Float64Array {
      const biasSlope = sum(residuals)
      const sums = sumLists(rows.columns, scaled(residuals))
      const out = new Float64Array(n + 1).fill(biasSlope)
      for (let j = 0; j < n; j++)
        out[j] = isFree[j] * (ridges[j] * (point[j] - centre[j]) + sums[j] - biasSlope * means[j])
      return out
    },
    /** Returns F at a point, given its margins, and the residuals s_d (P(y_d = 1) - y_d) of the rows: both need one exponential. */
    value(point: Float64Array, margins: Float64Array): {readonly value: number; readonly residuals: Float64Array} {
      const residuals = new Float64Array(margins.length)
      let value = 0
      for (let j = 0; j < n; j++) value += (ridges[j] / 2) * (point[j] - centre[j]) ** 2
      for (let d = 0; d < margins.length; d++) {
        const z = margins[d]
        const e = exp(-Math.abs(z))
        value += rowWeights[d] * (Math.max(z, 0) + log1p(e) - labels[d] * z)
        residuals[d] = rowWeights[d] * ((z > 0 ? 1 : e) / (1 + e) - labels[d])
      }
      return {value, residuals}
    },
    result(point: Float64Array, margins: Float64Array) {
      const errors = () => {
        const spreads = margins.map((z, d) => rowWeights[d] * sigmoid(z) * sigmoid(-z))
        const all = sum(spreads)
        return sumLists(rows.columns, scaled(scaled(spreads))).map(
          (square, j) => 1 / Math.sqrt(ridges[j] + Math.max(0, square - means[j] ** 2 * all))
        )
      }
      return {weights: point.slice(0, n), bias: point[n] - dot(means, point), errors}
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
  let out: Float64Array = gradient.map(slope => -slope)
  const alphas = new Float64Array(pairs.length)
  for (let k = pairs.length - 1; k >= 0; k--) {
    const {step, change, product} = pairs[k]
    alphas[k] = dot(step, out) / product
    out = sumWith(out, change, -alphas[k])
  }
  const last = pairs.at(-1)
  const square = last?.change.reduce((total, value, e) => total + value * value * inverseDiagonal[e], 0) ?? 1
  const scale = (last?.product ?? 1) / square
  for (let e = 0; e < out.length; e++) out[e] *= scale * inverseDiagonal[e]
  for (const [k, {step, change, product}] of pairs.entries())
    out = sumWith(out, step, alphas[k] - dot(change, out) / product)
  return out
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Returns x + factor v. */
function sumWith(x: Float64Array, v: Float64Array, factor: number): Float64Array {
  const out = x.slice()
  for (let e = 0; e < out.length; e++) out[e] += factor * v[e]
  return out
}

/**
 * Finds a step t along a convex function that has this value and slope at 0, by backtracking from 1 until the value falls as much as
 * Armijo's condition asks. The next t is the minimum of the parabola through what is known, within [t/10, t/2]. Undefined
 * when rounding leaves nothing to gain.
 */
function searchLine<T extends {readonly value: number}>(value: number, slope: number, at: (t: number) => T) {
  if (!(slope < 0)) return undefined
  const ceiling = value + VALUE_SLACK * Math.abs(value)
  for (let t = 1, trials = 0; trials < TRIAL_LIMIT; trials++) {
    const found = at(t)
    const rise = found.value - ceiling
    if (rise <= MIN_DECREASE * t * slope) return found
    t *= clamp((-t * slope) / (2 * (rise - t * slope)), 0.1, 0.5)
  }
  return undefined
}

/** Returns the log-odds of a 1 for every row. */
export function logOdds({weights, bias}: Pick<Classifier, 'weights' | 'bias'>, rows: SparseRows): Float64Array {
  return sumRows(rows, weights).map(score => score + bias)
}
