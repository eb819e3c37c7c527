import {AdfaError} from '../../base/checks/index.ts'
import type {EvaluationView} from './evaluation-view.ts'
import type {SolverApi, SolverEvent, SolverHandle} from './solver.ts'

export interface Progress {
  readonly words: string
  /** From 0 to 1 where it is known. */
  readonly share?: number
  /** Of an evaluation: the methods that are ready. */
  readonly figures?: EvaluationView
}

/** What all work of the session is given: its time, its solvers, and who hears of it. */
export interface Work {
  readonly slices: Slices
  startSolver(emit: (event: SolverEvent) => void): SolverHandle
  /** Resolves after so many milliseconds; after 0, when waiting messages have been answered. */
  wait(ms: number): Promise<void>
  /** Milliseconds since any fixed time. */
  now(): number
  progress(event: Progress): void
  /** Called with every change of results or stages, and at the end of work whose progress was shown. */
  changed(): void
  notice(message: string): void
}

/** Work that can be stopped, and the solver that it may start, which ends with it. */
export class Job {
  readonly #work: Work
  readonly #message: string
  readonly #stopped: Promise<never>
  #reject: (error: AdfaError) => void = () => {}
  #isStopped = false
  #solver: SolverHandle | undefined

  /** `message` is what those who wait for the work are told when it is stopped. */
  constructor(work: Work, message: string) {
    this.#work = work
    this.#message = message
    this.#stopped = new Promise((_, reject) => {
      this.#reject = reject
    })
    // Perhaps nobody waits when it is stopped.
    this.#stopped.catch(() => {})
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  readonly check = (): void => {
    if (this.#isStopped) throw new AdfaError('cancelled', this.#message)
  }

  /** Starts a solver in the place of the last one; what it says is heard until the job is stopped. */
  solver(hear: (event: SolverEvent) => void = this.#work.progress): SolverApi {
    this.check()
    this.end()
    this.#solver = this.#work.startSolver(event => {
      if (!this.#isStopped) hear(event)
    })
    return this.#solver.api
  }

  /** The value of `work`, unless the job is stopped before: work that ends with its solver has not failed. */
  async value<T>(work: Promise<T>): Promise<T> {
    try {
      const value = await Promise.race([work, this.#stopped])
      this.check()
      return value
    } catch (error) {
      this.check()
      throw error
    }
  }

  /** Visits the numbers below `count` in slices, until it is stopped. */
  async each(count: number, visit: (at: number) => void, between: (share: number) => void = () => {}): Promise<void> {
    this.check()
    await this.#work.slices.each(count, visit, done => {
      this.check()
      between(done / count)
    })
    this.check()
  }

  stop(): void {
    this.#isStopped = true
    this.end()
    this.#reject(new AdfaError('cancelled', this.#message))
  }

  /** Ends its solver, as at the end of the work. */
  end(): void {
    this.#solver?.end()
    this.#solver = undefined
  }
}

/** A place for one job: the next one stops the one before. */
export class JobPlace {
  readonly #work: Work
  #job: Job | undefined

  constructor(work: Work) {
    this.#work = work
  }

  /** Runs a job to its end; `message` is what those who wait for it are told when it is stopped. */
  async run<T>(message: string, run: (job: Job) => Promise<T>): Promise<T> {
    this.stop()
    const job = new Job(this.#work, message)
    this.#job = job
    try {
      return await run(job)
    } finally {
      job.end()
      if (this.#job === job) this.#job = undefined
      this.#work.changed()
    }
  }

  /** Stops what runs, and returns whether anything did. */
  stop(): boolean {
    const isRunning = this.#job !== undefined
    this.#job?.stop()
    this.#job = undefined
    return isRunning
  }
}

/** Milliseconds of work between two moments at which messages get through. */
const SLICE = 50

/** Long work in slices; between them other calls are answered. */
export interface Slices {
  /** Visit the numbers below `count`. `between` is called after each slice, and may throw to stop. */
  each(count: number, visit: (at: number) => void, between?: (done: number) => void): Promise<void>
  /** The value of a generator that pauses now and then. */
  steps<T>(work: Generator<unknown, T>): Promise<T>
}

export function createSlices(wait: (ms: number) => Promise<void>, now: () => number): Slices {
  return {
    async each(count, visit, between) {
      let since = now()
      for (let at = 0; at < count; at++) {
        visit(at)
        if ((at & 31) !== 31 || now() - since < SLICE) continue
        await wait(0)
        between?.(at + 1)
        since = now()
      }
    },
    async steps(work) {
      let since = now()
      for (;;) {
        const step = work.next()
        if (step.done) return step.value
        if (now() - since < SLICE) continue
        await wait(0)
        since = now()
      }
    }
  }
}
