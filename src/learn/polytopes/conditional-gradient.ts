import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {dot} from '../../base/numeric/index.ts'
import type {OracleAnswer, Polytope} from './polytope.ts'
import {type ConvexObjective, type StepRuleName, stepRuleNamed} from './step-rules.ts'
import type {SolveStatus, StopRule} from './stop-rule.ts'
import {type CorrectionTrigger, type VariantName, variantNamed} from './variants.ts'

export interface ConditionalGradientOptions {
  readonly variant: VariantName
  readonly stepRule: StepRuleName
  readonly correction: CorrectionTrigger
}

export const conditionalGradientDefaults: ConditionalGradientOptions = {
  variant: 'fully-corrective',
  stepRule: 'line-search',
  correction: 'every'
}

export interface ConditionalGradientResult {
  readonly mu: Float64Array
  readonly objective: number
  /** Certified: no point of the polytope has a smaller objective. */
  readonly lowerBound: number
  /** objective - lowerBound. */
  readonly gap: number
  /** The gap if every vertex of an inexact oracle had been a minimiser: it proves nothing. Absent when all were. */
  readonly heuristicGap?: number
  readonly steps: number
  /** Vertices that the point is mixed from, the start being one; absent for `vanilla`, which forgets them. */
  readonly atoms?: number
  readonly status: SolveStatus
}

/** Sum the point up afresh from its atoms after so many steps. */
const REFRESH_STEPS = 50

/**
 * Minimise a convex objective over a polytope known by its linear oracle: Algorithm FW of the supplement (conditional gradient).
 *
 * `start` lies in the polytope, inside rather than at a vertex: with lambda > 0 the objective is infinite at every vertex.
 * Certificate: f lies above its tangents, so f* >= f(x) - <g, x> + min <g, v>; the best of these bounds is kept.
 * Cost of a step: an oracle call, a few gradients, and for all but `vanilla` a pass over the atoms.
 * Differs from the paper: begins at a given point; stops on the certified gap; solves the corrective step to half of the gap,
 * which makes the next vertex a new one or the gap smaller, and takes it after every step unless told otherwise; offers
 * other variants and step rules.
 */
export function conditionalGradient(
  objective: ConvexObjective,
  polytope: Polytope,
  start: Float64Array,
  options: Partial<ConditionalGradientOptions>,
  stop: StopRule
): ConditionalGradientResult {
  const chosen = withDefaults('conditional gradient', conditionalGradientDefaults, options)
  const stepSize = stepRuleNamed(chosen.stepRule, objective, start.length)
  const proof = new Proof(stop.limits.gap)
  const x = start.slice() // line 1: initialize mu
  const [g, s, d] = [x.slice(), x.slice(), x.slice()]
  let status: SolveStatus | undefined
  let steps = 0
  const interrupted = () => stop.interruption(steps) !== undefined
  const variant = variantNamed(chosen.variant, {objective, start, correction: chosen.correction, interrupted})
  // line 2: for k = 0, 1, ...
  for (; ; steps++) {
    const f = objective.value(x)
    if (!Number.isFinite(f)) throw outsideDomain(f)
    objective.gradient(x, g)
    if (variant.needsOracle(g, proof.lastGap) || proof.idleSteps > 0)
      proof.ask(f, dot(g, x), tolerance => polytope.minimize(g, s, tolerance)) // line 3: s <- argmin <s, gradient>
    status = stop.check({objective: f, gap: f - proof.lowerBound, steps})
    if (status === undefined && chosen.stepRule !== 'open-loop' && proof.countIdle(f) > PATIENCE) status = 'gap'
    if (status !== undefined) break
    const limit = variant.aim(x, s, proof.lastGap, d) // line 4: d <- s - mu
    const gamma = stepSize({x, d, limit, f, slope: dot(g, d)}, steps) // line 5: step size
    if (gamma === 0) {
      status = 'gap'
      break
    }
    variant.move(x, d, gamma) // line 6: mu <- mu + gamma d
    if (steps % REFRESH_STEPS === 0) variant.settle(x)
  }
  variant.settle(x)
  const atoms = variant.atomCount()
  return {
    mu: x,
    ...proof.result(objective.value(x), status),
    steps,
    ...(atoms === undefined ? {} : {atoms})
  }
}

/** Steps that may bring neither a smaller objective nor a greater bound, before it is said that nothing more can be done. */
const PATIENCE = 10

/** What the oracle's answers prove. */
class Proof {
  lowerBound = Number.NEGATIVE_INFINITY
  /** <g, x - s> when the oracle was last asked. */
  lastGap = Number.POSITIVE_INFINITY
  idleSteps = 0
  #hoped = Number.NEGATIVE_INFINITY
  #exact = true
  #best = Number.POSITIVE_INFINITY
  #bestBound = Number.NEGATIVE_INFINITY
  readonly #limit: number

  /** `limit`: the gap that is asked for. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Far from the optimum a vertex within a third of the last gap does as well as the best one; where it promises no more
   * than what may have been missed, ask again for a better one.
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

  /** For how many steps neither the objective nor the bound has got better. */
  countIdle(f: number): number {
    this.idleSteps = f < this.#best || this.lowerBound > this.#bestBound ? 0 : this.idleSteps + 1
    this.#best = Math.min(this.#best, f)
    this.#bestBound = this.lowerBound
    return this.idleSteps
  }

  /** For a point summed up afresh, with its objective: what was `optimal` before may by rounding not be so any more. */
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
    `conditional gradient must start where the objective is finite, got ${f}; start inside of the polytope, at independent moments`
  )
}
