import {dot, exp, log1p, logit} from '../../base/numeric/index.ts'
import {addMultiple, Descent, type SparseRows} from '../classifier/index.ts'
import {columnShares, DirectionPasses, TOGETHER} from './row-passes.ts'
import type {WordDirections} from './word-directions.ts'

/** Several logistic regressions on the same rows. */
export interface ShrunkenProblem {
  readonly rows: SparseRows
  /** One list per regression, with 0 or 1 for each row. */
  readonly labels: readonly Uint8Array[]
  /** Where the weights of each regression start and what they shrink towards, one per column. */
  readonly centres: readonly Float64Array[]
  /** One over the prior variance of each weight around its centre. */
  readonly ridge: number
  readonly stepLimit: number
  /** Directions whose weights are learned beside those of the words and shrink towards 0 ({@link wordDirections}). */
  readonly directions?: WordDirections
  /** Called after each regression. */
  readonly onSolved?: (() => void) | undefined
}

/** The weights of one regression and their posterior standard errors. */
export interface ShrunkenWeights {
  readonly weights: Float64Array
  readonly errors: Float64Array
}

/** A step is accepted at this share of the decrease that the slope predicts (Armijo). */
const SUFFICIENT = 1e-4
const HALVINGS = 30

/**
 * Logistic regressions whose weights shrink towards `centres` instead of 0: `stepLimit` steps of L-BFGS from there, on
 * F(w, c) = sum_d [log(1 + exp z_d) - y_d z_d] + ridge/2 |w - centre|^2, z_d = c + sum over the columns j of row d of
 * w_j, minus sum_j w_j m_j.
 *
 * Few steps by intent: stopping early is a second shrinkage. Layout: a point is the weights, then the centred bias c, with
 * m_j the share of rows that have column j, so that c hardly depends on the weights. Where all labels are equal the weights
 * stay at the centre. Standard errors are one over the root of the second derivative of F in one weight, the bias at its
 * best and the other weights as they are, plus the variance that the directions add. Cost: two passes per step over the
 * features that are 1 and one for the errors, four regressions side by side ({@link RowPasses}).
 */
export function shrunkenLogistic(problem: ShrunkenProblem): ShrunkenWeights[] {
  const {rows, labels, centres, ridge, stepLimit, directions = {vectors: [], spread: 0}, onSolved} = problem
  const shares = columnShares(rows)
  const passes = new DirectionPasses(rows, directions.vectors)
  const withDirections = (words: Float64Array, value: (direction: Float64Array) => number) =>
    Float64Array.from([...words, ...directions.vectors.map(value)])
  const means = withDirections(shares, direction => dot(direction, shares))
  const variances = withDirections(
    shares.map(share => share * (1 - share)),
    () => directions.spread ** 2
  )
  const squares = shares.map((_, j) => directions.vectors.reduce((sum, direction) => sum + direction[j] ** 2, 0))
  const found: ShrunkenWeights[] = []
  for (let first = 0; first < labels.length; first += TOGETHER) {
    const block = labels.slice(first, first + TOGETHER).map((own, at) => {
      const centre = withDirections(centres[first + at], () => 0)
      return new Regression({labels: own, centre, means, variances, ridge, stepLimit})
    })
    descend(block, passes, stepLimit)
    for (const regression of block) regression.readSpreads()
    passes.sumColumns(
      block.map(({residuals}) => residuals),
      block.map(({sums}) => sums)
    )
    for (const regression of block) {
      found.push({
        weights: passes.spread(regression.descent.point),
        errors: regression.errors(squares, directions.spread)
      })
      onSolved?.()
    }
  }
  return found
}

function descend(block: readonly Regression[], passes: DirectionPasses, stepLimit: number): void {
  let moving = block.filter(({share}) => share > 0 && share < 1)
  const measure = () => {
    for (const regression of moving) regression.readResiduals()
    passes.sumColumns(
      moving.map(({residuals}) => residuals),
      moving.map(({sums}) => sums)
    )
    for (const regression of moving) regression.measure()
  }
  passes.sumRows(
    moving.map(({descent}) => descent.point),
    moving.map(({margins}) => margins)
  )
  for (const regression of moving) regression.begin()
  measure()
  for (let step = 0; step < stepLimit && moving.length > 0; step++) {
    moving = moving.filter(regression => regression.aim())
    passes.sumRows(
      moving.map(({descent}) => descent.direction),
      moving.map(({changes}) => changes)
    )
    moving = moving.filter(regression => regression.advance())
    measure()
  }
}

interface RegressionPlan {
  readonly labels: Uint8Array
  readonly centre: Float64Array
  readonly means: Float64Array
  readonly variances: Float64Array
  readonly ridge: number
  readonly stepLimit: number
}

/** One regression; the caller passes over the rows for several at once. */
class Regression {
  readonly share: number
  readonly descent: Descent
  /** z of every row at the point, and along the direction. */
  readonly margins: Float64Array
  readonly changes: Float64Array
  /** P(y = 1) - y of every row, and its sum over the rows that have each column. */
  readonly residuals: Float64Array
  readonly sums: Float64Array
  readonly #plan: RegressionPlan
  #value = 0
  #slope = 0

  constructor(plan: RegressionPlan) {
    const {labels, centre, variances, ridge, stepLimit} = plan
    const [rows, n] = [labels.length, centre.length]
    this.#plan = plan
    this.share = labels.reduce((sum, label) => sum + label, 0) / rows
    this.margins = new Float64Array(rows)
    this.changes = new Float64Array(rows)
    this.residuals = new Float64Array(rows)
    this.sums = new Float64Array(n)
    // Roughly one over the second derivative at the start.
    const spread = rows * this.share * (1 - this.share)
    const inverse = Float64Array.from([...variances.map(variance => 1 / (ridge + spread * variance)), 1 / spread])
    const start = Float64Array.from([...centre, logit(this.share)])
    this.descent = new Descent(start, inverse, Math.max(stepLimit, 1))
  }

  begin(): void {
    this.#addBias(this.descent.point, this.margins)
    this.#value = this.#valueAt(0)
  }

  readResiduals(): void {
    const {labels} = this.#plan
    for (let d = 0; d < labels.length; d++) {
      const tail = exp(-Math.abs(this.margins[d]))
      this.residuals[d] = (this.margins[d] >= 0 ? 1 : tail) / (1 + tail) - labels[d]
    }
  }

  /** Puts P (1 - P) of every row in the place of its residual. */
  readSpreads(): void {
    const isOpen = this.share > 0 && this.share < 1
    for (let d = 0; d < this.residuals.length; d++) {
      const tail = exp(-Math.abs(this.margins[d]))
      this.residuals[d] = isOpen ? tail / (1 + tail) ** 2 : 0
    }
  }

  /**
   * The standard errors of the words, given `sums` of {@link readSpreads}; `squares` are those of each word summed over the
   * directions, whose own second derivative is nearly that of a column with standard deviation `spread`.
   */
  errors(squares: Float64Array, spread: number): Float64Array {
    const {ridge} = this.#plan
    const all = this.residuals.reduce((sum, own) => sum + own, 0)
    const ofDirection = 1 / (ridge + all * spread ** 2)
    return squares.map((square, j) => {
      const own = this.sums[j]
      const curvature = all > 0 ? Math.max(0, own - (own * own) / all) : 0
      return Math.sqrt(1 / (ridge + curvature) + square * ofDirection)
    })
  }

  /** Takes the gradient, given `sums`. */
  measure(): void {
    const {centre, means, ridge} = this.#plan
    const {point} = this.descent
    let bias = 0
    for (let d = 0; d < this.residuals.length; d++) bias += this.residuals[d]
    this.descent.measure(out => {
      for (let j = 0; j < centre.length; j++) out[j] = ridge * (point[j] - centre[j]) + this.sums[j] - bias * means[j]
      out[centre.length] = bias
    })
  }

  /** Sets the direction; false at the minimum. */
  aim(): boolean {
    this.#slope = this.descent.aim()
    return this.#slope < 0
  }

  /** Moves along the direction, given `changes`; false without a decrease. */
  advance(): boolean {
    this.#addBias(this.descent.direction, this.changes)
    let found = Number.POSITIVE_INFINITY
    let t = 1
    for (let halving = 0; halving < HALVINGS; halving++, t /= 2) {
      found = this.#valueAt(t)
      if (found <= this.#value + SUFFICIENT * t * this.#slope) break
    }
    if (!(found < this.#value)) return false
    this.#value = found
    this.descent.move(t)
    addMultiple(this.margins, this.changes, t)
    return true
  }

  /** Adds the bias, c - sum_j w_j m_j, to every row. */
  #addBias(point: Float64Array, margins: Float64Array): void {
    const {means} = this.#plan
    let bias = point[means.length]
    for (let j = 0; j < means.length; j++) bias -= point[j] * means[j]
    for (let d = 0; d < margins.length; d++) margins[d] += bias
  }

  /** F at point + t direction. */
  #valueAt(t: number): number {
    const {labels, centre, ridge} = this.#plan
    const {point, direction} = this.descent
    let squares = 0
    for (let j = 0; j < centre.length; j++) squares += (point[j] + t * direction[j] - centre[j]) ** 2
    let value = (ridge * squares) / 2
    for (let d = 0; d < labels.length; d++) {
      const z = this.margins[d] + t * this.changes[d]
      value += Math.max(z, 0) + log1p(exp(-Math.abs(z))) - labels[d] * z
    }
    return value
  }
}
