import {AdfaError} from '../../base/checks/index.ts'

/**
 * Why a solver stopped: its gap is as small as requested and small beside the objective (`optimal`), or only as small as requested
 * (`tolerance`); it cannot reduce a larger gap further (`gap`); or a limit or the caller ended it. In every case it returns its
 * best point with the true gap.
 */
export type SolveStatus = 'optimal' | 'tolerance' | 'gap' | 'step-limit' | 'time-limit' | 'cancelled'

/** How far recovered moments are from the optimum. */
export interface MomentCertificate {
  /** The objective of Eq. 4 with shrinkage at the returned moments, in nats for KL. */
  readonly objective: number
  /** A proven bound: no point of the polytope has a smaller objective. */
  readonly lowerBound: number
  /** The difference of `objective` and `lowerBound`. */
  readonly gap: number
  /** The gap if each vertex that a heuristic search found were optimal, which is not proven. Absent if all are proven optimal. */
  readonly heuristicGap?: number
  readonly steps: number
  /** The number of points in the active set, of which the result is a mixture; 0 for methods without an active set. */
  readonly atoms: number
  /** The number of inequalities added to the local polytope. */
  readonly cuts: number
  readonly status: SolveStatus
  /** The run time, if there is a clock. */
  readonly seconds?: number
}

/** A moment vector with its certificate. */
export interface MomentSolution {
  readonly mu: Float64Array
  readonly certificate: MomentCertificate
}

/** A gap up to this, or up to this share of the objective, makes no visible difference. */
const NEGLIGIBLE_GAP = 1e-7
const NEGLIGIBLE_SHARE = 1e-3

/** The status of a solver that reached the gap that it was asked for. */
export function reachedStatus(gap: number, objective: number): 'optimal' | 'tolerance' {
  return gap <= Math.max(NEGLIGIBLE_GAP, NEGLIGIBLE_SHARE * objective) ? 'optimal' : 'tolerance'
}

/** Completes a certificate by its gap, the status `optimal` or `tolerance` if the gap is at most the requested one, and the run time. */
export function completeCertificate(
  {objective, lowerBound, heuristicGap, status, ...rest}: Omit<MomentCertificate, 'gap' | 'seconds'>,
  rule: StopRule
): MomentCertificate {
  const seconds = rule.seconds()
  // Only rounding can raise the bound above the objective.
  const bound = Math.min(objective, lowerBound)
  const gap = objective - bound
  return {
    objective,
    lowerBound: bound,
    gap,
    ...(heuristicGap === undefined ? {} : {heuristicGap}),
    ...rest,
    status: gap <= rule.limits.gap ? reachedStatus(gap, objective) : status === 'optimal' ? 'gap' : status,
    ...(seconds === undefined ? {} : {seconds})
  }
}

/** The progress of a solver. */
export interface SolveProgress {
  readonly objective: number
  /** The objective minus the proven lower bound. */
  readonly gap: number
  readonly steps: number
}

export interface SolveControl {
  readonly onProgress?: (progress: SolveProgress) => void
  /** Solvers read `aborted` between steps. It may be an `AbortSignal`, or an object whose getter reads shared memory. */
  readonly signal?: {readonly aborted: boolean}
  /** Returns seconds since any fixed time. A time limit and `seconds` in the certificate need it. */
  readonly clock?: () => number
}

export interface StopLimits {
  /** A solver stops when its certified gap is at most this. */
  readonly gap: number
  readonly stepLimit: number
  /** The most seconds, or infinity. */
  readonly timeLimit: number
}

/** Reports the progress of a solver, and tells it when to stop. */
export class StopRule {
  readonly limits: StopLimits
  readonly #control: SolveControl
  readonly #began: number

  constructor(limits: StopLimits, control: SolveControl) {
    if (limits.timeLimit < Number.POSITIVE_INFINITY && control.clock === undefined)
      throw new AdfaError('bad-option', 'a time limit needs a clock: pass one, such as () => performance.now() / 1000')
    this.limits = limits
    this.#control = control
    this.#began = control.clock?.() ?? 0
  }

  report({objective, gap, steps}: SolveProgress): void {
    this.#control.onProgress?.({objective, gap, steps})
  }

  /** Returns a reason to stop other than the gap, or undefined. */
  interruption(steps: number): 'step-limit' | 'time-limit' | 'cancelled' | undefined {
    const {signal} = this.#control
    if (signal?.aborted) return 'cancelled'
    if (steps >= this.limits.stepLimit) return 'step-limit'
    if ((this.seconds() ?? 0) > this.limits.timeLimit) return 'time-limit'
    return undefined
  }

  /** Returns the seconds since construction, if there is a clock. */
  seconds(): number | undefined {
    const {clock} = this.#control
    return clock === undefined ? undefined : clock() - this.#began
  }
}

/** How far one recovered table is from the optimum. */
export interface TableCertificate {
  /** The objective of Eq. 2, D(a, R mu) plus the shrinkage term, in nats for KL. */
  readonly objective: number
  /** A proven bound: no table has an objective smaller by more than this (the conditional-gradient gap on the simplex). */
  readonly gap: number
  readonly steps: number
  readonly status: SolveStatus
}
