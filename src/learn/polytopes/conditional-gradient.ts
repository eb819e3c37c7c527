import {AdfaError} from '../../base/checks/index.ts'
import {dot} from '../../base/numeric/index.ts'
import {ActiveSet} from './active-set.ts'
import {correctFully} from './fully-corrective.ts'
import {type ConvexObjective, lineSearch} from './line-search.ts'
import type {OracleAnswer, Polytope} from './polytope.ts'
import type {SolveCertificate, SolveStatus, StopRule} from './stop-rule.ts'

export interface ConditionalGradientResult extends SolveCertificate {
  readonly mu: Float64Array
}

/** Rounding in x accumulates: it is summed up again from its atoms after this many steps. */
const REFRESH_STEPS = 50
/** The search ends after more than this many steps without a lower objective or a higher bound. */
const PATIENCE = 10

/**
 * Minimises a convex objective over a polytope known by its linear oracle: Algorithm FW of the supplement (conditional gradient),
 * fully corrective, with a line search.
 *
 * `start` lies inside the polytope rather than at a vertex: with lambda > 0 the objective is infinite at every vertex.
 * Certificate: f lies above its tangents, so f* >= f(x) - <g, x> + min <g, v>; the best of these bounds is kept.
 * Cost per step: an oracle call, a few gradients and a pass over the atoms.
 * Differs from the paper: starts at a given point; stops on the certified gap; takes the corrective step after every step,
 * unless the limits say 'seen' (only when a vertex comes again, as in the paper), and solves it to half of the gap, which makes
 * the next vertex a new one or the gap smaller.
 */
export function conditionalGradient(
  objective: ConvexObjective,
  polytope: Polytope,
  start: Float64Array,
  stop: StopRule
): ConditionalGradientResult {
  const stepLength = lineSearch(objective, start.length)
  const proof = new Proof(stop.limits.gap)
  const active = new ActiveSet(start)
  const x = start.slice() // line 1: initialize mu
  const [g, s, d] = [x.slice(), x.slice(), x.slice()]
  let status: SolveStatus | undefined
  let steps = 0
  const interrupted = () => stop.interruption(steps) !== undefined
  // line 2: for k = 0, 1, ...
  for (; ; steps++) {
    const f = objective.value(x)
    if (!Number.isFinite(f)) throw outsideDomain(f)
    objective.gradient(x, g)
    proof.ask(f, dot(g, x), tolerance => polytope.minimize(g, s, tolerance)) // line 3: s <- argmin <s, gradient>
    status = stop.check({objective: f, gap: f - proof.lowerBound, steps})
    if (status === undefined && proof.countIdle(f) > PATIENCE) status = 'gap'
    if (status !== undefined) break
    const known = active.count
    const vertex = active.add(s)
    const isSeen = active.count === known
    for (let c = 0; c < d.length; c++) d[c] = s[c] - x[c] // line 4: d <- s - mu
    const gamma = stepLength({x, d, limit: 1, slope: dot(g, d)}) // line 5: step size
    if (gamma === 0) {
      status = 'gap'
      break
    }
    for (let c = 0; c < x.length; c++) x[c] += gamma * d[c] // line 6: mu <- mu + gamma d
    active.moveTowards(vertex, gamma)
    if (isSeen || stop.limits.correction !== 'seen')
      correctFully(objective, active, x, {gap: proof.lastGap / 2, interrupted})
    if (steps % REFRESH_STEPS === 0) active.point(x)
  }
  active.point(x)
  return {mu: x, ...proof.result(objective.value(x), status), steps, atoms: active.carrierCount}
}

/** What the oracle's answers prove. */
class Proof {
  lowerBound = Number.NEGATIVE_INFINITY
  /** <g, x - s> of the last oracle call. */
  lastGap = Number.POSITIVE_INFINITY
  #idleSteps = 0
  #hoped = Number.NEGATIVE_INFINITY
  #exact = true
  #best = Number.POSITIVE_INFINITY
  #bestBound = Number.NEGATIVE_INFINITY
  readonly #limit: number

  /** `limit`: the gap to reach. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Far from the optimum a vertex within a third of the last gap does as well as the best one; where it promises no more
   * than the oracle may have missed, asks again for a better one.
   */
  ask(f: number, gx: number, minimize: (tolerance: number) => OracleAnswer): void {
    let tolerance = Number.isFinite(this.lastGap) ? Math.max(0, this.lastGap / 3) : 0
    for (;;) {
      this.#add(f, gx, minimize(tolerance))
      if (tolerance === 0 || this.lastGap > tolerance || f - this.lowerBound <= this.#limit) return
      tolerance = tolerance > this.#limit / 10 ? tolerance / 10 : 0
    }
  }

  #add(f: number, gx: number, {value, bound, exact}: OracleAnswer): void {
    this.lastGap = gx - value
    this.lowerBound = Math.max(this.lowerBound, f - gx + bound)
    this.#hoped = Math.max(this.#hoped, f - gx + value)
    this.#exact &&= exact
  }

  /** Steps since the objective or the bound last improved. */
  countIdle(f: number): number {
    this.#idleSteps = f < this.#best || this.lowerBound > this.#bestBound ? 0 : this.#idleSteps + 1
    this.#best = Math.min(this.#best, f)
    this.#bestBound = this.lowerBound
    return this.#idleSteps
  }

  /** For the point summed up again, with its objective: rounding may have made an `optimal` point miss the gap. */
  result(objective: number, status: SolveStatus) {
    const lowerBound = Math.min(objective, this.lowerBound)
    const gap = objective - lowerBound
    return {
      objective,
      lowerBound,
      gap,
      ...(this.#exact ? {} : {heuristicGap: objective - this.#hoped}),
      status: status === 'optimal' && gap > this.#limit ? 'gap' : status
    } as const
  }
}

function outsideDomain(f: number): AdfaError {
  return new AdfaError(
    'bad-option',
    `conditional gradient must start where the objective is finite, got ${f}; start inside the polytope, at independent moments`
  )
}
