import type {Project} from './project.ts'

/** What a pass is to reach. */
export interface Target {
  readonly project: Project
  readonly revision: number
  /** When it was set, in milliseconds. */
  readonly since: number
  /** Whether a fit was asked for, which waits for that where there are many concepts. */
  readonly isAsked: boolean
}

/** Thrown where a pass is stopped. */
export const STOPPED = Symbol('stopped')

/** One way through all stages. */
export class Pass {
  readonly target: Target
  /** Whether an edit may end it: a fit is under way. */
  isLong = false
  isStopped = false
  #stop: () => void = () => {}
  readonly #stopped: Promise<void>

  constructor(target: Target) {
    this.target = target
    this.#stopped = new Promise(resolve => {
      this.#stop = resolve
    })
  }

  stop(): void {
    this.isStopped = true
    this.#stop()
  }

  /** The value of `work`, unless the pass is stopped before: work that ends with the solver has not failed. */
  async unlessStopped<T>(work: Promise<T>): Promise<T> {
    const value = await Promise.race([work, this.#stopped.then(() => STOPPED)]).catch(error => {
      throw this.isStopped ? STOPPED : error
    })
    if (value === STOPPED || this.isStopped) throw STOPPED
    return value as T
  }

  readonly check = (): void => {
    if (this.isStopped) throw STOPPED
  }
}
