/** Work that takes long: in slices, between which the session answers, or on another thread, and always to be stopped. */
import {AdfaError} from '../../base/checks/index.ts'
import type {Progress} from '../pipeline/index.ts'
import type {SolverApi, SolverHandle} from './solver.ts'

/** The clock of the session, and its threads. */
export interface WorkTools {
  startSolver(emit: (event: Progress) => void): SolverHandle
  /** Resolves after so many milliseconds; after 0, when waiting messages have been answered. */
  wait(ms: number): Promise<void>
  /** Milliseconds since any fixed time. */
  now(): number
}

/** Who hears of the work: of its progress, of every change of results or stages, and of what is to be said once. */
interface Listener {
  progress(event: Progress): void
  changed(): void
  notice(message: string): void
}

/** Each kind of work, with what those who wait for it are told when it is stopped. */
const STOPPED = {
  fit: 'the fit was stopped',
  reading: 'reading was stopped; everything is as it was before',
  resampling: 'resampling was stopped; everything is as it was before',
  evaluation: 'the evaluation was stopped; the last figures stay',
  comparison: 'the comparison was stopped'
}

export type JobKind = keyof typeof STOPPED

/** Milliseconds of work between two moments at which messages get through. */
const SLICE = 50

export class Work {
  readonly #tools: WorkTools
  readonly #jobs = new Map<JobKind, Job>()
  /** The thread that the last job left: it is warm, and the next one takes it. */
  #idle: Solver | undefined
  readonly progress: Listener['progress']
  readonly changed: Listener['changed']
  readonly notice: Listener['notice']

  constructor(tools: WorkTools, {progress, changed, notice}: Listener) {
    this.#tools = tools
    this.progress = progress
    this.changed = changed
    this.notice = notice
  }

  now(): number {
    return this.#tools.now()
  }

  wait(ms: number): Promise<void> {
    return this.#tools.wait(ms)
  }

  /** Runs a job to its end; one of its kind that runs already is stopped. */
  async run<T>(kind: JobKind, run: (job: Job) => Promise<T>): Promise<T> {
    this.stop(kind)
    const job = new Job(this, STOPPED[kind])
    this.#jobs.set(kind, job)
    try {
      const value = await run(job)
      this.#idle ??= job.release()
      return value
    } finally {
      job.release()?.end()
      if (this.#jobs.get(kind) === job) this.#jobs.delete(kind)
      this.changed()
    }
  }

  /** Stops what runs of these kinds, and returns whether anything did. */
  stop(...kinds: readonly JobKind[]): boolean {
    const jobs = kinds.flatMap(kind => this.#jobs.get(kind) ?? [])
    for (const kind of kinds) this.#jobs.delete(kind)
    for (const job of jobs) job.stop()
    return jobs.length > 0
  }

  /** A thread for one job; `hear` is told of its progress. */
  solver(hear: (event: Progress) => void): Solver {
    const solver = this.#idle ?? new Solver(this.#tools)
    this.#idle = undefined
    solver.hear = hear
    return solver
  }

  /** The value of a generator that pauses now and then; `between` is called after each slice, and may throw to stop. */
  async slices<T>(steps: Generator<unknown, T>, between: () => void = () => {}): Promise<T> {
    for (let since = this.now(); ; ) {
      const step = steps.next()
      if (step.done) return step.value
      if (this.now() - since < SLICE) continue
      await this.wait(0)
      between()
      since = this.now()
    }
  }

  /** Visits the numbers below `count` in slices. */
  async each(count: number, visit: (at: number) => void, between?: (share: number) => void): Promise<void> {
    let at = 0
    const visits = function* () {
      for (; at < count; at++) {
        visit(at)
        if (at % 32 === 31) yield
      }
    }
    await this.slices(visits(), () => between?.((at + 1) / count))
  }
}

/** A solver that one job after the other may have. */
class Solver {
  hear: (event: Progress) => void = () => {}
  readonly api: SolverApi
  readonly end: () => void

  constructor({startSolver}: WorkTools) {
    const {api, end} = startSolver(event => this.hear(event))
    this.api = api
    this.end = end
  }
}

/** Work that can be stopped, and the thread that it may have, which ends when the job is stopped or fails. */
export class Job {
  readonly #work: Work
  readonly #fault: AdfaError
  readonly #stopped: Promise<never>
  #reject: (error: AdfaError) => void = () => {}
  #isStopped = false
  #solver: Solver | undefined

  constructor(work: Work, message: string) {
    this.#work = work
    this.#fault = new AdfaError('cancelled', message)
    this.#stopped = new Promise((_, reject) => {
      this.#reject = reject
    })
    // Perhaps nobody waits when it is stopped.
    this.#stopped.catch(() => {})
  }

  readonly check = (): void => {
    if (this.#isStopped) throw this.#fault
  }

  solver(hear: (event: Progress) => void = this.#work.progress): SolverApi {
    this.check()
    this.#solver ??= this.#work.solver(event => {
      if (!this.#isStopped) hear(event)
    })
    return this.#solver.api
  }

  /** Gives its thread away. */
  release(): Solver | undefined {
    const solver = this.#solver
    this.#solver = undefined
    return solver
  }

  /** The value of `work`, unless the job is stopped before: work that ends with its solver has not failed. */
  value<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#stopped]).finally(this.check)
  }

  /** Visits the numbers below `count` in slices, until it is stopped. */
  async each(count: number, visit: (at: number) => void, between: (share: number) => void = () => {}): Promise<void> {
    this.check()
    await this.#work.each(count, visit, share => {
      this.check()
      between(share)
    })
    this.check()
  }

  stop(): void {
    this.#isStopped = true
    this.#reject(this.#fault)
    this.release()?.end()
  }
}
