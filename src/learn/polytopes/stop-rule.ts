import {AdfaError} from '../../base/checks/index.ts'

/**
 * Why a solver stopped. `optimal`: the certified gap is as small as was asked for. `gap`: nothing more can be done, and the gap
 * is larger than that. The others: it was stopped, and gives its best point with the true gap.
 */
export type SolveStatus = 'optimal' | 'gap' | 'step-limit' | 'time-limit' | 'cancelled'

/** How far a solver has come. */
export interface SolveProgress {
  readonly objective: number
  /** Objective minus certified lower bound. */
  readonly gap: number
  readonly steps: number
}

export interface SolveControl {
  readonly onProgress?: (progress: SolveProgress) => void
  /** Looked at between steps; an `AbortSignal` will do, or an object whose getter reads shared memory. */
  readonly signal?: {readonly aborted: boolean}
  /** Seconds, from anywhere; needed for a time limit and for `seconds` in the certificate. */
  readonly clock?: () => number
}

export interface StopLimits {
  /** Stop when the certified gap, summed over all moments, is at most this. */
  readonly gap: number
  readonly stepLimit: number
  /** In seconds; infinite for none. */
  readonly timeLimit: number
}

/** When to stop: asked once a step with the certified gap, it tells progress and gives a status when it is time. */
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

  /** Tell how far it has come. */
  report({objective, gap, steps}: SolveProgress): void {
    this.#control.onProgress?.({objective, gap, steps})
  }

  /** Tell, and give the status to stop with, or nothing to go on. */
  check(progress: SolveProgress): Exclude<SolveStatus, 'gap'> | undefined {
    this.report(progress)
    if (progress.gap <= this.limits.gap) return 'optimal'
    return this.interruption(progress.steps)
  }

  /** Why to stop whatever the gap is, if there is a reason. */
  interruption(steps: number): 'step-limit' | 'time-limit' | 'cancelled' | undefined {
    const {signal} = this.#control
    if (signal?.aborted) return 'cancelled'
    if (steps >= this.limits.stepLimit) return 'step-limit'
    if ((this.seconds() ?? 0) > this.limits.timeLimit) return 'time-limit'
    return undefined
  }

  /** Since this rule was made, if there is a clock. */
  seconds(): number | undefined {
    const {clock} = this.#control
    return clock === undefined ? undefined : clock() - this.#began
  }
}
