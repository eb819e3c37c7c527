import {choleskyFactor, choleskySolve, conjugateGradients, dot} from '../../base/numeric/index.ts'
import {Curvature} from './curvature.ts'
import {momentsAt} from './layout.ts'
import {type Mixture, zeroOfSlope} from './mixture.ts'
import type {MomentProblem} from './problem.ts'

/** Conjugate gradients stop when the residual has shrunk to this share. */
const RESIDUAL = 0.1
/** The share of the way to the boundary that a step may go. */
const REACH = 0.95
/** Smaller predicted improvements are rounding: the weights are at the minimum. */
const ROUNDING = 1e-18
/** The line search stops when the slope is this share of the first one. */
const SLOPE_SHARE = 0.3

/**
 * The corrective step of the fast marginal method: a Newton step on f(sum of weight times point) - tau * sum of log weight over
 * weights that sum to 1. The barrier keeps every weight above 0 and the gradient central, so that new vertices serve the whole
 * neighbourhood of the optimum and not one corner of it; the caller lets tau fall as the gap closes.
 *
 * Method: conjugate gradients on the weights (products with the points and with the curvature) restricted to directions that
 * sum to 0, and a line search. Points are coordinates (p, q). Cost: about 20 products per step.
 */
export class BarrierStep {
  readonly #problem: MomentProblem
  readonly #curvature: Curvature
  readonly #cells: Float64Array
  readonly #image: Float64Array
  readonly #bent: Float64Array

  constructor(problem: MomentProblem) {
    this.#problem = problem
    this.#curvature = new Curvature(problem)
    this.#cells = new Float64Array(problem.layout.size)
    this.#image = new Float64Array(this.#curvature.slope.length)
    this.#bent = new Float64Array(this.#curvature.slope.length)
  }

  /** Takes one Newton step of at most `stepLimit` conjugate-gradient steps; returns the share of it that was taken. */
  take(mixture: Mixture, tau: number, stepLimit: number): number {
    const {layout, shrinkageWeights} = this.#problem
    const cells = this.#cells
    momentsAt(layout, mixture.x, cells)
    for (let c = 0; c < cells.length; c++) cells[c] = shrinkageWeights[c] / (cells[c] * cells[c])
    this.#curvature.update(mixture.x, cells)
    const w = mixture.weights
    const direction = this.#direction(mixture, tau, stepLimit)
    let longest = 1
    for (let a = 0; a < w.length; a++) if (direction[a] < 0) longest = Math.min(longest, (-REACH * w[a]) / direction[a])
    mixture.points.combine(direction, this.#image)
    const slopeAlong = mixture.slopeAlong(this.#image)
    const slopeAt = (length: number) => {
      let slope = slopeAlong(length)
      for (let a = 0; a < w.length; a++) slope -= (tau * direction[a]) / (w[a] + length * direction[a])
      return slope
    }
    const length = zeroOfSlope(slopeAt, longest, SLOPE_SHARE)
    mixture.setWeights(w.map((weight, a) => weight + length * direction[a]))
    return length
  }

  /** Minimises the model by conjugate gradients, restricted to directions that sum to 0. */
  #direction({points, weights: w, gradient, x}: Mixture, tau: number, stepLimit: number): Float64Array {
    const n = w.length
    const precondition = this.#preconditioner(points, w, tau)
    const flat = new Float64Array(n)
    precondition(new Float64Array(n).fill(1), flat)
    const flatSum = sum(flat)
    const residual = new Float64Array(n)
    points.products(gradient, residual)
    // A constant in the residual has no effect, but at the minimum it would drown the rest in rounding.
    const common = n * tau - dot(gradient, x)
    for (let a = 0; a < n; a++) residual[a] = tau / w[a] - residual[a] - common
    const direction = new Float64Array(n)
    conjugateGradients(residual, direction, {
      multiply: (v, out) => {
        points.combine(v, this.#image)
        this.#curvature.multiply(this.#image, this.#bent)
        points.products(this.#bent, out)
        for (let a = 0; a < n; a++) out[a] += (tau / (w[a] * w[a])) * v[a]
      },
      precondition: (r, out) => {
        precondition(r, out)
        const nu = sum(out) / flatSum
        for (let a = 0; a < n; a++) out[a] -= nu * flat[a]
      },
      residual: RESIDUAL,
      stepLimit,
      floor: ROUNDING
    })
    const drift = sum(direction)
    for (let a = 0; a < n; a++) direction[a] -= drift * w[a]
    return direction
  }

  /**
   * Approximates the inverse of the model's matrix: the curvature along singles in full, since all points share those few, and the
   * curvature along pairs and the barrier by their diagonals. By the formula of Woodbury that takes an m x m system.
   */
  #preconditioner(
    points: Mixture['points'],
    w: Float64Array,
    tau: number
  ): (r: Float64Array, out: Float64Array) => void {
    const m = this.#problem.layout.conceptCount
    const n = w.length
    const bent = this.#bent
    bent.fill(0, 0, m)
    bent.set(this.#curvature.qq, m)
    const diagonal = new Float64Array(n)
    points.products(bent, diagonal)
    for (let a = 0; a < n; a++) diagonal[a] += tau / (w[a] * w[a])
    const system = inverse(this.#curvature.pp, m)
    points.addGram(
      diagonal.map(d => 1 / d),
      m,
      system
    )
    if (!choleskyFactor(system, m)) throw new Error('internal error: preconditioner is not positive definite')
    const p = new Float64Array(m)
    const correction = new Float64Array(n)
    return (r, out) => {
      for (let a = 0; a < n; a++) out[a] = r[a] / diagonal[a]
      points.combine(out, p)
      choleskySolve(system, m, p)
      points.products(p, correction)
      for (let a = 0; a < n; a++) out[a] -= correction[a] / diagonal[a]
    }
  }
}

/** The inverse of a positive definite matrix, given by its lower triangle. */
function inverse(matrix: Float64Array, m: number): Float64Array {
  const factor = matrix.slice()
  if (!choleskyFactor(factor, m)) throw new Error('internal error: curvature is not positive definite')
  const result = new Float64Array(m * m)
  for (let i = 0; i < m; i++) {
    const column = result.subarray(i * m, i * m + m)
    column[i] = 1
    choleskySolve(factor, m, column)
  }
  return result
}

function sum(a: Float64Array): number {
  let total = 0
  for (const value of a) total += value
  return total
}
