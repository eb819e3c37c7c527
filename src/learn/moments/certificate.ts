import {AdfaError} from '../../base/checks/index.ts'

/**
 * Why a solver stopped. `optimal`: it reached the certified gap asked for. `gap`: it cannot improve further, and the gap is larger
 * than that. The others: it was stopped, and returns its best point with the true gap.
 */
export type SolveStatus = 'optimal' | 'gap' | 'step-limit' | 'time-limit' | 'cancelled'

/** How far recovered moments are from the optimum. */
export interface MomentCertificate {
  /** Eq. 4 with shrinkage, summed over all moments, in nats for KL. */
  readonly objective: number
  /** Proven: no point of the polytope has a smaller objective. */
  readonly lowerBound: number
  /** objective - lowerBound. */
  readonly gap: number
  /** The gap if every vertex found by a search was the best one: it proves nothing. Absent when no search was needed. */
  readonly heuristicGap?: number
  readonly steps: number
  /** Points of the polytope that the result is a mixture of; 0 for methods that do not mix. */
  readonly atoms: number
  /** Inequalities added to the local polytope. */
  readonly cuts: number
  readonly status: SolveStatus
  /** Run time, if there is a clock. */
  readonly seconds?: number
}

/** A moment vector with its certificate. */
export interface MomentSolution {
  readonly mu: Float64Array
  readonly certificate: MomentCertificate
}

/** Completes a certificate: adds the gap, the status `optimal` where the gap is small enough, and the run time if there is a clock. */
export function certified(
  {objective, lowerBound, heuristicGap, status, ...rest}: Omit<MomentCertificate, 'gap' | 'seconds'>,
  rule: StopRule
): MomentCertificate {
  const seconds = rule.seconds()
  // A bound above the objective can only be rounding.
  const bound = Math.min(objective, lowerBound)
  const gap = objective - bound
  return {
    objective,
    lowerBound: bound,
    gap,
    ...(heuristicGap === undefined ? {} : {heuristicGap}),
    ...rest,
    status: gap <= rule.limits.gap ? 'optimal' : status === 'optimal' ? 'gap' : status,
    ...(seconds === undefined ? {} : {seconds})
  }
}

/** The progress of a solver. */
export interface SolveProgress {
  readonly objective: number
  /** Objective minus certified lower bound. */
  readonly gap: number
  readonly steps: number
}

export interface SolveControl {
  readonly onProgress?: (progress: SolveProgress) => void
  /** Read between steps: an `AbortSignal`, or an object whose getter reads shared memory. */
  readonly signal?: {readonly aborted: boolean}
  /** Seconds from any origin; needed for a time limit and for `seconds` in the certificate. */
  readonly clock?: () => number
}

export interface StopLimits {
  /** Stop when the certified gap, summed over all moments, is at most this. */
  readonly gap: number
  readonly stepLimit: number
  /** The limit in seconds, infinite for none. */
  readonly timeLimit: number
}

/** Reports progress, and tells when to stop. */
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

  /** The reason to stop whatever the gap, if there is one. */
  interruption(steps: number): 'step-limit' | 'time-limit' | 'cancelled' | undefined {
    const {signal} = this.#control
    if (signal?.aborted) return 'cancelled'
    if (steps >= this.limits.stepLimit) return 'step-limit'
    if ((this.seconds() ?? 0) > this.limits.timeLimit) return 'time-limit'
    return undefined
  }

  /** Seconds since construction, if there is a clock. */
  seconds(): number | undefined {
    const {clock} = this.#control
    return clock === undefined ? undefined : clock() - this.#began
  }
}

/** How far one recovered table is from the optimum. */
export interface TableCertificate {
  /** D(a, R mu) plus the shrinkage term, in nats for KL. */
  readonly objective: number
  /** No table is better by more than this (the conditional-gradient gap on the simplex). */
  readonly gap: number
  readonly steps: number
  readonly status: SolveStatus
}
