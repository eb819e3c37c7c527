import {dot} from '../../base/numeric/index.ts'
import {certified, type MomentSolution, type SolveStatus, type StopRule} from './certificate.ts'
import type {ConvexObjective} from './objective.ts'

/** The line search of an exchange stops when the slope is this share of the first one: the next exchange goes on from there. */
const EXCHANGE_SLOPE = 0.3
/** Exchanges of one corrective step, at most, for each point of the active set. */
const EXCHANGES = 100
/** Smaller entries of a vertex count as 0, and vertices whose entries agree to this are the same: a linear solver rounds. */
const SAME = 1e-9
/** The line search of Algorithm FW stops when the slope is this share of the first one. */
const SLOPE_SHARE = 1e-4
/** A positive slope below this share of the first one is rounding: the slope is 0 there. */
const ROUNDING = 1e-9
/** Bisections alone reach the accuracy of a number of 53 bits within so many trials. */
const TRIALS = 60

/** A point of the polytope and its weight in a mixture. */
export interface WeightedPoint {
  readonly point: Float64Array
  readonly weight: number
}

/** The least and the greatest share of all weight that line 6 moves to new vertices. */
export interface StepRange {
  readonly least: number
  readonly most: number
}

/** The answer of a linear oracle. */
export interface OracleAnswer {
  /** <gradient, vertex> of the best vertex found. */
  readonly value: number
  /** No point of the polytope has a smaller product with the gradient, up to rounding. */
  readonly bound: number
  /** Whether the vertex is a minimiser; otherwise it is the best found, and `bound` may lie far below. */
  readonly exact: boolean
}

/** Line 3: finds the vertex of the smallest <gradient, vertex>; further vertices of low products may follow it. */
export type LinearOracle = (gradient: Float64Array) => OracleAnswer & {readonly vertices: readonly Float64Array[]}

/** Moves the weights of the active set towards the minimum over all mixtures of its points. */
export type CorrectiveStep = (active: ActiveSet, limits: CorrectionLimits) => void

export interface CorrectionLimits {
  /** Stop when no mixture of the points is better by more than this. */
  readonly gap: number
  readonly interrupted: () => boolean
}

export interface ConditionalGradientMethod {
  readonly oracle: LinearOracle
  readonly correct: CorrectiveStep
  /** A lower bound of the minimum from elsewhere, asked for at every step. */
  readonly relax?: ((progress: {readonly objective: number; readonly gap: number}) => number) | undefined
  /** The search ends after `steps` steps that together close no more than this share of the gap. */
  readonly patience: {readonly share: number; readonly steps: number}
  readonly stepRange: StepRange
}

/**
 * Minimises a convex objective over a polytope known by its linear oracle: Algorithm FW of the supplement (conditional gradient),
 * fully corrective, with a line search.
 *
 * `start` are points inside the polytope rather than vertices: with lambda > 0 the objective is infinite at every vertex.
 * Certificate: f lies above its tangents, so f* >= f(x) - <g, x> + min <g, v>; the best of these bounds is kept.
 * Cost per step: an oracle call, a few gradients and a corrective step.
 * Differs from the paper: starts at given points, stops on the certified gap, and takes the corrective step after every step
 * instead of only when a vertex comes again.
 */
export function conditionalGradient(
  objective: ConvexObjective,
  {oracle, correct, relax, patience, stepRange}: ConditionalGradientMethod,
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
    const here = dot(gradient, x)
    isExact &&= found.exact
    heuristicBound = Math.max(heuristicBound, value - here + found.value)
    lowerBound = Math.max(lowerBound, value - here + found.bound)
    if (relax !== undefined)
      lowerBound = Math.max(lowerBound, relax({objective: best.value, gap: best.value - lowerBound}))
    const gap = best.value - lowerBound
    const isCloser = gap < (1 - patience.share) * leastGap
    idleSteps = isCloser ? 0 : idleSteps + 1
    if (isCloser) leastGap = gap
    rule.report({objective: best.value, gap, steps})
    status = gap <= rule.limits.gap ? 'optimal' : rule.interruption(steps)
    if (status === undefined && idleSteps >= patience.steps) status = 'gap'
    if (status !== undefined) break
    active.moveTowards(found.vertices, stepRange) // lines 4 to 6: direction, step size and move
    correct(active, {gap: (here - found.value) / 2, interrupted: () => rule.interruption(steps) !== undefined})
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
  return {mu: best.x, certificate: certified(parts, rule)}
}

/**
 * The fully corrective step of the supplement: moves to the minimum of the objective over all mixtures of the points seen.
 *
 * Method: pairwise exchange. Weight moves from the weighted point of the greatest product with the gradient to the point of the
 * least, as far as a line search finds the objective falling, until the gap over the active set is small.
 * Cost: a few gradients per exchange.
 */
export function correctFully(active: ActiveSet, {gap, interrupted}: CorrectionLimits): void {
  const {x, gradient, size} = active
  const products = new Float64Array(size)
  const change = new Float64Array(size)
  const d = new Float64Array(x.length)
  for (let exchange = 0; exchange < EXCHANGES * size && !interrupted(); exchange++) {
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

/** The points that the oracle has found so far with their weights, which sum to 1, and their mean x with the gradient there. */
export class ActiveSet {
  readonly x: Float64Array
  readonly gradient: Float64Array
  /** One weight for each point. */
  weights = new Float64Array(0)
  readonly #objective: ConvexObjective
  /** The nonzero entries of every point. */
  readonly #points: {readonly columns: Int32Array; readonly values: Float64Array}[] = []
  readonly #known = new Map<string, number>()
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

  /** The objective at x. */
  value(): number {
    return this.#objective.value(this.x)
  }

  /** Adds a point, unless it is already a member; returns its number. */
  #add(point: Float64Array): number {
    const columns: number[] = []
    for (let c = 0; c < point.length; c++) if (Math.abs(point[c]) > SAME) columns.push(c)
    const name = columns.map(c => `${c}:${Math.round(point[c] / SAME)}`).join()
    const known = this.#known.get(name)
    if (known !== undefined) return known
    this.#known.set(name, this.size)
    return this.#points.push({columns: Int32Array.from(columns), values: Float64Array.from(columns, c => point[c])}) - 1
  }

  /** Sets the weights, scaled to sum to 1, and everything that follows from them. */
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
   * Lines 4 to 6 of Algorithm FW: moves a share of all weight, between `least` and `most`, to those vertices that have a lower
   * product with the gradient than x; several are weighted by how much lower.
   */
  moveTowards(vertices: readonly Float64Array[], {least, most}: StepRange): void {
    const here = dot(this.gradient, this.x)
    const gains = vertices.map(vertex => Math.max(0, here - dot(this.gradient, vertex)))
    const total = gains.reduce((sum, gain) => sum + gain, 0)
    if (total === 0) return
    const members = vertices.map((vertex, n) => (gains[n] > 0 ? this.#add(vertex) : -1))
    const before = new Float64Array(this.size)
    before.set(this.weights)
    const direction = before.map(weight => -weight)
    members.forEach((member, n) => {
      if (member >= 0) direction[member] += gains[n] / total
    })
    const d = new Float64Array(this.x.length)
    this.combine(direction, d) // line 4: d <- s - mu
    const step = Math.max(least, zeroOfSlope(this.slopeAlong(d), most, SLOPE_SHARE)) // line 5: step size
    this.setWeights(before.map((weight, n) => Math.max(0, weight + step * direction[n]))) // line 6: mu <- mu + step d
  }

  /** The slope of the objective at x + step d along d; infinite outside its domain. */
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
 * Finds the step between 0 and `limit` where a rising slope is 0, or `limit` if it stays negative: by false position safeguarded
 * by bisection, to a slope <= 0 whose size is the given share of the first one. It is 0 when no step lowers the objective.
 */
export function zeroOfSlope(slopeAt: (step: number) => number, limit: number, share: number): number {
  const first = slopeAt(0)
  if (!(first < 0)) return 0
  let low = 0
  let high = limit
  let lowSlope = first
  let highSlope = slopeAt(limit)
  if (highSlope <= 0) return limit
  let bisect = highSlope === Number.POSITIVE_INFINITY
  for (let trials = 0; trials < TRIALS; trials++) {
    const width = high - low
    const step = bisect ? low + width / 2 : low + (width * lowSlope) / (lowSlope - highSlope)
    if (!(step > low && step < high)) break
    const here = slopeAt(step)
    if (here <= -ROUNDING * first) {
      low = step
      lowSlope = here
      if (here >= share * first) break
    } else {
      high = step
      highSlope = here
    }
    bisect = highSlope === Number.POSITIVE_INFINITY || high - low > width / 2
  }
  return low
}
