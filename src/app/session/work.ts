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

export type Work = ReturnType<typeof createWork>
export type Job = ReturnType<typeof createJob>

/** `changed` is called at the end of every job. */
export function createWork(tools: WorkTools, progress: (event: Progress) => void, changed: () => void) {
  const {wait, now} = tools
  const jobs = new Map<JobKind, Job>()
  /** The thread that the last job left: it is warm, and the next one takes it. */
  let idle: Thread | undefined
  const thread = () => {
    const taken = idle ?? startThread(tools)
    idle = undefined
    return taken
  }

  /** The value of a generator that pauses now and then; `between` is called after each slice, and may throw to stop. */
  const slices = async <T>(steps: Generator<unknown, T>, between: () => void = () => {}): Promise<T> => {
    for (let since = now(); ; ) {
      const step = steps.next()
      if (step.done) return step.value
      if (now() - since < SLICE) continue
      await wait(0)
      between()
      since = now()
    }
  }
  /** Visits the numbers below `count` in slices. */
  const each = (count: number, visit: (at: number) => void, between?: (share: number) => void): Promise<void> => {
    let at = 0
    const visits = function* () {
      for (; at < count; at++) {
        visit(at)
        if (at % 32 === 31) yield
      }
    }
    return slices(visits(), () => between?.((at + 1) / count))
  }

  /** Stops what runs of these kinds, and returns whether anything did. */
  const stop = (...kinds: readonly JobKind[]): boolean => {
    const running = kinds.flatMap(kind => jobs.get(kind) ?? [])
    for (const kind of kinds) jobs.delete(kind)
    for (const job of running) job.stop()
    return running.length > 0
  }
  /** Runs a job to its end; one of its kind that runs already is stopped. */
  const run = async <T>(kind: JobKind, work: (job: Job) => Promise<T>): Promise<T> => {
    stop(kind)
    const job = createJob(STOPPED[kind], {thread, each, progress})
    jobs.set(kind, job)
    try {
      const value = await work(job)
      idle ??= job.release()
      return value
    } finally {
      job.release()?.end()
      if (jobs.get(kind) === job) jobs.delete(kind)
      changed()
    }
  }
  return {wait, now, progress, slices, each, stop, run}
}

/** A solver that one job after the other may have. */
interface Thread extends SolverHandle {
  hear(event: Progress): void
}

function startThread({startSolver}: WorkTools): Thread {
  const thread: Thread = {...startSolver(event => thread.hear(event)), hear() {}}
  return thread
}

interface JobTools {
  thread(): Thread
  each(count: number, visit: (at: number) => void, between: (share: number) => void): Promise<void>
  progress(event: Progress): void
}

/** Work that can be stopped, and the thread that it may have, which ends when the job is stopped or fails. */
function createJob(message: string, {thread, each, progress}: JobTools) {
  const fault = new AdfaError('cancelled', message)
  let isStopped = false
  let own: Thread | undefined
  let reject: (error: AdfaError) => void = () => {}
  const stopped = new Promise<never>((_, refuse) => {
    reject = refuse
  })
  // Perhaps nobody waits when it is stopped.
  stopped.catch(() => {})
  const check = () => {
    if (isStopped) throw fault
  }
  /** Gives its thread away. */
  const release = (): Thread | undefined => {
    const given = own
    own = undefined
    return given
  }
  return {
    release,
    stop(): void {
      isStopped = true
      reject(fault)
    },
    solver(hear = progress): SolverApi {
      check()
      own ??= thread()
      own.hear = event => {
        if (!isStopped) hear(event)
      }
      return own.api
    },
    /** The value of `work`, unless the job is stopped before: work that ends with its solver has not failed. */
    value: <T>(work: Promise<T>): Promise<T> => Promise.race([work, stopped]).finally(check),
    /** Visits the numbers below `count` in slices, until it is stopped. */
    async each(count: number, visit: (at: number) => void, between: (share: number) => void = () => {}): Promise<void> {
      check()
      await each(count, visit, share => {
        check()
        between(share)
      })
      check()
    }
  }
}
