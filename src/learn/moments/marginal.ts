import {maximumSpanningTree} from '../../base/network/index.ts'
import {conjugateGradients, dot, mutualInformation, type Rng, rng} from '../../base/numeric/index.ts'
import type {MomentSolution, StopRule} from './certificate.ts'
import {
  type ActiveSet,
  type CorrectiveStep,
  conditionalGradient,
  type LinearOracle,
  type WeightedPoint,
  zeroOfSlope
} from './conditional-gradient.ts'
import {type Separate, violatedHypermetrics, violatedTriangles} from './cuts.ts'
import {InteriorPoint} from './interior-point.ts'
import {NewtonSystem} from './newton-system.ts'
import {type ConvexObjective, MomentObjective} from './objective.ts'
import {
  coordinateGradient,
  independentCoordinates,
  insidePoint,
  type MomentProblem,
  momentsAt,
  pairCells,
  pairColumn
} from './problem.ts'
import {enumerateMinimum, searchMinima} from './vertex-search.ts'

/** Up to this many concepts the best vertex is found by enumerating all assignments, within milliseconds. */
const ENUMERATED = 16
/** Random starts of the search for vertices, and how many of its minima become points of the mixture. */
const STARTS = 400
const NEW_POINTS = 80
/** Assignments drawn from a tree at the start. */
const SAMPLES = 2000
/** New vertices get this share of all weight, at least and at most: less never grows, more disturbs the rest. */
const STEP_RANGE = {least: 1e-5, most: 0.1}
/** The relaxation is solved to this share of the requested gap. */
const RELAXATION_SHARE = 0.2
const HYPERMETRIC_STARTS = 5000
/** A step that closes less than this share of the gap is slow. */
const SLOW = 0.03
/** The search ends after this many steps that together close less than this share of the gap. */
const PATIENCE = {share: 0.1, steps: 14}
/** The barrier at the start, and the factor by which it falls after a step of at least this length. */
const FIRST_BARRIER = 1e-4
const BARRIER_FALL = 0.6
const LONG_STEP = 0.5
/** The barrier costs about its weight times the number of points: a small share of the requested gap, but above rounding. */
const BARRIER_SHARE = 0.05
const MIN_BARRIER = 1e-12
/** Newton steps per corrective step, and conjugate-gradient steps within each: few suffice, since new vertices come soon. */
const NEWTON_STEPS = 3
const CONJUGATE_STEPS = 60
/** Conjugate gradients stop when the residual has shrunk to this share. */
const RESIDUAL = 0.1
/** The share of the way to the boundary that a step may go. */
const REACH = 0.95
/** Smaller predicted improvements are rounding: the weights are at the minimum. */
const ROUNDING = 1e-18
/** The line search stops when the slope is this share of the first one. */
const SLOPE_SHARE = 0.3

/**
 * Minimises Eq. 4 over the marginal polytope: conditional gradient in coordinates (p, q) with a fast oracle and corrective step.
 *
 * Upper bound: a mixture of 0/1 assignments and two dense points to start from. The oracle is a search for assignments of
 * low product with the gradient, a quadratic function of 0/1 variables; the corrective step is a Newton step with a barrier.
 * Lower bound: where all assignments can be enumerated, that of conditional gradient; else the local polytope with triangle and
 * hypermetric cuts. `heuristicGap`, which takes the best vertex found for the best there is, is not certified.
 * Differs from the paper, which solves an integer program per step (`solveByConditionalGradient`).
 */
export function solveMarginal(problem: MomentProblem, rule: StopRule, seed: number): MomentSolution {
  const {layout} = problem
  const m = layout.conceptCount
  const random = rng(seed)
  const outer = m > ENUMERATED ? outerBound(problem, rule, random.stream('hypermetric')) : undefined
  const {mu: x, certificate} = conditionalGradient(
    coordinateObjective(problem),
    {
      oracle: vertexOracle(m, random.stream('vertices')),
      correct: barrierStep(problem, rule.limits.gap),
      relax: outer?.bound,
      patience: PATIENCE,
      stepRange: STEP_RANGE
    },
    startingPoints(insidePoint(problem), outer?.point.x, m, random.stream('samples')),
    rule
  )
  return {mu: momentsAt(layout, x), certificate: {...certificate, cuts: outer?.point.cuts.length ?? 0}}
}

/** Eq. 4 as a function of the coordinates (p, q). */
function coordinateObjective(problem: MomentProblem): ConvexObjective {
  const {layout} = problem
  const objective = new MomentObjective(problem)
  const mu = new Float64Array(layout.size)
  const slopes = new Float64Array(layout.size)
  return {
    value: x => objective.value(momentsAt(layout, x, mu)),
    gradient(x, gradient) {
      objective.gradient(momentsAt(layout, x, mu), slopes)
      coordinateGradient(layout, slopes, gradient)
    }
  }
}

/** The oracle: assignments of low <gradient, vertex>, the best first. */
function vertexOracle(m: number, random: Rng): LinearOracle {
  return gradient => {
    const minimum = m <= ENUMERATED ? enumerateMinimum(gradient, m) : undefined
    const found = searchMinima(gradient, m, STARTS, random).slice(0, NEW_POINTS)
    if (minimum !== undefined) found.unshift(minimum)
    return {
      vertices: found.map(({y}) => independentCoordinates(y)),
      value: found[0].value,
      bound: minimum?.value ?? Number.NEGATIVE_INFINITY,
      exact: minimum !== undefined
    }
  }
}

/**
 * The lower bound from the local polytope with triangle cuts and, where they do not suffice, hypermetric cuts: a round of further
 * cuts whenever the objective hardly falls, so that most of the gap is due to the bound.
 */
function outerBound(problem: MomentProblem, rule: StopRule, random: Rng) {
  const m = problem.layout.conceptCount
  const triangles = violatedTriangles(m)
  const hypermetrics = violatedHypermetrics(m, HYPERMETRIC_STARTS, random)
  const least = RELAXATION_SHARE * rule.limits.gap
  const point = new InteriorPoint(problem, rule)
  point.solveWithCuts(triangles, least)
  let before = Number.POSITIVE_INFINITY
  const bound = ({objective, gap}: {readonly objective: number; readonly gap: number}) => {
    const isSlow = before - objective < SLOW * gap
    before = objective
    const separate: Separate = (x, report) => {
      triangles(x, report)
      hypermetrics(x, report)
    }
    if (isSlow && point.addCuts(separate) > 0) point.solve(Math.max(least, gap / 10))
    return point.lowerBound
  }
  return {point, bound}
}

/**
 * The mixture to start from: independent concepts at `inside`, no concept, each concept alone, and draws from the tree of greatest
 * mutual information between the pairs of `centre`, moments near the optimum.
 */
function startingPoints(inside: Float64Array, centre = inside, m: number, random: Rng): WeightedPoint[] {
  const assignments = Array.from({length: m + 1}, (_, alone) =>
    Uint8Array.from({length: m}, (_, i) => (i === alone ? 1 : 0))
  )
  const {order, parent} = maximumSpanningTree(m, (i, k) => {
    return mutualInformation(pairCells(1, centre[i], centre[k], centre[pairColumn(i, k, m)]))
  })
  for (let n = 0; n < SAMPLES; n++) {
    const y = new Uint8Array(m)
    for (const k of order) {
      const i = parent[k]
      const both = i < 0 ? 0 : centre[pairColumn(i, k, m)]
      const on = i < 0 ? centre[k] : y[i] === 1 ? both / centre[i] : (centre[k] - both) / (1 - centre[i])
      y[k] = random.next() < on ? 1 : 0
    }
    assignments.push(y)
  }
  const weight = 0.5 / assignments.length
  return [{point: inside, weight: 0.5}, ...assignments.map(y => ({point: independentCoordinates(y), weight}))]
}

/**
 * The corrective step of the fast marginal method: Newton steps on f(sum of weight times point) - tau * sum of log weight over
 * weights that sum to 1. The barrier keeps every weight above 0 and the gradient central, so that new vertices serve the whole
 * neighbourhood of the optimum and not one corner of it; tau falls while steps are long.
 *
 * Method: conjugate gradients on the weights (products with the points and with the curvature) restricted to directions that
 * sum to 0, and a line search. Points are coordinates (p, q). Cost: at most 40 products per Newton step.
 */
function barrierStep(problem: MomentProblem, gap: number): CorrectiveStep {
  const {layout, shrinkageWeights} = problem
  const m = layout.conceptCount
  const objective = new MomentObjective(problem)
  const system = new NewtonSystem(problem)
  const cells = new Float64Array(layout.size)
  const slopes = new Float64Array(layout.size)
  /** A direction in coordinates, and its product with the curvature. */
  const image = new Float64Array(m + layout.pairCount)
  const bent = new Float64Array(m + layout.pairCount)
  let tau = FIRST_BARRIER
  return (active, {interrupted}) => {
    let taken = 0
    for (let n = 0; n < NEWTON_STEPS && !interrupted(); n++) taken = takeStep(active)
    const least = Math.max(MIN_BARRIER, BARRIER_SHARE * gap) / active.size
    if (taken > LONG_STEP) tau = Math.max(least, BARRIER_FALL * tau)
  }

  /** Takes one Newton step; returns the share of it that was taken. */
  function takeStep(active: ActiveSet): number {
    const anchorWeights = objective.gradient(momentsAt(layout, active.x, cells), slopes)
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
    const inverseDiagonal = preconditioner(active)
    const trace = sum(inverseDiagonal)
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
        const nu = dot(inverseDiagonal, r) / trace
        for (let n = 0; n < size; n++) out[n] = inverseDiagonal[n] * (r[n] - nu)
      },
      residual: RESIDUAL,
      stepLimit: CONJUGATE_STEPS,
      floor: ROUNDING
    })
    const drift = sum(direction)
    for (let n = 0; n < size; n++) direction[n] -= drift * w[n]
    return direction
  }

  /** Returns one over the diagonal of the model's matrix, for which the curvature is approximated by its own diagonal. */
  function preconditioner(active: ActiveSet): Float64Array {
    const {weights: w, size} = active
    system.writeDiagonal(bent)
    const diagonal = new Float64Array(size)
    active.products(bent, diagonal)
    return diagonal.map((d, n) => 1 / (d + tau / (w[n] * w[n])))
  }
}

function sum(a: Float64Array): number {
  let total = 0
  for (const value of a) total += value
  return total
}
