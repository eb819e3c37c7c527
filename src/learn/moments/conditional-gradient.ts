import {dot} from '../../base/numeric/index.ts'
import {completeCertificate, type MomentSolution, type SolveStatus, type StopRule} from './certificate.ts'
import type {ConvexObjective} from './objective.ts'

/** The line search of an exchange stops at this fraction of its first slope, since the next exchange continues from there. */
const EXCHANGE_SLOPE = 0.3
/** A corrective step makes at most this many exchanges times the number of points of the active set. */
const MAX_EXCHANGES = 100
/** Entries of vertices that differ by less than this count as equal, since a linear solver rounds. */
const VERTEX_TOLERANCE = 1e-9
/** The line search of Algorithm FW stops at this fraction of its first slope. */
const FINAL_SLOPE = 1e-4
/** A positive slope smaller than this fraction of the first, negative one is a rounding error and counts as 0. */
const ROUNDING = 1e-9
/** The most trials of a line search. This many bisections reach the accuracy of 53 bits. */
const MAX_TRIALS = 60

/** A point of the polytope and its weight in a mixture. */
export interface WeightedPoint {
  readonly point: Float64Array
  readonly weight: number
}

/** The answer of a linear oracle. */
export interface OracleAnswer {
  /** <gradient, vertex> of the best vertex found. */
  readonly value: number
  /** A proven bound: up to rounding, no point of the polytope has a smaller product with the gradient. */
  readonly bound: number
  /** Whether the vertex is a minimiser. If not, it is the best that was found, and `bound` may be far below its value. */
  readonly exact: boolean
}

/** Line 3 of Algorithm FW: `vertices` begin with the one of smallest <gradient, vertex>; others of low product may follow. */
export type LinearOracle = (gradient: Float64Array) => OracleAnswer & {readonly vertices: readonly Float64Array[]}

/** Moves the weights of the active set towards the minimum over all mixtures of its points. */
export type CorrectiveStep = (active: ActiveSet, limits: CorrectionLimits) => void

export interface CorrectionLimits {
  /** The step may stop if no mixture of the points has an objective smaller by more than this. */
  readonly gap: number
  /** The step must stop when this returns true. */
  readonly isInterrupted: () => boolean
}

/** The parts of conditional gradient that differ between methods. */
export interface ConditionalGradientMethod {
  readonly oracle: LinearOracle
  readonly correct: CorrectiveStep
  /** Returns a lower bound of the minimum that does not come from `oracle`. Called at every step. */
  readonly outerBound?: ((progress: {readonly objective: number; readonly gap: number}) => number) | undefined
  /** The search ends after `steps` steps that together reduce the gap by no more than the fraction `share`. */
  readonly patience: {readonly share: number; readonly steps: number}
  /** The least and the greatest step size of line 5: the share of all weight that moves to new vertices. */
  readonly stepRange: {readonly least: number; readonly most: number}
}

/**
 * Minimises a convex objective over a polytope known by its linear oracle: Algorithm FW of the supplement (conditional gradient),
 * fully corrective, with a line search.
 *
 * `start` must have points inside the polytope, since with shrinkage the objective is infinite at every vertex.
 * Certificate: f lies above its tangents, so its minimum f* >= f(x) - <g, x> + min <g, v>; the best bound of all steps counts.
 * Cost per step: an oracle call, a few gradients and a corrective step.
 * Differs from the paper: it starts at given points, stops at the certified gap, and takes the corrective step after every step
 * instead of only when a vertex is found again.
 */
export function conditionalGradient(
  objective: ConvexObjective,
  {oracle, correct, outerBound, patience, stepRange}: ConditionalGradientMethod,
  start: readonly WeightedPoint[],
  rule: StopRule
): MomentSolution {
  const active = new ActiveSet(objective, start) // line 1: initialize mu
  let best = {value: Number.POSITIVE_INFINITY, x: active.x}
  let lowerBound = Number.NEGATIVE_INFINITY
  let heuristicBound = Number.NEGATIVE_INFINITY
  let isExact = true
  let leastGap = Number.POSITIVE_INFINITY
  let idleSteps = 0
  let status: SolveStatus | undefined
  let steps = 0
  // line 2: for k = 0, 1, ...
  for (; ; steps++) {
    const {x, gradient} = active
    const value = active.value()
    if (value < best.value) best = {value, x: x.slice()}
    const found = oracle(gradient) // line 3: s <- argmin <s, gradient>
    const productHere = dot(gradient, x)
    isExact &&= found.exact
    heuristicBound = Math.max(heuristicBound, value - productHere + found.value)
    lowerBound = Math.max(lowerBound, value - productHere + found.bound)
    if (outerBound !== undefined)
      lowerBound = Math.max(lowerBound, outerBound({objective: best.value, gap: best.value - lowerBound}))
    const gap = best.value - lowerBound
    const isCloser = gap < (1 - patience.share) * leastGap
    idleSteps = isCloser ? 0 : idleSteps + 1
    if (isCloser) leastGap = gap
    rule.report({objective: best.value, gap, steps})
    status = gap <= rule.limits.gap ? 'optimal' : rule.interruption(steps)
    if (status === undefined && idleSteps >= patience.steps) status = 'gap'
    if (status !== undefined) break
    active.moveTowards(found.vertices, stepRange) // lines 4 to 6: direction, step size and move
    // Mixtures of the points are minimised only to half of <gradient, x - vertex>, since more vertices follow.
    correct(active, {gap: (productHere - found.value) / 2, isInterrupted: () => rule.interruption(steps) !== undefined})
  }
  const parts = {
    objective: best.value,
    lowerBound,
    ...(isExact ? {} : {heuristicGap: Math.max(0, best.value - heuristicBound)}),
    steps,
    atoms: active.weights.filter(weight => weight > 0).length,
    cuts: 0,
    status
  }
  return {mu: best.x, certificate: completeCertificate(parts, rule)}
}

/**
 * The fully corrective step of the supplement: minimises the objective over all mixtures of the points of the active set.
 *
 * Method: pairwise exchange. Weight moves from the point of greatest product with the gradient to the point of least product, by
 * a line search, until the gap over the active set is small.
 * Cost: a few gradients per exchange.
 */
export function correctFully(active: ActiveSet, {gap, isInterrupted}: CorrectionLimits): void {
  const {x, gradient, size} = active
  const products = new Float64Array(size)
  const change = new Float64Array(size)
  const d = new Float64Array(x.length)
  for (let exchange = 0; exchange < MAX_EXCHANGES * size && !isInterrupted(); exchange++) {
    const {weights} = active
    active.products(gradient, products)
    let low = 0
    let high = -1
    for (let n = 0; n < size; n++) {
      if (products[n] < products[low]) low = n
      if (weights[n] > 0 && (high < 0 || products[n] > products[high])) high = n
    }
    if (dot(gradient, x) - products[low] <= gap) return
    change.fill(0)
    change[low] = 1
    change[high] = -1
    active.combine(change, d)
    const length = zeroOfSlope(active.slopeAlong(d), weights[high], EXCHANGE_SLOPE)
    if (length === 0) return
    active.setWeights(weights.map((weight, n) => Math.max(0, weight + length * change[n])))
  }
}

/** The points found so far with weights that sum to 1, their weighted mean x, and the gradient at x. */
export class ActiveSet {
  readonly x: Float64Array
  readonly gradient: Float64Array
  /** The weight of each point. */
  weights = new Float64Array(0)
  readonly #objective: ConvexObjective
  /** The indices and values of the nonzero entries of every point. */
  readonly #points: {readonly columns: Int32Array; readonly values: Float64Array}[] = []
  /** The number of each point by a key of its rounded entries. */
  readonly #numbers = new Map<string, number>()
  readonly #trial: Float64Array
  readonly #trialGradient: Float64Array

  constructor(objective: ConvexObjective, start: readonly WeightedPoint[]) {
    const vector = () => new Float64Array(start[0].point.length)
    this.#objective = objective
    this.x = vector()
    this.gradient = vector()
    this.#trial = vector()
    this.#trialGradient = vector()
    const weights: number[] = []
    for (const {point, weight} of start) {
      const row = this.#add(point)
      weights[row] = (weights[row] ?? 0) + weight
    }
    this.setWeights(Float64Array.from(weights))
  }

  get size(): number {
    return this.#points.length
  }

  /** Returns the objective at x. */
  value(): number {
    return this.#objective.value(this.x)
  }

  /** Adds a point, unless it is already in the set; returns its number. */
  #add(point: Float64Array): number {
    const columns: number[] = []
    for (let c = 0; c < point.length; c++) if (Math.abs(point[c]) > VERTEX_TOLERANCE) columns.push(c)
    const key = columns.map(c => `${c}:${Math.round(point[c] / VERTEX_TOLERANCE)}`).join()
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.size)
    return this.#points.push({columns: Int32Array.from(columns), values: Float64Array.from(columns, c => point[c])}) - 1
  }

  /** Sets the weights, scaled to sum to 1, and updates x and the gradient. */
  setWeights(weights: Float64Array): void {
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    this.weights = weights.map(weight => weight / total)
    this.combine(this.weights, this.x)
    this.#objective.gradient(this.x, this.gradient)
  }

  /** Writes the sum of weight times point. */
  combine(weights: Float64Array, out: Float64Array): void {
    out.fill(0)
    for (let n = 0; n < weights.length; n++) {
      const weight = weights[n]
      if (weight === 0) continue
      const {columns, values} = this.#points[n]
      for (let at = 0; at < columns.length; at++) out[columns[at]] += weight * values[at]
    }
  }

  /** Writes <g, point> of every point. */
  products(g: Float64Array, out: Float64Array): void {
    for (let n = 0; n < out.length; n++) {
      const {columns, values} = this.#points[n]
      let sum = 0
      for (let at = 0; at < columns.length; at++) sum += g[columns[at]] * values[at]
      out[n] = sum
    }
  }

  /**
   * Lines 4 to 6 of Algorithm FW: moves a share of all weight, between `least` and `most`, to the vertices that have a lower
   * product with the gradient than x has, in proportion to the differences of these products.
   */
  moveTowards(vertices: readonly Float64Array[], {least, most}: ConditionalGradientMethod['stepRange']): void {
    const productHere = dot(this.gradient, this.x)
    const gains = vertices.map(vertex => Math.max(0, productHere - dot(this.gradient, vertex)))
    const total = gains.reduce((sum, gain) => sum + gain, 0)
    if (total === 0) return
    const numbers = vertices.map((vertex, n) => (gains[n] > 0 ? this.#add(vertex) : -1))
    const before = new Float64Array(this.size)
    before.set(this.weights)
    const direction = before.map(weight => -weight)
    numbers.forEach((number, n) => {
      if (number >= 0) direction[number] += gains[n] / total
    })
    const d = new Float64Array(this.x.length)
    this.combine(direction, d) // line 4: d <- s - mu
    const step = Math.max(least, zeroOfSlope(this.slopeAlong(d), most, FINAL_SLOPE)) // line 5: step size
    this.setWeights(before.map((weight, n) => Math.max(0, weight + step * direction[n]))) // line 6: mu <- mu + step d
  }

  /** Returns the slope of the objective along d as a function of the step from x; infinite outside the domain. */
  slopeAlong(d: Float64Array): (step: number) => number {
    const [trial, gradient] = [this.#trial, this.#trialGradient]
    return step => {
      for (let c = 0; c < d.length; c++) trial[c] = this.x[c] + step * d[c]
      this.#objective.gradient(trial, gradient)
      const slope = dot(gradient, d)
      return Number.isNaN(slope) ? Number.POSITIVE_INFINITY : slope
    }
  }
}

/**
 * Line search: finds the step between 0 and `limit` at which the slope, which increases with the step, is 0, or `limit` if it
 * stays negative. Method: false position safeguarded by bisection, until the slope is between `fraction` times the first one and
 * 0. Returns 0 if no step lowers the objective.
 */
export function zeroOfSlope(slopeAt: (step: number) => number, limit: number, fraction: number): number {
  const first = slopeAt(0)
  if (!(first < 0)) return 0
  let low = 0
  let high = limit
  let lowSlope = first
  let highSlope = slopeAt(limit)
  if (highSlope <= 0) return limit
  let bisect = highSlope === Number.POSITIVE_INFINITY
  for (let trials = 0; trials < MAX_TRIALS; trials++) {
    const width = high - low
    const step = bisect ? low + width / 2 : low + (width * lowSlope) / (lowSlope - highSlope)
    if (!(step > low && step < high)) break
    const here = slopeAt(step)
    if (here <= -ROUNDING * first) {
      low = step
      lowSlope = here
      if (here >= fraction * first) break
    } else {
      high = step
      highSlope = here
    }
    bisect = highSlope === Number.POSITIVE_INFINITY || high - low > width / 2
  }
  return low
}
