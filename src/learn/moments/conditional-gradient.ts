import {AdfaError} from '../../base/checks/index.ts'
import {dot} from '../../base/numeric/index.ts'
import {ActiveSet, type StepRange, type WeightedPoint, zeroOfSlope} from './active-set.ts'
import {certified, type MomentSolution, type SolveStatus, type StopRule} from './certificate.ts'
import type {ConvexObjective} from './objective.ts'

/** The line search of an exchange stops when the slope is this share of the first one: the next exchange goes on from there. */
const EXCHANGE_SLOPE = 0.3
/** Exchanges of one corrective step, at most, for each point of the active set. */
const EXCHANGES = 100

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
  readonly relax?: (progress: {readonly objective: number; readonly gap: number}) => number
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
    if (!Number.isFinite(value)) throw outsideDomain(value)
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
    status = rule.check({objective: best.value, gap, steps}) ?? (idleSteps >= patience.steps ? 'gap' : undefined)
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

function outsideDomain(f: number): AdfaError {
  return new AdfaError(
    'bad-option',
    `conditional gradient must start where the objective is finite, got ${f}; start inside the polytope, at independent moments`
  )
}
