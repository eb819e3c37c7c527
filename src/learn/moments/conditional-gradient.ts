import {AdfaError} from '../../base/checks/index.ts'
import {dot} from '../../base/numeric/index.ts'
import {certified, type MomentSolution, type SolveStatus, type StopRule} from './certificate.ts'
import {Mixture, type WeightedPoint} from './mixture.ts'
import type {ConvexObjective} from './problem.ts'

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

/** Moves the weights of a mixture towards the minimum over all its vertices. */
export type CorrectiveStep = (mixture: Mixture, limits: CorrectionLimits) => void

export interface CorrectionLimits {
  /** Stop when no mixture of the vertices is better by more than this. */
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
  /** The least and the greatest share of all weight that line 6 moves to new vertices. */
  readonly stepRange: {readonly least: number; readonly most: number}
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
  const mixture = new Mixture(objective, start) // line 1: initialize mu
  let best = {value: Number.POSITIVE_INFINITY, x: mixture.x}
  let lowerBound = Number.NEGATIVE_INFINITY
  let heuristicBound = Number.NEGATIVE_INFINITY
  let isExact = true
  let leastGap = Number.POSITIVE_INFINITY
  let idleSteps = 0
  let status: SolveStatus | undefined
  let steps = 0
  // line 2: for k = 0, 1, ...
  for (; ; steps++) {
    const {value, x, gradient} = mixture
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
    mixture.moveTowards(found.vertices, stepRange) // lines 4 to 6: direction, step size and move
    correct(mixture, {gap: (here - found.value) / 2, interrupted: () => rule.interruption(steps) !== undefined})
  }
  const parts = {
    objective: best.value,
    lowerBound,
    ...(isExact ? {} : {heuristicGap: Math.max(0, best.value - heuristicBound)}),
    steps,
    atoms: mixture.weights.filter(weight => weight > 0).length,
    cuts: 0,
    status
  }
  return {mu: best.x, certificate: certified(parts, rule)}
}

function outsideDomain(f: number): AdfaError {
  return new AdfaError(
    'bad-option',
    `conditional gradient must start where the objective is finite, got ${f}; start inside the polytope, at independent moments`
  )
}
