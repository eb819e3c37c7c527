import {log} from '../../base/numeric/index.ts'
import {completeCertificate, type MomentSolution, type SolveStatus, type StopRule} from './certificate.ts'
import {type CutRow, deepestRows, rowProduct, type Separate, violatedTriangles} from './cuts.ts'
import {NewtonSystem} from './newton-system.ts'
import {MomentObjective} from './objective.ts'
import {coordinateGradient, insidePoint, type MomentProblem, momentsAt} from './problem.ts'

/** At the start, every product of slack and multiplier exceeds w, its value at the optimum, by this: far from the boundary. */
const FIRST_EXCESS = 1e-3
/** The excess of these products over w after adding cuts, when x is already near the optimum. */
const CUT_EXCESS = 1e-4
/** The sum of the excesses of slack times multiplier over w counts as at least this fraction of the gap when a step is aimed. */
const MIN_EXCESS = 0.02
/** The search ends after this many steps without a smaller gap. */
const PATIENCE = 15
/** A cut is idle if its slack is at least this and its multiplier at most this fraction of the largest multiplier of a cut. */
const IDLE = 1e-3
/** A step goes at most this fraction of the way to where a slack or a multiplier is 0. */
const REACH = 0.95
/** Cuts violated by less than this are not added; `comply` satisfies them in the end. */
const MIN_DEPTH = 1e-9

/** Minimises Eq. 4 over the local polytope: tables that agree on the concepts they share (Eq. 3). */
export function solveLocal(problem: MomentProblem, rule: StopRule): MomentSolution {
  const point = new InteriorPoint(problem, rule, progress => rule.report(progress))
  return point.solution(point.solve(rule.limits.gap))
}

/** Minimises Eq. 4 over the cycle polytope: consistent tables that satisfy the triangle inequalities of every three concepts. */
export function solveCycle(problem: MomentProblem, rule: StopRule): MomentSolution {
  const point = new InteriorPoint(problem, rule, progress => rule.report(progress))
  const triangles = violatedTriangles(problem.layout.conceptCount)
  // The other half of the gap is left for `comply`, which moves the point away from the optimum.
  const status = point.solveWithCuts(triangles, rule.limits.gap / 2)
  point.comply(triangles)
  return point.solution(status)
}

/**
 * Minimises Eq. 4 with shrinkage over consistent moments that also satisfy linear cuts: without cuts, over the local polytope.
 *
 * Method: primal-dual interior point in coordinates (p, q), in which Eq. 3 holds. The slacks are the cells of mu and the slacks of
 * the cuts. At the optimum the product of a cell and its multiplier z is its shrinkage weight w, so that the shrinkage acts as a
 * barrier, and the product of a cut's slack and z is 0. A step solves the Newton system (D'' + sum of z/slack over cells and
 * cuts) for products between the current ones and those at the optimum.
 * Certificate: D lies above its tangent at x, and the shrinkage of a cell, -w log v, above its tangent at w/z, of slope -z.
 * The slopes cancel up to a remainder, whose minimum over coordinates in [0, 1] counts: no feasible point is below f(x) - `gap`.
 * Layout of slacks, multipliers and w: first the cells of mu, then the cuts.
 */
export class InteriorPoint {
  /** The current point in coordinates (p, q). */
  readonly x: Float64Array
  cuts: readonly CutRow[] = []
  /** A proven bound: no point of the polytope has an objective smaller by more than this. */
  gap = Number.POSITIVE_INFINITY
  steps = 0
  /** The largest lower bound so far. */
  lowerBound = Number.NEGATIVE_INFINITY
  objective = Number.POSITIVE_INFINITY
  readonly #problem: MomentProblem
  readonly #rule: StopRule
  readonly #report: StopRule['report']
  readonly #objective: MomentObjective
  readonly #system: NewtonSystem
  readonly #inside: Float64Array
  /** The gradient of the objective in the cells of mu. */
  readonly #gradient: Float64Array
  #w: Float64Array
  #slack: Float64Array
  #z: Float64Array
  /** The centring parameter: the next step aims to reduce the mean excess of slack times z over w to this fraction. */
  #centring = 0.1
  #leastGap = Number.POSITIVE_INFINITY
  #idleSteps = 0

  constructor(problem: MomentProblem, rule: StopRule, report: StopRule['report'] = () => {}) {
    this.#problem = problem
    this.#rule = rule
    this.#report = report
    this.#objective = new MomentObjective(problem)
    this.#system = new NewtonSystem(problem)
    // Coordinates well inside the marginal polytope satisfy every cut with slack.
    this.#inside = insidePoint(problem)
    this.x = this.#inside.slice()
    this.#gradient = new Float64Array(problem.layout.size)
    this.#w = problem.shrinkageWeights
    this.#slack = new Float64Array(this.#w.length)
    this.#z = new Float64Array(this.#w.length)
    this.#centre(FIRST_EXCESS)
  }

  /** Takes Newton steps until the gap is at most `target`. If they end earlier, returns why: 'gap' if no further step was possible. */
  solve(target: number): SolveStatus | undefined {
    this.#report(this)
    while (this.gap > target) {
      const status = this.#rule.interruption(this.steps)
      if (status !== undefined) return status
      if (!this.step()) return 'gap'
      this.#report(this)
    }
    return undefined
  }

  /** Solves, adds the cuts that `separate` finds violated, and repeats until it finds none. */
  solveWithCuts(separate: Separate, gap: number): SolveStatus | undefined {
    for (;;) {
      const status = this.solve(gap)
      const isInterrupted = status !== undefined && status !== 'gap'
      if (isInterrupted || this.addCuts(separate) === 0) return status
    }
  }

  /** Returns the current point with its certificate. `status` says what ended the search if it did not reach its gap. */
  solution(status: SolveStatus = 'gap'): MomentSolution {
    const {objective, lowerBound, steps, cuts} = this
    const parts = {objective, lowerBound, steps, atoms: 0, cuts: cuts.length, status}
    return {mu: this.#cells().slice(), certificate: completeCertificate(parts, this.#rule)}
  }

  /** Adds the most violated cuts, moves inside so that they have slack, and restarts there; returns the number of added cuts. */
  addCuts(separate: Separate): number {
    const rows = deepestRows(separate, this.x, depth => depth > MIN_DEPTH)
    if (rows.length === 0) return 0
    this.cuts = [...this.#busyCuts(), ...rows]
    const size = this.#problem.layout.size + this.cuts.length
    this.#w = new Float64Array(size)
    this.#w.set(this.#problem.shrinkageWeights)
    this.#slack = new Float64Array(size)
    this.#z = new Float64Array(size)
    this.#moveInside(rows, 0.1)
    this.#centre(CUT_EXCESS)
    return rows.length
  }

  /** Returns the cuts that are not idle. Idle cuts only cost time, and an idle cut that is needed will be found again. */
  #busyCuts(): CutRow[] {
    const {size} = this.#problem.layout
    const z = this.#z.subarray(size)
    const most = z.reduce((most, each) => Math.max(most, each), 0)
    return this.cuts.filter((_, n) => z[n] > IDLE * most || this.#slack[size + n] < IDLE)
  }

  /** Moves inside just far enough to satisfy all rows that `separate` reports. It is the last step of a search. */
  comply(separate: Separate): void {
    const rows: CutRow[] = []
    separate(this.x, (_, row) => rows.push(row))
    if (rows.length === 0) return
    // The rows get a little slack, since rounding would leave some of them violated without it.
    this.#moveInside(rows, 1e-6)
    this.#centre(CUT_EXCESS)
  }

  /** Moves towards the inside point until every row has at least this fraction of the slack that it has at the inside point. */
  #moveInside(rows: readonly CutRow[], fraction: number): void {
    let step = 0
    for (const row of rows) {
      const here = rowProduct(row, this.x) - row.lower
      const there = rowProduct(row, this.#inside) - row.lower
      step = Math.max(step, (fraction * there - here) / (there - here))
    }
    for (let e = 0; e < this.x.length; e++) this.x[e] += step * (this.#inside[e] - this.x[e])
  }

  /** Returns the cells of mu at x, which are the first slacks; they are not copied. */
  #cells(): Float64Array {
    return this.#slack.subarray(0, this.#problem.layout.size)
  }

  /** Writes the slacks at x; with `constant` 0, the changes of the slacks if the coordinates change by x. */
  #writeSlacks(x: Float64Array, constant: 0 | 1, slack: Float64Array): void {
    const {layout} = this.#problem
    momentsAt(layout, x, slack, constant)
    this.cuts.forEach((cut, n) => {
      slack[layout.size + n] = rowProduct(cut, x) - constant * cut.lower
    })
  }

  /** Writes the sum over all slacks n of v[n] times the gradient of slack n in the coordinates. */
  #combineGradients(v: Float64Array, out: Float64Array): void {
    const {layout} = this.#problem
    coordinateGradient(layout, v, out)
    this.cuts.forEach(({indices, values}, n) => {
      for (let at = 0; at < indices.length; at++) out[indices[at]] += v[layout.size + n] * values[at]
    })
  }

  /** Sets the multipliers so that every product of slack and multiplier exceeds w by `excess`. */
  #centre(excess: number): void {
    this.#writeSlacks(this.x, 1, this.#slack)
    this.#z = this.#slack.map((slack, n) => (this.#w[n] + excess) / slack)
    this.#centring = 0.1
    this.#leastGap = Number.POSITIVE_INFINITY
    this.#idleSteps = 0
    this.#refresh()
  }

  /** Takes one Newton step; returns false if rounding prevents further progress. */
  step(): boolean {
    const [slack, z, w] = [this.#slack, this.#z, this.#w]
    let excess = 0
    for (let n = 0; n < slack.length; n++) excess += Math.max(0, slack[n] * z[n] - w[n])
    // Products of slack and multiplier whose excess is far below the gap would only make the next system ill-conditioned.
    const tau = (this.#centring * Math.max(MIN_EXCESS * this.gap, excess)) / slack.length
    const dx = this.#direction(tau)
    if (dx === undefined) return false
    const changes = new Float64Array(slack.length)
    const dz = new Float64Array(slack.length)
    this.#writeSlacks(dx, 0, changes)
    // The lengths of the steps in x and z that keep all slacks and multipliers positive.
    let primal = 1
    let dual = 1
    for (let n = 0; n < slack.length; n++) {
      dz[n] = (w[n] + tau - z[n] * changes[n]) / slack[n] - z[n]
      if (changes[n] < 0) primal = Math.min(primal, (-REACH * slack[n]) / changes[n])
      if (dz[n] < 0) dual = Math.min(dual, (-REACH * z[n]) / dz[n])
    }
    if (!(primal > 1e-12)) return false
    const before = this.x.slice()
    for (let n = 0; n < z.length; n++) z[n] += dual * dz[n]
    for (let e = 0; e < dx.length; e++) this.x[e] += primal * dx[e]
    this.#writeSlacks(this.x, 1, slack)
    const shorter = Math.min(primal, dual)
    // A short step met the boundary, so the next one aims at larger products of slack and z.
    this.#centring = shorter < 0.1 ? 0.8 : shorter < 0.3 ? 0.5 : shorter < 0.7 ? 0.2 : 0.05
    this.steps++
    this.#refresh()
    if (Number.isNaN(this.gap) || !Number.isFinite(this.objective)) {
      // Rounding made a slack 0, so the step is undone.
      this.x.set(before)
      this.#centre(CUT_EXCESS)
      return false
    }
    this.#idleSteps = this.gap < this.#leastGap ? 0 : this.#idleSteps + 1
    this.#leastGap = Math.min(this.gap, this.#leastGap)
    return this.#idleSteps < PATIENCE
  }

  /** Returns the Newton direction of x at which slack times z would exceed w by tau, or undefined if rounding prevents it. */
  #direction(tau: number): Float64Array | undefined {
    const {size} = this.#problem.layout
    const weights = this.#z.map((z, n) => z / this.#slack[n])
    const direction = new Float64Array(this.x.length)
    const curvature = this.#objective.gradient(this.#cells(), this.#gradient)
    const descent = this.#slack.map(slack => tau / slack)
    for (let c = 0; c < size; c++) descent[c] -= this.#gradient[c]
    this.#combineGradients(descent, direction)
    this.#system.update(curvature, weights)
    if (!this.#system.factor(this.cuts, weights.subarray(size))) return undefined
    this.#system.solve(direction)
    return direction
  }

  /** Updates the gradient, the objective, the gap and the lower bound at x. */
  #refresh(): void {
    const {x} = this
    const [slack, z, w] = [this.#slack, this.#z, this.#w]
    this.#objective.gradient(this.#cells(), this.#gradient)
    const slopes = z.map((each, n) => w[n] / slack[n] - each)
    for (let c = 0; c < this.#gradient.length; c++) slopes[c] += this.#gradient[c]
    const remainder = new Float64Array(x.length)
    this.#combineGradients(slopes, remainder)
    let gap = 0
    for (let n = 0; n < slack.length; n++) {
      const product = slack[n] * z[n]
      gap += w[n] > 0 ? product - w[n] - w[n] * log(product / w[n]) : product
    }
    for (let e = 0; e < x.length; e++) gap += remainder[e] * x[e] - Math.min(0, remainder[e])
    this.gap = gap
    this.objective = this.#objective.value(this.#cells())
    if (this.objective - gap > this.lowerBound) this.lowerBound = this.objective - gap
  }
}
