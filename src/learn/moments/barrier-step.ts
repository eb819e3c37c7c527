import {choleskyFactor, choleskySolve, conjugateGradients, dot} from '../../base/numeric/index.ts'
import {type ActiveSet, zeroOfSlope} from './active-set.ts'
import type {CorrectiveStep} from './conditional-gradient.ts'
import {momentsAt} from './layout.ts'
import {NewtonSystem} from './newton-system.ts'
import {MomentObjective} from './objective.ts'
import type {MomentProblem} from './problem.ts'

/** The barrier at the start, and the factor by which it falls after a step of at least this length. */
const FIRST_BARRIER = 1e-4
const BARRIER_FALL = 0.6
const LONG_STEP = 0.5
/** The barrier costs about its weight times the number of points: a small share of the requested gap, but above rounding. */
const BARRIER_SHARE = 0.05
const LEAST_BARRIER = 1e-12
/** Newton steps per corrective step, and conjugate-gradient steps within each: few suffice, since new vertices come soon. */
const NEWTON_STEPS = 3
const CONJUGATE_STEPS = 40
/** Conjugate gradients stop when the residual has shrunk to this share. */
const RESIDUAL = 0.1
/** The share of the way to the boundary that a step may go. */
const REACH = 0.95
/** Smaller predicted improvements are rounding: the weights are at the minimum. */
const ROUNDING = 1e-18
/** The line search stops when the slope is this share of the first one. */
const SLOPE_SHARE = 0.3

/**
 * The corrective step of the fast marginal method: Newton steps on f(sum of weight times point) - tau * sum of log weight over
 * weights that sum to 1. The barrier keeps every weight above 0 and the gradient central, so that new vertices serve the whole
 * neighbourhood of the optimum and not one corner of it; tau falls while steps are long.
 *
 * Method: conjugate gradients on the weights (products with the points and with the curvature) restricted to directions that
 * sum to 0, and a line search. Points are coordinates (p, q). Cost: at most 40 products per Newton step.
 */
export function barrierStep(problem: MomentProblem, gap: number): CorrectiveStep {
  const {layout, shrinkageWeights} = problem
  const m = layout.conceptCount
  const objective = new MomentObjective(problem)
  const system = new NewtonSystem(problem)
  const cells = new Float64Array(layout.size)
  /** A direction in coordinates, and its product with the curvature. */
  const image = new Float64Array(m + layout.pairCount)
  const bent = new Float64Array(m + layout.pairCount)
  let tau = FIRST_BARRIER
  return (active, {interrupted}) => {
    let taken = 0
    for (let n = 0; n < NEWTON_STEPS && !interrupted(); n++) taken = takeStep(active)
    const least = Math.max(LEAST_BARRIER, BARRIER_SHARE * gap) / active.size
    if (taken > LONG_STEP) tau = Math.max(least, BARRIER_FALL * tau)
  }

  /** Takes one Newton step; returns the share of it that was taken. */
  function takeStep(active: ActiveSet): number {
    const anchorWeights = objective.curvature(momentsAt(layout, active.x, cells))
    for (let c = 0; c < cells.length; c++) cells[c] = shrinkageWeights[c] / (cells[c] * cells[c])
    system.update(anchorWeights, cells)
    const w = active.weights
    const direction = newtonDirection(active)
    let longest = 1
    for (let n = 0; n < w.length; n++) if (direction[n] < 0) longest = Math.min(longest, (-REACH * w[n]) / direction[n])
    active.combine(direction, image)
    const slopeAlong = active.slopeAlong(image)
    const slopeAt = (length: number) => {
      let slope = slopeAlong(length)
      for (let n = 0; n < w.length; n++) slope -= (tau * direction[n]) / (w[n] + length * direction[n])
      return slope
    }
    const length = zeroOfSlope(slopeAt, longest, SLOPE_SHARE)
    active.setWeights(w.map((weight, n) => weight + length * direction[n]))
    return length
  }

  /** Minimises the model by conjugate gradients, restricted to directions that sum to 0. */
  function newtonDirection(active: ActiveSet): Float64Array {
    const {weights: w, gradient, x, size} = active
    const approximateInverse = preconditioner(active)
    const flat = new Float64Array(size)
    approximateInverse(new Float64Array(size).fill(1), flat)
    const flatSum = sum(flat)
    const residual = new Float64Array(size)
    active.products(gradient, residual)
    // A constant in the residual has no effect, but at the minimum it would drown the rest in rounding.
    const common = size * tau - dot(gradient, x)
    for (let n = 0; n < size; n++) residual[n] = tau / w[n] - residual[n] - common
    const direction = new Float64Array(size)
    conjugateGradients(residual, direction, {
      multiply(v, out) {
        active.combine(v, image)
        system.multiply(image, bent)
        active.products(bent, out)
        for (let n = 0; n < size; n++) out[n] += (tau / (w[n] * w[n])) * v[n]
      },
      precondition(r, out) {
        approximateInverse(r, out)
        const nu = sum(out) / flatSum
        for (let n = 0; n < size; n++) out[n] -= nu * flat[n]
      },
      residual: RESIDUAL,
      stepLimit: CONJUGATE_STEPS,
      floor: ROUNDING
    })
    const drift = sum(direction)
    for (let n = 0; n < size; n++) direction[n] -= drift * w[n]
    return direction
  }

  /**
   * Approximates the inverse of the model's matrix: the curvature along singles in full, since all points share those few, and the
   * curvature along pairs and the barrier by their diagonals. By the formula of Woodbury that takes an m x m system.
   */
  function preconditioner(active: ActiveSet): (r: Float64Array, out: Float64Array) => void {
    const {weights: w, size} = active
    bent.fill(0, 0, m)
    bent.set(system.qq, m)
    const diagonal = new Float64Array(size)
    active.products(bent, diagonal)
    for (let n = 0; n < size; n++) diagonal[n] += tau / (w[n] * w[n])
    const reduced = inverse(system.pp, m)
    const reciprocals = diagonal.map(d => 1 / d)
    active.addGram(reciprocals, m, reduced)
    if (!choleskyFactor(reduced, m)) throw new Error('internal error: preconditioner is not positive definite')
    const p = new Float64Array(m)
    const correction = new Float64Array(size)
    return (r, out) => {
      for (let n = 0; n < size; n++) out[n] = r[n] / diagonal[n]
      active.combine(out, p)
      choleskySolve(reduced, m, p)
      active.products(p, correction)
      for (let n = 0; n < size; n++) out[n] -= correction[n] / diagonal[n]
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
