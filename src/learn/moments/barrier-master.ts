import {choleskyFactor, choleskySolve, conjugateGradients, dot} from '../../base/numeric/index.ts'
import {type AtomSet, momentsAt, polynomialOf} from '../polytopes/index.ts'
import type {Curvature} from './curvature.ts'
import {MomentObjective, type MomentProblem} from './moment-problem.ts'

/** Conjugate gradients stop when the residual has shrunk to this share. */
const RESIDUAL = 0.1
/** The share of the way to the boundary that a step may go. */
const REACH = 0.95
/** Smaller predicted improvements are rounding: the weights are at the minimum. */
const ROUNDING = 1e-18
/** The least and the greatest share of all weight for new atoms: less never grows, more disturbs the rest. */
const LEAST_ADMITTED = 1e-4
const MOST_ADMITTED = 0.1

/**
 * A nearly optimal mixture of atoms: minimises f(sum of weight times atom) - tau * sum of log weight over weights that sum to 1.
 * The barrier keeps every atom's weight above 0 and the prices (the gradient) central, so that new atoms serve the whole
 * neighbourhood of the optimum and not one corner of it; tau falls as the gap closes.
 *
 * Method: Newton steps, by conjugate gradients on the weights (products with the atoms and with the pairs' 3x3 blocks) restricted
 * to directions that sum to 0, and a line search on the slope. Cost: about 20 products per step.
 */
export class BarrierMaster {
  readonly atoms: AtomSet
  readonly x: Float64Array
  readonly mu: Float64Array
  /** The gradient of f at x, in coordinates. */
  readonly gradient: Float64Array
  objective = Number.POSITIVE_INFINITY
  weights: Float64Array
  readonly #problem: MomentProblem
  readonly #value: MomentObjective
  readonly #curvature: Curvature
  readonly #cells: Float64Array
  readonly #cellSlopes: Float64Array
  readonly #image: Float64Array
  readonly #bent: Float64Array
  readonly #trial: Float64Array

  constructor(problem: MomentProblem, curvature: Curvature, atoms: AtomSet, weights: Float64Array) {
    const coordinates = () => new Float64Array(atoms.coordinateCount)
    this.#problem = problem
    this.#value = new MomentObjective(problem)
    this.#curvature = curvature
    this.atoms = atoms
    this.weights = weights
    this.x = coordinates()
    this.mu = new Float64Array(problem.layout.size)
    this.#cells = new Float64Array(problem.layout.size)
    this.#cellSlopes = new Float64Array(problem.layout.size)
    this.gradient = coordinates()
    this.#image = coordinates()
    this.#bent = coordinates()
    this.#trial = coordinates()
    this.#refresh()
  }

  /**
   * Gives weight to the atoms added since the last call: a conditional-gradient step to their mean, weighted by price.
   * Returns their share of all weight.
   */
  admit(): number {
    const old = this.weights.length
    const n = this.atoms.size
    if (n === old) return 0
    const prices = new Float64Array(n)
    this.atoms.products(this.gradient, prices)
    const here = dot(this.gradient, this.x)
    const direction = new Float64Array(n)
    for (let a = old; a < n; a++) direction[a] = Math.max(1e-9, here - prices[a])
    const total = sum(direction)
    for (let a = old; a < n; a++) direction[a] /= total
    const weights = new Float64Array(n)
    weights.set(this.weights)
    for (let a = 0; a < old; a++) direction[a] = -weights[a]
    this.weights = weights
    this.atoms.combine(direction, this.#image)
    const share = Math.max(LEAST_ADMITTED, this.#lineSearch(direction, MOST_ADMITTED, 0))
    for (let a = 0; a < n; a++) weights[a] += share * direction[a]
    this.#refresh()
    return share
  }

  /** One Newton step for this tau, of at most `stepLimit` conjugate-gradient steps. Returns the share of it that was taken. */
  step(tau: number, stepLimit: number): number {
    const w = this.weights
    const direction = this.#direction(tau, stepLimit)
    let longest = 1
    for (let a = 0; a < w.length; a++) if (direction[a] < 0) longest = Math.min(longest, (-REACH * w[a]) / direction[a])
    this.atoms.combine(direction, this.#image)
    const length = this.#lineSearch(direction, longest, tau)
    for (let a = 0; a < w.length; a++) w[a] += length * direction[a]
    const total = sum(w)
    for (let a = 0; a < w.length; a++) w[a] /= total
    this.#refresh()
    return length
  }

  /** Minimises the model by conjugate gradients, restricted to directions that sum to 0. */
  #direction(tau: number, stepLimit: number): Float64Array {
    const w = this.weights
    const n = w.length
    const weigh = this.#preconditioner(tau)
    const flat = new Float64Array(n)
    weigh(new Float64Array(n).fill(1), flat)
    const flatSum = sum(flat)
    const residual = new Float64Array(n)
    this.atoms.products(this.gradient, residual)
    // A constant in the residual has no effect, but at the minimum it would drown the rest in rounding.
    const common = n * tau - dot(this.gradient, this.x)
    for (let a = 0; a < n; a++) residual[a] = tau / w[a] - residual[a] - common
    const direction = new Float64Array(n)
    conjugateGradients(residual, direction, {
      multiply: (v, out) => {
        this.atoms.combine(v, this.#image)
        this.#curvature.multiply(this.#image, this.#bent)
        this.atoms.products(this.#bent, out)
        for (let a = 0; a < n; a++) out[a] += (tau / (w[a] * w[a])) * v[a]
      },
      precondition: (r, out) => {
        weigh(r, out)
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
   * An approximate inverse of the model's matrix: the curvature along singles in full, since all atoms share those few, and the
   * curvature along pairs and triples and the barrier by their diagonals. By Woodbury that takes an m x m system.
   */
  #preconditioner(tau: number): (r: Float64Array, out: Float64Array) => void {
    const m = this.#problem.layout.conceptCount
    const n = this.weights.length
    const bent = this.#bent
    this.#curvature.diagonal(bent)
    bent.fill(0, 0, m)
    const diagonal = new Float64Array(n)
    this.atoms.products(bent, diagonal)
    for (let a = 0; a < n; a++) diagonal[a] += tau / (this.weights[a] * this.weights[a])
    const system = this.#inverseOfSingles()
    this.atoms.addSingleGram(
      diagonal.map(d => 1 / d),
      system
    )
    if (!choleskyFactor(system, m)) throw new Error('internal error: preconditioner is not positive definite')
    const p = new Float64Array(m)
    const correction = new Float64Array(n)
    return (r, out) => {
      for (let a = 0; a < n; a++) out[a] = r[a] / diagonal[a]
      this.atoms.combineSingles(out, p)
      choleskySolve(system, m, p)
      this.atoms.singleProducts(p, correction)
      for (let a = 0; a < n; a++) out[a] -= correction[a] / diagonal[a]
    }
  }

  /** The inverse of the curvature's block of singles, m x m. */
  #inverseOfSingles(): Float64Array {
    const m = this.#problem.layout.conceptCount
    const block = new Float64Array(m * m)
    for (let i = 0; i < m; i++) {
      this.#image.fill(0)
      this.#image[i] = 1
      this.#curvature.multiply(this.#image, this.#bent)
      for (let k = 0; k < m; k++) block[i * m + k] = this.#bent[k]
    }
    if (!choleskyFactor(block, m)) throw new Error('internal error: curvature is not positive definite')
    const inverse = new Float64Array(m * m)
    for (let i = 0; i < m; i++) {
      const column = inverse.subarray(i * m, i * m + m)
      column[i] = 1
      choleskySolve(block, m, column)
    }
    return inverse
  }

  /** A step length at which the barrier function still falls, or nearly: bisection on its slope. */
  #lineSearch(direction: Float64Array, longest: number, tau: number): number {
    const first = this.#slope(direction, 0, tau)
    if (this.#slope(direction, longest, tau) <= -0.1 * first) return longest
    let low = 0
    let high = longest
    for (let tries = 0; tries < 12; tries++) {
      const middle = (low + high) / 2
      const slope = this.#slope(direction, middle, tau)
      if (slope > 0) high = middle
      else low = middle
      if (slope <= 0 && slope > 0.3 * first) break
    }
    return low
  }

  #slope(direction: Float64Array, length: number, tau: number): number {
    const {layout} = this.#problem
    const trial = this.#trial
    for (let e = 0; e < trial.length; e++) trial[e] = this.x[e] + length * this.#image[e]
    momentsAt(layout, trial, this.#cells)
    this.#value.gradient(this.#cells, this.#cellSlopes)
    polynomialOf(layout, this.#cellSlopes, trial)
    let slope = dot(trial, this.#image)
    if (tau > 0)
      for (let a = 0; a < direction.length; a++)
        slope -= (tau * direction[a]) / (this.weights[a] + length * direction[a])
    return slope
  }

  /** Updates everything at the mixture of the current weights. */
  #refresh(): void {
    const {layout, shrinkageWeights} = this.#problem
    const {mu} = this
    this.atoms.combine(this.weights, this.x)
    momentsAt(layout, this.x, mu)
    this.objective = this.#value.value(mu)
    this.#value.gradient(mu, this.#cells)
    polynomialOf(layout, this.#cells, this.gradient)
    for (let c = 0; c < mu.length; c++) this.#cells[c] = shrinkageWeights[c] / (mu[c] * mu[c])
    this.#curvature.update(this.x, this.#cells)
  }
}

function sum(a: Float64Array): number {
  let total = 0
  for (const value of a) total += value
  return total
}
