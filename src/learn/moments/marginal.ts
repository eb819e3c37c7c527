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

/** The most concepts for which the best vertex is found by enumerating all assignments, within milliseconds. */
const ENUMERATED = 16
/** The number of random starts of the search for vertices. */
const STARTS = 400
/** The most vertices added to the active set per step. */
const NEW_POINTS = 80
/** The number of assignments drawn from a Chow-Liu tree at the start. */
const SAMPLES = 2000
/** New vertices get at least and at most this share of all weight: a smaller one never grows, a greater one disturbs the rest. */
const STEP_RANGE = {least: 1e-5, most: 0.1}
/** The minimum over the outer polytope, the local one with cuts, is found to this fraction of the requested gap. */
const OUTER_GAP = 0.2
/** The number of random starts of the search for hypermetric cuts. */
const HYPERMETRIC_STARTS = 5000
/** A step of conditional gradient is slow if it lowers the objective by less than this fraction of the gap. */
const SLOW = 0.03
/** The search ends after `steps` steps that together reduce the gap by less than the fraction `share`. */
const PATIENCE = {share: 0.1, steps: 18}
/** The weight tau of the barrier -log(weight of a point) at the start. */
const FIRST_BARRIER = 1e-4
/** The factor that tau is multiplied by after a step longer than `LONG_STEP`. */
const BARRIER_FALL = 0.6
const LONG_STEP = 0.5
/** The barrier raises the objective by about tau times the number of points, in the end this fraction of the requested gap. */
const BARRIER_GAP = 0.05
/** The product of tau and the number of points stays at least this, well above rounding errors. */
const MIN_BARRIER = 1e-12
/** Newton steps per corrective step. Few suffice, since new vertices follow. */
const NEWTON_STEPS = 3
const MAX_CONJUGATE_STEPS = 50
/** Conjugate gradients stop when the norm of the residual is this fraction of the first one. */
const RESIDUAL = 0.1
/** A step goes at most this fraction of the way to where the weight of a point is 0. */
const REACH = 0.95
/** Conjugate gradients stop when the improvement that they predict is smaller than this, a rounding error. */
const ROUNDING = 1e-18
/** The line search of a Newton step stops at this fraction of its first slope. */
const FINAL_SLOPE = 0.3

/**
 * Minimises Eq. 4 over the marginal polytope by conditional gradient in coordinates (p, q).
 *
 * Upper bound: a mixture of 0/1 assignments and one point of independent concepts. The oracle is a local search for assignments
 * of low product with the gradient, and the corrective step takes Newton steps with a barrier.
 * Lower bound: if all assignments can be enumerated, the one of conditional gradient, else the minimum over the local polytope
 * with triangle and hypermetric cuts. `heuristicGap` takes the best vertex found as optimal, and is not certified.
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
      outerBound: outer?.bound,
      patience: PATIENCE,
      stepRange: STEP_RANGE
    },
    startingPoints(insidePoint(problem), outer?.point.x, m, random.stream('samples')),
    rule
  )
  return {mu: momentsAt(layout, x), certificate: {...certificate, cuts: outer?.point.cuts.length ?? 0}}
}

/** Returns the objective of Eq. 4 as a function of the coordinates (p, q). */
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

/** Returns an oracle that finds assignments of low <gradient, vertex>, the best first. */
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
 * Prepares the lower bound: the minimum over the local polytope with triangle cuts. `bound` adds violated triangle and
 * hypermetric cuts whenever the objective of conditional gradient hardly falls, so that most of the gap is due to the bound.
 */
function outerBound(problem: MomentProblem, rule: StopRule, random: Rng) {
  const m = problem.layout.conceptCount
  const triangles = violatedTriangles(m)
  const hypermetrics = violatedHypermetrics(m, HYPERMETRIC_STARTS, random)
  const target = OUTER_GAP * rule.limits.gap
  const point = new InteriorPoint(problem, rule)
  point.solveWithCuts(triangles, target)
  let before = Number.POSITIVE_INFINITY
  const bound = ({objective, gap}: {readonly objective: number; readonly gap: number}) => {
    const isSlow = before - objective < SLOW * gap
    before = objective
    const separate: Separate = (x, report) => {
      triangles(x, report)
      hypermetrics(x, report)
    }
    if (isSlow && point.addCuts(separate) > 0) point.solve(Math.max(target, gap / 10))
    return point.lowerBound
  }
  return {point, bound}
}

/**
 * Returns the mixture to start from: the point `inside`, the assignments of no concept and of each concept alone, and draws from
 * the Chow-Liu tree of `centre`, moments near the optimum.
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
      const probability = i < 0 ? centre[k] : y[i] === 1 ? both / centre[i] : (centre[k] - both) / (1 - centre[i])
      y[k] = random.next() < probability ? 1 : 0
    }
    assignments.push(y)
  }
  const weight = 0.5 / assignments.length
  return [{point: inside, weight: 0.5}, ...assignments.map(y => ({point: independentCoordinates(y), weight}))]
}

/**
 * Returns the corrective step of the fast marginal method: Newton steps on f(sum of weight times point) - tau * sum of log weight,
 * over weights that sum to 1. The barrier keeps every weight positive and the gradient central, so that new vertices serve the
 * whole neighbourhood of the optimum. tau falls while steps are long.
 *
 * Method: conjugate gradients on the weights, restricted to directions that sum to 0, and a line search. Each iteration multiplies
 * by the points, in coordinates (p, q), and by the curvature. Cost: at most 50 such products per Newton step.
 */
function barrierStep(problem: MomentProblem, gap: number): CorrectiveStep {
  const {layout, shrinkageWeights} = problem
  const m = layout.conceptCount
  const objective = new MomentObjective(problem)
  const system = new NewtonSystem(problem)
  const cells = new Float64Array(layout.size)
  const slopes = new Float64Array(layout.size)
  /** A direction in coordinates (p, q), and its product with the curvature. */
  const change = new Float64Array(m + layout.pairCount)
  const product = new Float64Array(m + layout.pairCount)
  let tau = FIRST_BARRIER
  return (active, {isInterrupted}) => {
    let length = 0
    for (let n = 0; n < NEWTON_STEPS && !isInterrupted(); n++) length = takeStep(active)
    const least = Math.max(MIN_BARRIER, BARRIER_GAP * gap) / active.size
    if (length > LONG_STEP) tau = Math.max(least, BARRIER_FALL * tau)
  }

  /** Takes one Newton step; returns its length as a fraction of the Newton direction. */
  function takeStep(active: ActiveSet): number {
    const anchorWeights = objective.gradient(momentsAt(layout, active.x, cells), slopes)
    // The second derivative of the shrinkage in each cell replaces the cell.
    for (let c = 0; c < cells.length; c++) cells[c] = shrinkageWeights[c] / (cells[c] * cells[c])
    system.update(anchorWeights, cells)
    const w = active.weights
    const direction = newtonDirection(active)
    let longest = 1
    for (let n = 0; n < w.length; n++) if (direction[n] < 0) longest = Math.min(longest, (-REACH * w[n]) / direction[n])
    active.combine(direction, change)
    const slopeAlong = active.slopeAlong(change)
    const slopeAt = (length: number) => {
      let slope = slopeAlong(length)
      for (let n = 0; n < w.length; n++) slope -= (tau * direction[n]) / (w[n] + length * direction[n])
      return slope
    }
    const length = zeroOfSlope(slopeAt, longest, FINAL_SLOPE)
    active.setWeights(w.map((weight, n) => weight + length * direction[n]))
    return length
  }

  /** Minimises the quadratic model of f plus barrier by conjugate gradients over directions that sum to 0. */
  function newtonDirection(active: ActiveSet): Float64Array {
    const {weights: w, gradient, x, size} = active
    const inverseDiagonal = preconditioner(active)
    const trace = inverseDiagonal.reduce((sum, entry) => sum + entry, 0)
    const residual = new Float64Array(size)
    active.products(gradient, residual)
    // Adding a constant to the residual does not change the direction. This one is subtracted because near the minimum it is far
    // larger than the rest, which its rounding errors would swamp.
    const constant = size * tau - dot(gradient, x)
    for (let n = 0; n < size; n++) residual[n] = tau / w[n] - residual[n] - constant
    const direction = new Float64Array(size)
    conjugateGradients(residual, direction, {
      multiply(v, out) {
        active.combine(v, change)
        system.multiply(change, product)
        active.products(product, out)
        for (let n = 0; n < size; n++) out[n] += (tau / (w[n] * w[n])) * v[n]
      },
      precondition(r, out) {
        // Subtracting nu makes the entries of `out` sum to 0.
        const nu = dot(inverseDiagonal, r) / trace
        for (let n = 0; n < size; n++) out[n] = inverseDiagonal[n] * (r[n] - nu)
      },
      residual: RESIDUAL,
      stepLimit: MAX_CONJUGATE_STEPS,
      floor: ROUNDING
    })
    // Removes what rounding has left in the sum.
    const excess = direction.reduce((sum, entry) => sum + entry, 0)
    for (let n = 0; n < size; n++) direction[n] -= excess * w[n]
    return direction
  }

  /** Returns one over the diagonal of the model's matrix, as if the curvature in coordinates (p, q) were diagonal. */
  function preconditioner(active: ActiveSet): Float64Array {
    const {weights: w, size} = active
    system.writeDiagonal(product)
    const diagonal = new Float64Array(size)
    // The entries of points are not squared: those of vertices are 0 or 1. The one other point, that of independent concepts, so
    // gets too large a diagonal entry. This may take more conjugate-gradient steps, but does not change what they minimise.
    active.products(product, diagonal)
    return diagonal.map((d, n) => 1 / (d + tau / (w[n] * w[n])))
  }
}
