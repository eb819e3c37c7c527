import {dot, exp, log1p} from '../../base/numeric/index.ts'
import {addMultiple, CurvaturePairs, type SparseRows} from '../classifier/index.ts'
import {logit} from './logit.ts'
import {DirectionPasses, TOGETHER} from './row-passes.ts'

import type {WordDirections} from './word-directions.ts'

/** Several logistic regressions on the same rows. */
export interface ShrunkenProblem {
  readonly rows: SparseRows
  /** One list a regression, 0 or 1 a row. */
  readonly labels: readonly Uint8Array[]
  /** Where the weights of each start and where they are pulled to, one a column. */
  readonly centres: readonly Float64Array[]
  /** One over the prior variance of each weight around its centre. */
  readonly ridge: number
  readonly stepLimit: number
  /** Directions over the words whose weights are learned beside the words' own, pulled to 0 as strongly ({@link wordKin}). */
  readonly kin?: WordDirections
  /** Called after each regression. */
  readonly onSolved?: (() => void) | undefined
}

/** A step is taken when it brings this share of the fall that the slope promises (Armijo). */
const SUFFICIENT = 1e-4
const HALVINGS = 30

/**
 * Logistic regressions whose weights are pulled to `centres` in place of 0: `stepLimit` steps of L-BFGS from there, on
 * F(w, c) = sum_d [log(1 + exp z_d) - y_d z_d] + ridge/2 |w - centre|^2, z_d = c + sum over the columns j of row d of
 * w_j, less sum_j w_j m_j.
 *
 * Few steps by intent: they are a second shrinkage, to weights that all the counts agree on. Layout: a point is the
 * weights, then the centred bias c, m_j being the share of rows that have column j, so that c hardly depends on the
 * weights. Only the weights are returned; where all labels are equal they stay at the centre. Cost: two passes a step over the
 * features that are 1, four regressions side by side ({@link FourPasses}).
 */
export function shrunkenLogistic({
  rows,
  labels,
  centres,
  ridge,
  stepLimit,
  kin = {directions: [], spread: 0},
  onSolved
}: ShrunkenProblem): Float64Array[] {
  const shares = columnShares(rows)
  const passes = new DirectionPasses(rows, kin.directions)
  const withKin = (words: Float64Array, ofKin: (direction: Float64Array) => number) =>
    Float64Array.from([...words, ...kin.directions.map(ofKin)])
  const means = withKin(shares, direction => dot(direction, shares))
  const variances = withKin(
    shares.map(share => share * (1 - share)),
    () => kin.spread ** 2
  )
  const found: Float64Array[] = []
  for (let first = 0; first < labels.length; first += TOGETHER) {
    const block = labels
      .slice(first, first + TOGETHER)
      .map(
        (own, at) =>
          new Descent({labels: own, centre: withKin(centres[first + at], () => 0), means, variances, ridge, stepLimit})
      )
    descend(block, passes, stepLimit)
    for (const {point} of block) {
      found.push(passes.spread(point))
      onSolved?.()
    }
  }
  return found
}

function descend(block: readonly Descent[], passes: DirectionPasses, stepLimit: number): void {
  let moving = block.filter(({share}) => share > 0 && share < 1)
  const readSlopes = (descents: readonly Descent[]) => {
    for (const descent of descents) descent.readResiduals()
    passes.sumColumns(
      descents.map(({residuals}) => residuals),
      descents.map(({sums}) => sums)
    )
  }
  passes.sumRows(
    moving.map(({point}) => point),
    moving.map(({margins}) => margins)
  )
  for (const descent of moving) descent.centreMargins(descent.point, descent.margins)
  readSlopes(moving)
  for (const descent of moving) descent.begin()
  for (let step = 0; step < stepLimit && moving.length > 0; step++) {
    moving = moving.filter(descent => descent.aim())
    passes.sumRows(
      moving.map(({direction}) => direction),
      moving.map(({changes}) => changes)
    )
    moving = moving.filter(descent => descent.advance())
    readSlopes(moving)
    for (const descent of moving) descent.remember()
  }
}

function columnShares({rowCount, columnCount, indices}: SparseRows): Float64Array {
  const shares = new Float64Array(columnCount)
  for (const j of indices) shares[j] += 1 / rowCount
  return shares
}

interface DescentPlan {
  readonly labels: Uint8Array
  readonly centre: Float64Array
  readonly means: Float64Array
  readonly variances: Float64Array
  readonly ridge: number
  readonly stepLimit: number
}

/** One regression on its way down. Its passes over the rows are made for it, together with those of others. */
class Descent {
  readonly share: number
  readonly point: Float64Array
  /** z of every row at the point, and along the direction. */
  readonly margins: Float64Array
  readonly changes: Float64Array
  readonly direction: Float64Array
  /** P(y = 1) - y of every row, and its sum over the rows that have each column. */
  readonly residuals: Float64Array
  readonly sums: Float64Array
  readonly #plan: DescentPlan
  readonly #pairs: CurvaturePairs
  #gradient: Float64Array
  #next: Float64Array
  #value = 0

  constructor(plan: DescentPlan) {
    const {labels, centre, variances, ridge, stepLimit} = plan
    const [rows, n] = [labels.length, centre.length]
    this.#plan = plan
    this.share = labels.reduce((sum, label) => sum + label, 0) / rows
    this.point = new Float64Array(n + 1)
    this.point.set(centre)
    this.point[n] = logit(this.share)
    this.margins = new Float64Array(rows)
    this.changes = new Float64Array(rows)
    this.residuals = new Float64Array(rows)
    this.sums = new Float64Array(n)
    this.direction = new Float64Array(n + 1)
    this.#gradient = new Float64Array(n + 1)
    this.#next = new Float64Array(n + 1)
    // One over the second derivative at the start, roughly: words differ in frequency by a factor of a thousand.
    const spread = rows * this.share * (1 - this.share)
    const inverse = new Float64Array(n + 1)
    for (let j = 0; j < n; j++) inverse[j] = 1 / (ridge + spread * variances[j])
    inverse[n] = 1 / spread
    this.#pairs = new CurvaturePairs(inverse, Math.max(stepLimit, 1))
  }

  /** Add what every row has: the centred bias. */
  centreMargins(point: Float64Array, margins: Float64Array): void {
    const {means} = this.#plan
    let bias = point[means.length]
    for (let j = 0; j < means.length; j++) bias -= point[j] * means[j]
    for (let d = 0; d < margins.length; d++) margins[d] += bias
  }

  readResiduals(): void {
    const {labels} = this.#plan
    for (let d = 0; d < labels.length; d++) {
      const tail = exp(-Math.abs(this.margins[d]))
      this.residuals[d] = (this.margins[d] >= 0 ? 1 : tail) / (1 + tail) - labels[d]
    }
  }

  begin(): void {
    this.#value = this.#valueAt(0)
    this.#readGradient(this.#gradient)
  }

  /** Set the direction; false at the end of the way. */
  aim(): boolean {
    this.#pairs.direction(this.#gradient, this.direction)
    return dot(this.#gradient, this.direction) < 0
  }

  /** Go along the direction as far as it pays; false if it does not. */
  advance(): boolean {
    this.centreMargins(this.direction, this.changes)
    const slope = dot(this.#gradient, this.direction)
    let found = Number.POSITIVE_INFINITY
    let t = 1
    for (let halving = 0; halving < HALVINGS; halving++, t /= 2) {
      found = this.#valueAt(t)
      if (found <= this.#value + SUFFICIENT * t * slope) break
    }
    if (!(found < this.#value)) return false
    this.#value = found
    for (let e = 0; e < this.direction.length; e++) this.direction[e] *= t
    addMultiple(this.point, this.direction, 1)
    addMultiple(this.margins, this.changes, t)
    return true
  }

  /** Keep what the step told of the curvature. */
  remember(): void {
    this.#readGradient(this.#next)
    this.#pairs.add(this.direction, this.#gradient, this.#next)
    ;[this.#gradient, this.#next] = [this.#next, this.#gradient]
  }

  /** F at point + t direction. */
  #valueAt(t: number): number {
    const {labels, centre, ridge} = this.#plan
    let squares = 0
    for (let j = 0; j < centre.length; j++) squares += (this.point[j] + t * this.direction[j] - centre[j]) ** 2
    let value = (ridge * squares) / 2
    for (let d = 0; d < labels.length; d++) {
      const z = this.margins[d] + t * this.changes[d]
      value += Math.max(z, 0) + log1p(exp(-Math.abs(z))) - labels[d] * z
    }
    return value
  }

  #readGradient(out: Float64Array): void {
    const {centre, means, ridge} = this.#plan
    let bias = 0
    for (let d = 0; d < this.residuals.length; d++) bias += this.residuals[d]
    for (let j = 0; j < centre.length; j++)
      out[j] = ridge * (this.point[j] - centre[j]) + this.sums[j] - bias * means[j]
    out[centre.length] = bias
  }
}
