import {AdfaError} from '../../base/checks/index.ts'

/**
 * Why a solver stopped. `optimal`: it reached the certified gap asked for. `gap`: it cannot improve further, and the gap is larger
 * than that. The others: it was stopped, and returns its best point with the true gap.
 */
export type SolveStatus = 'optimal' | 'gap' | 'step-limit' | 'time-limit' | 'cancelled'

/** How far the result of a solver is from the optimum. */
export interface SolveCertificate {
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
  readonly status: SolveStatus
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

/** When conditional gradient takes its corrective step: always, or only when a vertex comes again, as in the paper. */
export type Correction = 'every-step' | 'seen'

export interface StopLimits {
  /** Stop when the certified gap, summed over all moments, is at most this. */
  readonly gap: number
  readonly stepLimit: number
  /** In seconds; infinite for none. */
  readonly timeLimit: number
  /** `every-step` unless given. */
  readonly correction?: Correction
}

/** When to stop: called once per step with the certified gap, it reports progress and returns a status when it is time. */
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

  /** Reports progress and returns the status to stop with, or undefined to continue. */
  check(progress: SolveProgress): Exclude<SolveStatus, 'gap'> | undefined {
    this.report(progress)
    if (progress.gap <= this.limits.gap) return 'optimal'
    return this.interruption(progress.steps)
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
