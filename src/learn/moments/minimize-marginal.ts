import {dot, type Rng} from '../../base/numeric/index.ts'
import {
  AtomSet,
  informativeTree,
  type MomentLayout,
  type Separate,
  type SolveStatus,
  type StopRule,
  sampleTree,
  treeCoordinates,
  violatedHypermetrics,
  violatedTriangles
} from '../polytopes/index.ts'
import {BarrierMaster} from './barrier-master.ts'
import type {Curvature} from './curvature.ts'
import {independentCoordinates, insidePoint, type MomentProblem} from './moment-problem.ts'
import type {CertificateParts} from './moments.ts'
import {type Pricing, pricing} from './pricing.ts'
import {Relaxation} from './relaxation.ts'

/** Assignments drawn from a tree at the start. */
const SAMPLES = 400
/** The barrier at the start, and how it falls when steps are long enough. */
const FIRST_BARRIER = 1e-4
const BARRIER_FALL = 0.6
const LONG_STEP = 0.5
/** The barrier costs about its weight times the number of atoms: a small share of the requested gap, but above rounding. */
const BARRIER_SHARE = 0.05
const LEAST_BARRIER = 1e-12
const STEPS_PER_ROUND = 3
/** Conjugate-gradient steps within a Newton step: few suffice while rounds make progress. */
const LEAST_EFFORT = 20
const MOST_EFFORT = 160
/** The relaxation is solved to this share of the requested gap. */
const RELAXATION_SHARE = 0.2
const HYPERMETRIC_STARTS = 5000
/** A proof may use up this share of the slack. */
const PROOF_SHARE = 0.9
/** The search ends after more than this many rounds that close less than the share IDLE of the gap. */
const PATIENCE = 10
const IDLE = 1e-3
/** A round that closes less than this share of the gap is slow. */
const SLOW = 0.03

export interface MarginalResult extends CertificateParts {
  readonly mu: Float64Array
}

/**
 * Minimises Eq. 4 over the marginal polytope.
 *
 * Upper bound: column generation. A `BarrierMaster` mixes atoms: 0/1 assignments and two dense points to start from; a search
 * for assignments of low price (the gradient as a quadratic or cubic function of 0/1 variables) adds new ones.
 * Lower bound: where all assignments can be enumerated, the price of the best one (the conditional-gradient gap); else a
 * relaxation with triangle and, as needed, hypermetric cuts, or a proof, by branch and bound, that no price is lower. The gap between
 * the two is certified; `heuristicGap`, with the best price found in place of the lowest, is not.
 * Differs from the paper, which solves an integer program per step; that method is `conditionalGradient`.
 */
export function minimizeMarginal(
  problem: MomentProblem,
  makeCurvature: () => Curvature,
  rule: StopRule,
  random: Rng
): MarginalResult {
  return new MarginalSearch(problem, makeCurvature, rule, random).run()
}

class MarginalSearch {
  readonly #problem: MomentProblem
  readonly #rule: StopRule
  readonly #price: Pricing
  readonly #relaxation: Relaxation | undefined
  readonly #master: BarrierMaster
  readonly #separateDeeper: Separate
  #tau = FIRST_BARRIER
  #steps = 0
  #lowerBound = Number.NEGATIVE_INFINITY
  #best: {readonly mu: Float64Array; readonly objective: number}
  #heuristicGap = Number.POSITIVE_INFINITY
  #provenAt = Number.POSITIVE_INFINITY
  #effort = LEAST_EFFORT
  #leastGap = Number.POSITIVE_INFINITY
  #idleRounds = 0

  constructor(problem: MomentProblem, makeCurvature: () => Curvature, rule: StopRule, random: Rng) {
    const {layout} = problem
    const m = layout.conceptCount
    this.#problem = problem
    this.#rule = rule
    this.#price = pricing(layout, random.stream('pricing'))
    this.#separateDeeper = violatedHypermetrics(m, HYPERMETRIC_STARTS, random.stream('hypermetric'))
    const inside = insidePoint(problem)
    let centre = inside
    if (!this.#price.isExact) {
      this.#relaxation = new Relaxation(problem, makeCurvature(), rule)
      const gap = RELAXATION_SHARE * rule.limits.gap
      if (layout.order === 2) this.#relaxation.solveWith(violatedTriangles(layout), gap)
      else this.#relaxation.solve(gap)
      this.#lowerBound = this.#relaxation.point.lowerBound
      centre = this.#relaxation.point.x
    }
    const {atoms, weights} = startingAtoms(layout, [centre, inside], this.#price.takesAll, random.stream('samples'))
    this.#master = new BarrierMaster(problem, makeCurvature(), atoms, weights)
    this.#best = {mu: this.#master.mu.slice(), objective: this.#master.objective}
  }

  run(): MarginalResult {
    for (;;) {
      const status = this.#round()
      if (status !== undefined)
        return {
          ...this.#best,
          lowerBound: this.#lowerBound,
          ...(this.#price.isExact ? {} : {heuristicGap: this.#heuristicGap}),
          steps: this.#steps + (this.#relaxation?.point.steps ?? 0),
          atoms: this.#master.atoms.size,
          cuts: this.#relaxation?.point.cuts.size ?? 0,
          status
        }
    }
  }

  #round(): SolveStatus | undefined {
    const master = this.#master
    let taken = 0
    for (let n = 0; n < STEPS_PER_ROUND; n++) {
      taken = master.step(this.#tau, this.#effort)
      this.#steps++
    }
    const before = this.#best.objective
    if (master.objective < before) this.#best = {mu: master.mu.slice(), objective: master.objective}
    const {count, values, rows, bound} = this.#price.search(master.gradient)
    const here = dot(master.gradient, master.x)
    this.#heuristicGap = here - values[0]
    this.#lowerBound = Math.max(this.#lowerBound, master.objective - (here - bound))
    const gap = this.#best.objective - this.#lowerBound
    const status = this.#rule.check({objective: this.#best.objective, gap, steps: this.#steps})
    if (status !== undefined) return status
    const m = this.#problem.layout.conceptCount
    for (let n = 0; n < count; n++) if (values[n] < here) master.atoms.add(rows.subarray(n * m, n * m + m))
    const isProven = this.#prove(gap, here, rows.subarray(0, m))
    master.admit()
    if (isProven) return undefined
    const least = Math.max(LEAST_BARRIER, BARRIER_SHARE * this.#rule.limits.gap) / master.atoms.size
    if (taken > LONG_STEP) this.#tau = Math.max(least, BARRIER_FALL * this.#tau)
    // The mixture hardly improves: most of the remaining gap is due to the bound.
    const isSlow = before - this.#best.objective < SLOW * gap
    this.#effort = isSlow ? Math.min(MOST_EFFORT, 2 * this.#effort) : Math.max(LEAST_EFFORT, this.#effort / 2)
    if (isSlow) this.#tighten(gap)
    this.#idleRounds = gap < (1 - IDLE) * this.#leastGap ? 0 : this.#idleRounds + 1
    this.#leastGap = Math.min(gap, this.#leastGap)
    const patience = this.#tau <= least ? PATIENCE : 5 * PATIENCE
    return this.#idleRounds > patience ? 'gap' : undefined
  }

  /**
   * Where the best price found, if it is the lowest, would halve the gap: proves, by branch and bound, that none is much lower.
   * Tried again only after the mixture improved much. True when the bound rose.
   */
  #prove(gap: number, here: number, incumbent: Uint8Array): boolean {
    const {gradient, objective, atoms} = this.#master
    const hoped = this.#heuristicGap
    if (this.#price.isExact || hoped > Math.min(gap, this.#provenAt) / 2) return false
    this.#provenAt = hoped
    const proof = this.#price.prove(gradient, {
      incumbent,
      tolerance: PROOF_SHARE * Math.max(this.#rule.limits.gap - hoped, hoped / 2),
      stop: () => this.#rule.interruption(this.#steps) !== undefined
    })
    if (proof === undefined) return false
    atoms.add(proof.y)
    const proven = objective - (here - proof.bound)
    const isBetter = proven > this.#lowerBound
    if (isBetter) this.#lowerBound = proven
    return isBetter
  }

  /** Raises the lower bound by deeper cuts, if there are any. */
  #tighten(gap: number): void {
    const relaxation = this.#relaxation
    const {layout} = this.#problem
    if (relaxation === undefined || layout.order !== 2) return
    const triangles = violatedTriangles(layout)
    const added = relaxation.cut((x, report) => {
      triangles(x, report)
      this.#separateDeeper(x, report)
    })
    if (added === 0) return
    relaxation.solve(Math.max(RELAXATION_SHARE * this.#rule.limits.gap, gap / 10))
    this.#lowerBound = Math.max(this.#lowerBound, relaxation.point.lowerBound)
  }
}

/** Atoms to start with: a tree and an independent distribution; all assignments, or no concept, each alone, and draws from the tree. */
function startingAtoms(
  layout: MomentLayout,
  [centre, inside]: readonly [Float64Array, Float64Array],
  all: boolean,
  random: Rng
): {readonly atoms: AtomSet; readonly weights: Float64Array} {
  const m = layout.conceptCount
  const tree = informativeTree(centre, m)
  const dense =
    layout.order === 2 ? treeCoordinates(centre, tree) : independentCoordinates(centre.subarray(0, m), centre.length)
  const atoms = new AtomSet(layout, [dense, inside])
  const y = new Uint8Array(m)
  if (all)
    for (let code = 0; code < 2 ** m; code++) {
      for (let i = 0; i < m; i++) y[i] = (code >> i) & 1
      atoms.add(y)
    }
  else {
    atoms.add(y)
    for (let i = 0; i < m; i++) {
      y[i] = 1
      atoms.add(y)
      y[i] = 0
    }
    for (let n = 0; n < SAMPLES; n++) atoms.add(sampleTree(centre, tree, random))
  }
  const weights = new Float64Array(atoms.size).fill(0.5 / (atoms.size - 2))
  weights[0] = 0.45
  weights[1] = 0.05
  return {atoms, weights}
}
