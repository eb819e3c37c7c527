import {log} from '../../base/numeric/index.ts'
import {Curvature} from './curvature.ts'
import {type CutRow, CutSet, CutSystem, type Separate} from './cuts.ts'
import {coordinateGradient, momentChanges, momentsAt} from './layout.ts'
import {insidePoint, MomentObjective, type MomentProblem} from './problem.ts'

/** Products of slack and multiplier at the start: far from the boundary for any data. */
const FIRST_EXCESS = 1e-3
/** The same after adding cuts, when most of the way is done. */
const CUT_EXCESS = 1e-4
/** The mean excess stays above this share of the gap per slack. */
const LEAST_EXCESS = 0.02
/** Steps without a smaller gap before the search ends. */
const PATIENCE = 15
/** A cut is idle with more slack than this and a multiplier below this share of the largest. */
const IDLE = 1e-3
/** The share of the way to the boundary that a step may go. */
const REACH = 0.95

/**
 * Minimises Eq. 4 with shrinkage over consistent moments that also satisfy linear cuts: without cuts, over the local polytope.
 *
 * Method: primal-dual interior point in coordinates (p, q). The slacks are the cells of mu, whose products with their
 * multipliers z end at the shrinkage weights w (so the shrinkage is a barrier that stays), and those of the cuts, which end at 0.
 * A step solves the Newton system (D'' + sum of z/mu over cells and cuts) for a target between those ends and the current products.
 * Certificate: D lies above its tangent at x, and the shrinkage of a cell, -w log v, above its tangent at w/z, of slope -z.
 * The slopes cancel up to a remainder, charged over coordinates in [0, 1]: no feasible point is better than f(x) - `gap`.
 */
export class InteriorPoint {
  readonly x: Float64Array
  readonly mu: Float64Array
  readonly cuts = new CutSet()
  /** No point of the polytope is better than f(x) by more than this. */
  gap = Number.POSITIVE_INFINITY
  steps = 0
  /** The largest lower bound seen so far. */
  lowerBound = Number.NEGATIVE_INFINITY
  objective = Number.POSITIVE_INFINITY
  readonly #problem: MomentProblem
  readonly #value: MomentObjective
  readonly #curvature: Curvature
  readonly #system: CutSystem
  readonly #inside: Float64Array
  readonly #z: Float64Array
  readonly #weights: Float64Array
  readonly #target: Float64Array
  readonly #next: Float64Array
  readonly #dx: Float64Array
  readonly #rhs: Float64Array
  readonly #adjoint: Float64Array
  readonly #before: Float64Array
  #cutSlack: number[] = []
  #cutZ: number[] = []
  #centring = 0.1
  #leastGap = Number.POSITIVE_INFINITY
  #idleSteps = 0

  constructor(problem: MomentProblem) {
    // Coordinates well inside the marginal polytope are inside every cut.
    const inside = insidePoint(problem)
    const curvature = new Curvature(problem)
    const cells = () => new Float64Array(problem.layout.size)
    const coordinates = () => new Float64Array(inside.length)
    this.#problem = problem
    this.#value = new MomentObjective(problem)
    this.#curvature = curvature
    this.#system = new CutSystem(curvature, this.cuts)
    this.#inside = inside
    this.x = inside.slice()
    this.mu = cells()
    this.#z = cells()
    this.#weights = cells()
    this.#target = cells()
    this.#next = cells()
    this.#dx = coordinates()
    this.#rhs = coordinates()
    this.#adjoint = coordinates()
    this.#before = coordinates()
    this.#centre(FIRST_EXCESS)
    this.#refresh()
  }

  /** Adds rows, and restarts between x and the inside, where they have slack. */
  addCuts(rows: readonly CutRow[]): void {
    this.#dropIdleCuts()
    let back = 0
    for (const row of rows) {
      this.cuts.add(row)
      const here = this.cuts.slack(this.cuts.size - 1, this.x)
      const there = this.cuts.slack(this.cuts.size - 1, this.#inside)
      back = Math.max(back, (0.1 * there - here) / (there - here))
    }
    this.#retreat(back)
    this.#centre(CUT_EXCESS)
    this.#refresh()
  }

  /** Rows with slack and almost no multiplier only cost time; one that is needed again will be found again. */
  #dropIdleCuts(): void {
    const most = this.#cutZ.reduce((most, z) => Math.max(most, z), 0)
    this.cuts.retain(row => this.#cutZ[row] > IDLE * most || this.#cutSlack[row] < IDLE)
  }

  /** Moves inside, just far enough to satisfy all rows that `separate` reports. For the end: a further step would start anew. */
  comply(separate: Separate): void {
    const rows = new CutSet()
    let back = 0
    separate(this.x, (violation, row) => {
      rows.add(row)
      back = Math.max(back, violation / (violation + rows.slack(rows.size - 1, this.#inside)))
    })
    if (back === 0) return
    // Slightly further, or rounding would leave some of them violated.
    this.#retreat(Math.min(1, back * (1 + 1e-6)))
    this.#centre(CUT_EXCESS)
    this.#refresh()
  }

  /** Moves this share of the way to the inside point. */
  #retreat(share: number): void {
    for (let e = 0; e < this.x.length; e++) this.x[e] += share * (this.#inside[e] - this.x[e])
  }

  /** One Newton step; false when rounding allows no more. */
  step(): boolean {
    // Products far below the gap's share would only make the next system harder to solve.
    const least = (LEAST_EXCESS * this.gap) / (this.mu.length + this.cuts.size)
    const tau = this.#centring * Math.max(least, this.#meanExcess())
    if (!this.#direction(tau)) return false
    const {primal, dual} = this.#stepLengths(tau)
    if (!(primal > 1e-12)) return false
    this.#before.set(this.x)
    this.#move(tau, primal, dual)
    const shorter = Math.min(primal, dual)
    this.#centring = shorter < 0.1 ? 0.8 : shorter < 0.3 ? 0.5 : shorter < 0.7 ? 0.2 : 0.05
    this.steps++
    this.#refresh()
    if (Number.isNaN(this.gap) || !Number.isFinite(this.objective)) {
      // Rounding made a slack 0: this is as far as it goes.
      this.x.set(this.#before)
      this.#centre(CUT_EXCESS)
      this.#refresh()
      return false
    }
    this.#idleSteps = this.gap < this.#leastGap ? 0 : this.#idleSteps + 1
    this.#leastGap = Math.min(this.gap, this.#leastGap)
    return this.#idleSteps < PATIENCE
  }

  /** Sets multipliers so that every product of slack and multiplier is `excess` above its end. */
  #centre(excess: number): void {
    const {mu, cuts} = this
    const w = this.#problem.shrinkageWeights
    momentsAt(this.#problem.layout, this.x, mu)
    for (let c = 0; c < mu.length; c++) this.#z[c] = (w[c] + excess) / mu[c]
    this.#cutSlack = Array.from({length: cuts.size}, (_, row) => cuts.slack(row, this.x))
    this.#cutZ = this.#cutSlack.map(slack => excess / slack)
    this.#centring = 0.1
    this.#leastGap = Number.POSITIVE_INFINITY
    this.#idleSteps = 0
  }

  #meanExcess(): number {
    const {mu} = this
    const w = this.#problem.shrinkageWeights
    let sum = 0
    for (let c = 0; c < mu.length; c++) sum += Math.max(0, mu[c] * this.#z[c] - w[c])
    for (let row = 0; row < this.cuts.size; row++) sum += this.#cutSlack[row] * this.#cutZ[row]
    return sum / (mu.length + this.cuts.size)
  }

  #direction(tau: number): boolean {
    const {mu, cuts} = this
    const w = this.#problem.shrinkageWeights
    const target = this.#target
    const rhs = this.#rhs
    for (let c = 0; c < mu.length; c++) target[c] = (w[c] + tau) / mu[c]
    coordinateGradient(this.#problem.layout, target, rhs)
    for (let e = 0; e < rhs.length; e++) rhs[e] -= this.#curvature.slope[e]
    for (let row = 0; row < cuts.size; row++) cuts.addTo(rhs, row, tau / this.#cutSlack[row])
    if (!this.#system.factor(Float64Array.from(this.#cutZ, (z, row) => z / this.#cutSlack[row]))) return false
    this.#system.solve(rhs, this.#dx)
    return true
  }

  /** How far x and z can move along the step before a slack or a multiplier comes near 0. */
  #stepLengths(tau: number): {primal: number; dual: number} {
    const {mu, cuts} = this
    const dx = this.#dx
    const changes = this.#next
    momentChanges(this.#problem.layout, dx, changes)
    let primal = 1
    let dual = 1
    for (let c = 0; c < mu.length; c++) {
      const change = changes[c]
      if (change < 0) primal = Math.min(primal, (-REACH * mu[c]) / change)
      // The change of z replaces the target.
      const dz = this.#target[c] - this.#z[c] - this.#weights[c] * change
      this.#target[c] = dz
      if (dz < 0) dual = Math.min(dual, (-REACH * this.#z[c]) / dz)
    }
    for (let row = 0; row < cuts.size; row++) {
      const change = cuts.product(row, dx)
      if (change < 0) primal = Math.min(primal, (-REACH * this.#cutSlack[row]) / change)
      const dz = this.#cutStep(row, tau, change)
      if (dz < 0) dual = Math.min(dual, (-REACH * this.#cutZ[row]) / dz)
    }
    return {primal, dual}
  }

  #cutStep(row: number, tau: number, change: number): number {
    const slack = this.#cutSlack[row]
    return tau / slack - this.#cutZ[row] - (this.#cutZ[row] / slack) * change
  }

  #move(tau: number, primal: number, dual: number): void {
    const {x, mu, cuts} = this
    for (let row = 0; row < cuts.size; row++)
      this.#cutZ[row] += dual * this.#cutStep(row, tau, cuts.product(row, this.#dx))
    for (let c = 0; c < mu.length; c++) this.#z[c] += dual * this.#target[c]
    for (let e = 0; e < x.length; e++) x[e] += primal * this.#dx[e]
    momentsAt(this.#problem.layout, x, mu)
    for (let row = 0; row < cuts.size; row++) this.#cutSlack[row] = cuts.slack(row, x)
  }

  /** Updates the model, the gap and the bound at x. */
  #refresh(): void {
    const {x, mu, cuts} = this
    const w = this.#problem.shrinkageWeights
    const z = this.#z
    for (let c = 0; c < mu.length; c++) this.#weights[c] = z[c] / mu[c]
    this.#curvature.update(x, this.#weights)
    let gap = 0
    for (let c = 0; c < mu.length; c++) {
      const product = mu[c] * z[c]
      gap += w[c] > 0 ? product - w[c] - w[c] * log(product / w[c]) : product
      this.#next[c] = -z[c]
    }
    const remainder = this.#adjoint
    coordinateGradient(this.#problem.layout, this.#next, remainder)
    for (let row = 0; row < cuts.size; row++) {
      gap += this.#cutZ[row] * this.#cutSlack[row]
      cuts.addTo(remainder, row, -this.#cutZ[row])
    }
    for (let e = 0; e < x.length; e++) {
      const rest = remainder[e] + this.#curvature.slope[e]
      gap += rest * x[e] - Math.min(0, rest)
    }
    this.gap = gap
    this.objective = this.#value.value(mu)
    if (this.objective - gap > this.lowerBound) this.lowerBound = this.objective - gap
  }
}
