import {addMultiple, CurvaturePairs, type SparseRows} from '../classifier/index.ts'
import {dot, exp, log1p} from '../numeric/index.ts'
import {logit} from './logit.ts'

export interface PulledProblem {
  readonly rows: SparseRows
  /** 0 or 1 a row. */
  readonly labels: Uint8Array
  /** Rows that count: 1, or 0 for those left out. */
  readonly used: Uint8Array
  /** Where the weights start and where they are pulled to, one a column. */
  readonly centre: Float64Array
  /** One over the prior variance of each weight around its centre. */
  readonly ridge: number
  readonly stepLimit: number
}

/** A step is taken when it brings this share of the fall that the slope promises (Armijo). */
const SUFFICIENT = 1e-4
const HALVINGS = 30

/**
 * Logistic regression whose weights are pulled to `centre` in place of 0: `stepLimit` steps of L-BFGS from there, on
 * F(w, c) = sum_d [log(1 + exp z_d) - y_d z_d] + ridge/2 |w - centre|^2, z_d = c + sum over the columns j of row d of
 * w_j, less sum_j w_j m_j.
 *
 * Few steps by intent: they are a second pull, to weights that all the counts agree on. Layout: the point is the
 * weights, then the centred bias c, m_j being the share of used rows that have column j, so that c hardly depends on
 * the weights. Only the weights are returned; where all labels are equal they stay at `centre`. Cost: two passes a step
 * over the features that are 1.
 */
export function pulledLogistic(problem: PulledProblem): Float64Array {
  const {rows, centre, stepLimit} = problem
  const n = rows.columnCount
  const objective = new PulledObjective(problem)
  if (!(objective.share > 0 && objective.share < 1)) return centre.slice()
  const point = new Float64Array(n + 1)
  point.set(centre)
  point[n] = logit(objective.share)
  const margins = new Float64Array(rows.rowCount)
  const changes = new Float64Array(rows.rowCount)
  const direction = new Float64Array(n + 1)
  let gradient = new Float64Array(n + 1)
  let next = new Float64Array(n + 1)
  const pairs = new CurvaturePairs(objective.inverseDiagonal, Math.max(stepLimit, 1))
  objective.margins(point, margins)
  let value = objective.value(point, margins)
  objective.gradient(point, margins, gradient)
  for (let step = 0; step < stepLimit; step++) {
    pairs.direction(gradient, direction)
    const slope = dot(gradient, direction)
    if (!(slope < 0)) break
    objective.margins(direction, changes)
    let found = Number.POSITIVE_INFINITY
    let t = 1
    for (let halving = 0; halving < HALVINGS; halving++, t /= 2) {
      found = objective.valueAlong(point, margins, direction, changes, t)
      if (found <= value + SUFFICIENT * t * slope) break
    }
    if (!(found < value)) break
    value = found
    for (let e = 0; e <= n; e++) direction[e] *= t
    addMultiple(point, direction, 1)
    addMultiple(margins, changes, t)
    objective.gradient(point, margins, next)
    pairs.add(direction, gradient, next)
    ;[gradient, next] = [next, gradient]
  }
  return point.slice(0, n)
}

class PulledObjective {
  readonly share: number
  /** One over the second derivative at the start, roughly: words differ in frequency by a factor of a thousand. */
  readonly inverseDiagonal: Float64Array
  readonly #problem: PulledProblem
  readonly #means: Float64Array

  constructor(problem: PulledProblem) {
    const {rows, labels, used, ridge} = problem
    const n = rows.columnCount
    this.#problem = problem
    this.#means = new Float64Array(n)
    let total = 0
    let ones = 0
    for (let d = 0; d < rows.rowCount; d++) {
      if (!used[d]) continue
      total++
      ones += labels[d]
      for (let at = rows.starts[d]; at < rows.starts[d + 1]; at++) this.#means[rows.indices[at]]++
    }
    this.share = ones / total
    const spread = total * this.share * (1 - this.share)
    this.inverseDiagonal = new Float64Array(n + 1)
    for (let j = 0; j < n; j++) {
      const mean = this.#means[j] / total
      this.#means[j] = mean
      this.inverseDiagonal[j] = 1 / (ridge + spread * mean * (1 - mean))
    }
    this.inverseDiagonal[n] = 1 / spread
  }

  margins(point: Float64Array, out: Float64Array): void {
    const {starts, indices, rowCount, columnCount} = this.#problem.rows
    let bias = point[columnCount]
    for (let j = 0; j < columnCount; j++) bias -= point[j] * this.#means[j]
    for (let d = 0; d < rowCount; d++) {
      let sum = bias
      for (let at = starts[d]; at < starts[d + 1]; at++) sum += point[indices[at]]
      out[d] = sum
    }
  }

  value(point: Float64Array, margins: Float64Array): number {
    return this.valueAlong(point, margins, point, margins, 0)
  }

  /** F at point + t direction, given the margins of both. */
  valueAlong(point: Float64Array, margins: Float64Array, direction: Float64Array, changes: Float64Array, t: number) {
    const {labels, used, centre, ridge} = this.#problem
    let squares = 0
    for (let j = 0; j < centre.length; j++) squares += (point[j] + t * direction[j] - centre[j]) ** 2
    let value = (ridge * squares) / 2
    for (let d = 0; d < labels.length; d++) {
      if (!used[d]) continue
      const z = margins[d] + t * changes[d]
      value += Math.max(z, 0) + log1p(exp(-Math.abs(z))) - labels[d] * z
    }
    return value
  }

  gradient(point: Float64Array, margins: Float64Array, out: Float64Array): void {
    const {rows, labels, used, centre, ridge} = this.#problem
    const {starts, indices, columnCount} = rows
    for (let j = 0; j < columnCount; j++) out[j] = ridge * (point[j] - centre[j])
    let bias = 0
    for (let d = 0; d < rows.rowCount; d++) {
      if (!used[d]) continue
      const tail = exp(-Math.abs(margins[d]))
      const residual = (margins[d] >= 0 ? 1 : tail) / (1 + tail) - labels[d]
      bias += residual
      for (let at = starts[d]; at < starts[d + 1]; at++) out[indices[at]] += residual
    }
    for (let j = 0; j < columnCount; j++) out[j] -= bias * this.#means[j]
    out[columnCount] = bias
  }
}
