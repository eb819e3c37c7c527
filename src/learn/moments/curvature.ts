/**
 * The second-order model at a point of D(a, R mu), the divergence of Eq. 4 without its shrinkage, plus a sum over the cells of mu of
 * a weight times the squared change of the cell, in the coordinates of `moment-coordinates.ts`: what a Newton step needs.
 */
export interface Curvature {
  /** The gradient of D at the point of the last update. */
  readonly slope: Float64Array
  /** Take the model at `x`, with `weights` on the cells of mu. */
  update(x: Float64Array, weights: Float64Array): void
  /** Prepare `solve`, with `extra` added to the diagonal; false when the matrix is not positive definite to rounding. */
  factor(extra: Float64Array | undefined): boolean
  /** out = matrix^-1 b, with `extra` as factored. */
  solve(b: Float64Array, out: Float64Array): void
  /** The diagonal of the matrix, without `extra`. */
  diagonal(out: Float64Array): void
  /** out = matrix v, without `extra`. */
  multiply(v: Float64Array, out: Float64Array): void
}
