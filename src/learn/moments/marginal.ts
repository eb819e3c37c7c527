import {maximumSpanningTree, type SpanningTree} from '../../base/network/index.ts'
import {mutualInformation, type Rng, rng} from '../../base/numeric/index.ts'
import {enumerateMinimum, searchMinima} from '../../base/qubo/index.ts'
import {BarrierStep} from './barrier-step.ts'
import type {MomentSolution, StopRule} from './certificate.ts'
import {type CorrectiveStep, conditionalGradient, type LinearOracle} from './conditional-gradient.ts'
import {type Separate, violatedTriangles} from './cuts.ts'
import {violatedHypermetrics} from './hypermetric-cuts.ts'
import {coordinateCount, type MomentLayout, momentsAt, pairColumn, placeAssignment, quadraticOf} from './layout.ts'
import {Relaxation} from './local.ts'
import type {WeightedPoint} from './mixture.ts'
import {coordinateObjective, insidePoint, type MomentProblem} from './problem.ts'

/** Up to this many concepts all assignments are points of the mixture from the start. */
const ALL_ASSIGNMENTS = 8
/** Up to this many the best vertex is found by enumerating all assignments, within milliseconds. */
const ENUMERATED = 16
/** Random starts of the search for vertices, and how many of its minima become points of the mixture. */
const STARTS = 200
const NEW_POINTS = 80
/** Assignments drawn from a tree at the start. */
const SAMPLES = 2000
/** The barrier at the start, and how it falls when steps are long enough. */
const FIRST_BARRIER = 1e-4
const BARRIER_FALL = 0.6
const LONG_STEP = 0.5
/** The barrier costs about its weight times the number of points: a small share of the requested gap, but above rounding. */
const BARRIER_SHARE = 0.05
const LEAST_BARRIER = 1e-12
const NEWTON_STEPS = 3
/** Conjugate-gradient steps within a Newton step: few suffice while the mixture makes progress. */
const LEAST_EFFORT = 20
const MOST_EFFORT = 160
/** New vertices get this share of all weight, at least and at most: less never grows, more disturbs the rest. */
const STEP_RANGE = {least: 1e-4, most: 0.1}
/** The relaxation is solved to this share of the requested gap. */
const RELAXATION_SHARE = 0.2
const HYPERMETRIC_STARTS = 5000
/** A step that closes less than this share of the gap is slow. */
const SLOW = 0.03
/** The search ends after this many steps that together close less than this share of the gap: sooner where steps take long. */
const PATIENCE = {share: 0.05, steps: 15}
const SHORT_PATIENCE = {share: 0.2, steps: 8}

/**
 * Minimises Eq. 4 over the marginal polytope: conditional gradient in coordinates (p, q) with a fast oracle and corrective step.
 *
 * Upper bound: a mixture of 0/1 assignments and two dense points to start from. The oracle is a tabu search for assignments of
 * low product with the gradient, a quadratic function of 0/1 variables; the corrective step is a Newton step with a barrier.
 * Lower bound: where all assignments can be enumerated, that of conditional gradient; else the local polytope with triangle and
 * hypermetric cuts. `heuristicGap`, which takes the best vertex found for the best there is, is not certified.
 * Differs from the paper, which solves an integer program per step (`solveByConditionalGradient`).
 */
export function solveMarginal(problem: MomentProblem, rule: StopRule, seed: number): MomentSolution {
  const {layout} = problem
  const m = layout.conceptCount
  const random = rng(seed)
  const inside = insidePoint(problem)
  const relaxation = m > ENUMERATED ? new OuterBound(problem, rule, random.stream('hypermetric')) : undefined
  const barrier = new FallingBarrier(problem, rule.limits.gap)
  const {mu: x, certificate} = conditionalGradient(
    coordinateObjective(problem),
    {
      oracle: vertexSearch(layout, random.stream('pricing')),
      correct: barrier.correct,
      relax: ({objective, gap}) => {
        const isSlow = barrier.observe(objective, gap)
        return relaxation?.bound(isSlow ? gap : undefined) ?? Number.NEGATIVE_INFINITY
      },
      patience: relaxation === undefined ? PATIENCE : SHORT_PATIENCE,
      stepRange: STEP_RANGE
    },
    startingPoints(layout, relaxation?.x ?? inside, inside, random.stream('samples')),
    rule
  )
  const mu = new Float64Array(layout.size)
  momentsAt(layout, x, mu)
  return {mu, certificate: {...certificate, cuts: relaxation?.cutCount ?? 0}}
}

/** The oracle: assignments of low <gradient, vertex>, the best first. */
function vertexSearch(layout: MomentLayout, random: Rng): LinearOracle {
  const m = layout.conceptCount
  return gradient => {
    const q = quadraticOf(layout, gradient)
    const minimum = m <= ENUMERATED ? enumerateMinimum(q) : undefined
    const points = minimum?.y ?? new Uint8Array(0)
    const {count, values, rows} = searchMinima(q, {starts: STARTS, rng: random, keep: NEW_POINTS, points})
    const vertices = Array.from({length: count}, (_, n) => assignmentPoint(rows.subarray(n * m, n * m + m), layout))
    return {
      vertices,
      value: values[0],
      bound: minimum?.value ?? Number.NEGATIVE_INFINITY,
      exact: minimum !== undefined
    }
  }
}

/** The corrective step: Newton steps whose barrier falls, with more effort when the mixture makes little progress. */
class FallingBarrier {
  readonly #step: BarrierStep
  readonly #gap: number
  #tau = FIRST_BARRIER
  #effort = LEAST_EFFORT
  #objective = Number.POSITIVE_INFINITY

  constructor(problem: MomentProblem, gap: number) {
    this.#step = new BarrierStep(problem)
    this.#gap = gap
  }

  /** Notes the progress of the mixture; returns whether it hardly improves, so that most of the gap is due to the bound. */
  observe(objective: number, gap: number): boolean {
    const isSlow = this.#objective - objective < SLOW * gap
    this.#effort = isSlow ? Math.min(MOST_EFFORT, 2 * this.#effort) : Math.max(LEAST_EFFORT, this.#effort / 2)
    this.#objective = objective
    return isSlow
  }

  readonly correct: CorrectiveStep = (mixture, {interrupted}) => {
    let taken = 0
    for (let n = 0; n < NEWTON_STEPS && !interrupted(); n++) taken = this.#step.take(mixture, this.#tau, this.#effort)
    const least = Math.max(LEAST_BARRIER, BARRIER_SHARE * this.#gap) / mixture.points.size
    if (taken > LONG_STEP) this.#tau = Math.max(least, BARRIER_FALL * this.#tau)
  }
}

/** The lower bound from the local polytope with triangle cuts and, where they do not suffice, hypermetric cuts. */
class OuterBound {
  readonly #relaxation: Relaxation
  readonly #separate: Separate
  readonly #gap: number

  constructor(problem: MomentProblem, rule: StopRule, random: Rng) {
    const m = problem.layout.conceptCount
    const triangles = violatedTriangles(m)
    const hypermetrics = violatedHypermetrics(m, HYPERMETRIC_STARTS, random)
    this.#gap = RELAXATION_SHARE * rule.limits.gap
    this.#separate = (x, report) => {
      triangles(x, report)
      hypermetrics(x, report)
    }
    this.#relaxation = new Relaxation(problem, rule)
    this.#relaxation.solveWith(triangles, this.#gap)
  }

  get x(): Float64Array {
    return this.#relaxation.point.x
  }

  get cutCount(): number {
    return this.#relaxation.point.cuts.size
  }

  /** The bound; with a gap, after a round of deeper cuts that is solved to a tenth of it. */
  bound(gap?: number): number {
    if (gap !== undefined && this.#relaxation.cut(this.#separate) > 0)
      this.#relaxation.solve(Math.max(this.#gap, gap / 10))
    return this.#relaxation.point.lowerBound
  }
}

/**
 * The mixture to start from: a tree near the moments at `centre`, independent concepts at `inside`, and either all assignments
 * or no concept, each alone, and draws from the tree.
 */
function startingPoints(
  layout: MomentLayout,
  centre: Float64Array,
  inside: Float64Array,
  random: Rng
): readonly WeightedPoint[] {
  const m = layout.conceptCount
  const tree = informativeTree(centre, m)
  const assignments: Uint8Array[] = []
  if (m <= ALL_ASSIGNMENTS)
    for (let code = 0; code < 2 ** m; code++) assignments.push(Uint8Array.from({length: m}, (_, i) => (code >> i) & 1))
  else {
    for (let alone = 0; alone <= m; alone++)
      assignments.push(Uint8Array.from({length: m}, (_, i) => (i === alone ? 1 : 0)))
    for (let n = 0; n < SAMPLES; n++) assignments.push(sampleTree(centre, tree, random))
  }
  const weight = 0.5 / assignments.length
  return [
    {point: treeCoordinates(centre, tree), weight: 0.45},
    {point: inside, weight: 0.05},
    ...assignments.map(y => ({point: assignmentPoint(y, layout), weight}))
  ]
}

function assignmentPoint(y: ArrayLike<number>, layout: MomentLayout): Float64Array {
  const x = new Float64Array(coordinateCount(layout))
  placeAssignment(y, layout.conceptCount, x)
  return x
}

/** The spanning tree of greatest mutual information between the pairs of these moments (coordinates p, q). */
export function informativeTree(x: Float64Array, m: number): SpanningTree {
  return maximumSpanningTree(m, (i, k) => {
    const q = x[pairColumn(i, k, m)]
    return mutualInformation([1 - x[i] - x[k] + q, x[k] - q, x[i] - q, q])
  })
}

/** The moments of the tree distribution that has the singles of x and its pairs along the edges: a point of the marginal polytope. */
export function treeCoordinates(x: Float64Array, {order, parent}: SpanningTree): Float64Array {
  const m = order.length
  const out = x.slice()
  for (let n = 1; n < m; n++) {
    const k = order[n]
    const {givenOff, givenOn} = conditional(x, parent[k], k, m)
    for (let o = 0; o < n; o++) {
      const i = order[o]
      const withParent = i === parent[k] ? x[i] : out[pairColumn(i, parent[k], m)]
      out[pairColumn(i, k, m)] = withParent * givenOn + (x[i] - withParent) * givenOff
    }
  }
  return out
}

/** Draws one assignment from that distribution. */
function sampleTree(x: Float64Array, {order, parent}: SpanningTree, random: Rng): Uint8Array {
  const y = new Uint8Array(order.length)
  for (const k of order) {
    const i = parent[k]
    let on = x[k]
    if (i >= 0) {
      const {givenOff, givenOn} = conditional(x, i, k, order.length)
      on = y[i] === 1 ? givenOn : givenOff
    }
    y[k] = random.next() < on ? 1 : 0
  }
  return y
}

/** P(Y_k = 1 | Y_i). */
function conditional(x: Float64Array, i: number, k: number, m: number): {givenOff: number; givenOn: number} {
  const q = x[pairColumn(i, k, m)]
  return {givenOff: (x[k] - q) / (1 - x[i]), givenOn: q / x[i]}
}
