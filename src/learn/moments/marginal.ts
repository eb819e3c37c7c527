import {maximumSpanningTree} from '../../base/network/index.ts'
import {mutualInformation, type Rng, rng} from '../../base/numeric/index.ts'
import type {WeightedPoint} from './active-set.ts'
import {barrierStep} from './barrier-step.ts'
import type {MomentSolution, StopRule} from './certificate.ts'
import {conditionalGradient, type LinearOracle} from './conditional-gradient.ts'
import {violatedHypermetrics, violatedTriangles} from './cuts.ts'
import {InteriorPoint} from './interior-point.ts'
import {coordinateGradient, independentCoordinates, momentsAt, pairColumn} from './layout.ts'
import {type ConvexObjective, MomentObjective} from './objective.ts'
import {insidePoint, type MomentProblem} from './problem.ts'
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
const PATIENCE = {share: 0.1, steps: 12}

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
  const outer = m > ENUMERATED ? new OuterBound(problem, rule, random.stream('hypermetric')) : undefined
  const {mu: x, certificate} = conditionalGradient(
    coordinateObjective(problem),
    {
      oracle: vertexOracle(m, random.stream('vertices')),
      correct: barrierStep(problem, rule.limits.gap),
      relax: ({objective, gap}) => outer?.bound(objective, gap) ?? Number.NEGATIVE_INFINITY,
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

/** The lower bound from the local polytope with triangle cuts and, where they do not suffice, hypermetric cuts. */
class OuterBound {
  readonly point: InteriorPoint
  readonly #separate: ReturnType<typeof violatedTriangles>
  readonly #gap: number
  #objective = Number.POSITIVE_INFINITY

  constructor(problem: MomentProblem, rule: StopRule, random: Rng) {
    const m = problem.layout.conceptCount
    const triangles = violatedTriangles(m)
    const hypermetrics = violatedHypermetrics(m, HYPERMETRIC_STARTS, random)
    this.#gap = RELAXATION_SHARE * rule.limits.gap
    this.#separate = (x, report) => {
      triangles(x, report)
      hypermetrics(x, report)
    }
    this.point = new InteriorPoint(problem, rule)
    this.point.solveWithCuts(triangles, this.#gap)
  }

  /** The bound; when the objective hardly falls, so that most of the gap is due to the bound, after a round of further cuts. */
  bound(objective: number, gap: number): number {
    const isSlow = this.#objective - objective < SLOW * gap
    this.#objective = objective
    if (isSlow && this.point.addCuts(this.#separate) > 0) this.point.solve(Math.max(this.#gap, gap / 10))
    return this.point.lowerBound
  }
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
    const q = centre[pairColumn(i, k, m)]
    return mutualInformation([1 - centre[i] - centre[k] + q, centre[k] - q, centre[i] - q, q])
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
