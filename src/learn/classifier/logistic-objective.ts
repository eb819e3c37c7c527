import {exp, log1p} from '../../base/numeric/index.ts'
import type {LinePoint} from './lbfgs.ts'
import type {SparseRows} from './sparse-rows.ts'

export interface LogisticProblem {
  readonly rows: SparseRows
  /** The probability of a 1 in each row, in [0, 1]. */
  readonly labels: ArrayLike<number>
  readonly rowWeights: ArrayLike<number>
  readonly ridge: number
  /** 1 for columns whose weight stays 0. */
  readonly pinned: Uint8Array
}

/**
 * F(w, b) = sum_d s_d [log(1 + exp(z_d)) - y_d z_d] + ridge/2 |w|^2, z_d = b + sum of w over the columns of row d:
 * the negative log-likelihood of labels y with row weights s, and a normal prior of variance 1/ridge on each weight.
 *
 * Layout: a point holds the weights, then the centred bias c = b + sum_j w_j m_j, with m_j the share of rows that have column
 * j; z has one margin per row. The minimum is the same, but c hardly depends on the weights, while b must follow every
 * common word: on long documents that saves four of five steps.  Cost: `margins` and `gradient` are one pass over the
 * features that are 1; a point on a line, given the margins of point and direction, is one pass over the rows.
 */
export class LogisticObjective {
  readonly #problem: LogisticProblem
  readonly #means: Float64Array

  constructor(problem: LogisticProblem) {
    this.#problem = problem
    this.#means = columnMeans(problem.rows, problem.rowWeights)
  }

  /** The bias b of a point. */
  bias(point: Float64Array): number {
    let bias = point[this.#means.length]
    for (let j = 0; j < this.#means.length; j++) bias -= this.#means[j] * point[j]
    return bias
  }

  /** out_d = bias and weights of `point`, summed over the columns of row d. */
  margins(point: Float64Array, out: Float64Array): void {
    sumColumns(this.#problem.rows, point, this.bias(point), out)
  }

  /** F at the point with these margins. */
  value(point: Float64Array, margins: Float64Array): number {
    return this.alongLine(point, margins, point, margins)(0).value
  }

  /** out = the gradient at the point with these margins; 0 where a column is pinned. */
  gradient(point: Float64Array, margins: Float64Array, out: Float64Array): void {
    const {rows, labels, rowWeights, ridge, pinned} = this.#problem
    const {starts, indices, columnCount} = rows
    for (let j = 0; j < columnCount; j++) out[j] = ridge * point[j]
    let biasSlope = 0
    for (let d = 0; d < rows.rowCount; d++) {
      if (rowWeights[d] === 0) continue
      const tail = exp(-Math.abs(margins[d]))
      const residual = rowWeights[d] * ((margins[d] >= 0 ? 1 : tail) / (1 + tail) - labels[d])
      biasSlope += residual
      for (let at = starts[d]; at < starts[d + 1]; at++) out[indices[at]] += residual
    }
    out[columnCount] = biasSlope
    for (let j = 0; j < columnCount; j++) out[j] = pinned[j] ? 0 : out[j] - this.#means[j] * biasSlope
  }

  /** F at point + t direction, with its first two derivatives in t; `margins` and `changes` are the margins of the two. */
  alongLine(point: Float64Array, margins: Float64Array, direction: Float64Array, changes: Float64Array) {
    const {rows, labels, rowWeights, ridge} = this.#problem
    let ww = 0
    let wv = 0
    let vv = 0
    for (let j = 0; j < rows.columnCount; j++) {
      ww += point[j] * point[j]
      wv += point[j] * direction[j]
      vv += direction[j] * direction[j]
    }
    return (t: number): LinePoint => {
      let value = ridge * (ww / 2 + t * wv + (t * t * vv) / 2)
      let slope = ridge * (wv + t * vv)
      let curvature = ridge * vv
      for (let d = 0; d < rows.rowCount; d++) {
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

  /** The inverse diagonal of F's second derivative where every row has the same probability of a 1; 0 where pinned. */
  inverseDiagonal(total: number, share: number): Float64Array {
    const {ridge, pinned} = this.#problem
    const spread = total * share * (1 - share)
    const inverse = new Float64Array(this.#means.length + 1)
    this.#means.forEach((mean, j) => {
      inverse[j] = pinned[j] ? 0 : 1 / (ridge + spread * mean * (1 - mean))
    })
    inverse[this.#means.length] = 1 / spread
    return inverse
  }
}

function columnMeans(
  {starts, indices, rowCount, columnCount}: SparseRows,
  rowWeights: ArrayLike<number>
): Float64Array {
  const sums = new Float64Array(columnCount)
  let total = 0
  for (let d = 0; d < rowCount; d++) {
    total += rowWeights[d]
    for (let at = starts[d]; at < starts[d + 1]; at++) sums[indices[at]] += rowWeights[d]
  }
  return sums.map(sum => sum / total)
}

/** out_d = bias + the weights of row d's columns. */
export function sumColumns(rows: SparseRows, weights: Float64Array, bias: number, out: Float64Array): void {
  const {starts, indices} = rows
  for (let d = 0; d < rows.rowCount; d++) {
    let sum = bias
    for (let at = starts[d]; at < starts[d + 1]; at++) sum += weights[indices[at]]
    out[d] = sum
  }
}
