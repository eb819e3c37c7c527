import {parentPort, type TransferListItem, Worker} from 'node:worker_threads'
import {AdfaError, badOption, throwIfCancelled} from '../../base/checks/index.ts'

/** What a thread can do: functions of one argument, by name. Arguments and results are copied between threads. */
type Tasks<T> = {readonly [Name in keyof T]: (argument: never) => unknown}

/** One thread, as the thread that gives it work sees it. */
export interface Thread<T extends Tasks<T>> {
  /** Ask for a task; answers come in the order of the requests. Transferred buffers belong to the thread from now on. */
  ask<Name extends keyof T>(
    name: Name,
    argument: Parameters<T[Name]>[0],
    transfer?: readonly TransferListItem[]
  ): Promise<Awaited<ReturnType<T[Name]>>>
}

/** Threads for one piece of work after another. Close them, also after an error. */
export interface ThreadPool<T extends Tasks<T>> {
  readonly count: number
  /**
   * Work with the threads, which start when they are first asked for something. Nobody else uses them meanwhile;
   * `signal` ends them at once, whatever they do. A thread that ended is started anew for the next piece of work.
   */
  run<R>(work: (threads: readonly Thread<T>[]) => Promise<R>, signal?: AbortSignal): Promise<R>
  close(): Promise<void>
}

export interface ThreadOptions {
  /** The TypeScript file that calls {@link answerTasks}; in the package, the JavaScript file of that name. */
  readonly file: URL
  /** Handed to every thread as `workerData`. */
  readonly data?: unknown
  /** What the error of a thread that stopped says of the work, and the way out. */
  readonly stopped: string
}

/** Far more than any machine has cores; each takes 10 MB and more. */
const mostThreads = 1024

/** A pool of `count` threads that answer the tasks `T`. */
export function openThreads<T extends Tasks<T>>(count: number, options: ThreadOptions): ThreadPool<T> {
  if (!Number.isInteger(count) || count < 1 || count > mostThreads)
    throw badOption('threads', 'workers', `a whole number from 1 to ${mostThreads}`, count)
  const threads = Array.from({length: count}, () => new PooledThread<T>(options))
  const endAll = async () => {
    await Promise.all(threads.map(thread => thread.end()))
  }
  let last: Promise<unknown> = Promise.resolve()

  const runNow = async <R>(work: (threads: readonly Thread<T>[]) => Promise<R>, signal?: AbortSignal) => {
    throwIfCancelled(signal)
    for (const thread of threads) thread.renew()
    signal?.addEventListener('abort', endAll)
    try {
      return await work(threads)
    } catch (error) {
      throwIfCancelled(signal)
      throw error
    } finally {
      signal?.removeEventListener('abort', endAll)
      // After an error, nobody needs what is still in work.
      await Promise.all(threads.filter(thread => thread.isBusy).map(thread => thread.end()))
    }
  }
  return {
    count,
    run(work, signal) {
      const result = last.then(() => runNow(work, signal))
      last = result.catch(() => {})
      return result
    },
    close: endAll
  }
}

interface Request {
  readonly name: string
  readonly argument: unknown
}

type Answer =
  | {readonly result: unknown}
  | {readonly refusal: Pick<AdfaError, 'code' | 'message' | 'details'>}
  | {readonly failure: string}

/** Makes this thread answer requests, one at a time. `transferOf` names the buffers of a result that it needs no more. */
export function answerTasks<T extends Tasks<T>>(
  tasks: T,
  transferOf: (result: Awaited<ReturnType<T[keyof T]>>) => readonly TransferListItem[] = () => []
): void {
  const answer = async ({name, argument}: Request): Promise<void> => {
    try {
      const result = (await tasks[name as keyof T](argument as never)) as Awaited<ReturnType<T[keyof T]>>
      parentPort?.postMessage({result} satisfies Answer, transferOf(result))
    } catch (error) {
      parentPort?.postMessage(answerOf(error))
    }
  }
  let last: Promise<void> = Promise.resolve()
  parentPort?.on('message', (request: Request) => {
    last = last.then(() => answer(request))
  })
}

/** Errors lose their class and their own properties between threads. */
function answerOf(error: unknown): Answer {
  if (error instanceof AdfaError) return {refusal: {code: error.code, message: error.message, details: error.details}}
  return {failure: error instanceof Error ? (error.stack ?? error.message) : String(error)}
}

interface Waiting {
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

class PooledThread<T extends Tasks<T>> implements Thread<T> {
  readonly #options: ThreadOptions
  #worker: Worker | undefined
  #waiting: Waiting[] = []
  /** Why the thread ended. Its state is lost, so it must not continue as if nothing had happened. */
  #failure: AdfaError | undefined

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  get isBusy(): boolean {
    return this.#waiting.length > 0
  }

  ask<Name extends keyof T>(
    name: Name,
    argument: Parameters<T[Name]>[0],
    transfer: readonly TransferListItem[] = []
  ): Promise<Awaited<ReturnType<T[Name]>>> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) throw this.#failure
      this.#worker ??= this.#start()
      this.#worker.postMessage({name, argument}, transfer)
      // A thread that waits for work does not keep the program alive; one that works does.
      this.#worker.ref()
      this.#waiting.push({resolve, reject})
    })
  }

  /** Forget that the thread ended; it is started anew when it is needed. */
  renew(): void {
    this.#failure = undefined
  }

  async end(): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = startWorker(this.#options)
    worker.on('message', (answer: Answer) => {
      const waiting = this.#waiting.shift()
      if (this.#waiting.length === 0) worker.unref()
      if ('result' in answer) waiting?.resolve(answer.result as never)
      else if ('failure' in answer) waiting?.reject(new Error(answer.failure))
      else waiting?.reject(new AdfaError(answer.refusal.code, answer.refusal.message, answer.refusal))
    })
    let cause: unknown
    worker.on('error', error => {
      cause = error
    })
    worker.on('exit', () => {
      const waiting = this.#waiting
      this.#waiting = []
      this.#worker = undefined
      const why = cause instanceof Error ? ` (${cause.message})` : ''
      const message = `a worker thread stopped in the middle of its work${why}; ${this.#options.stopped}`
      this.#failure = new AdfaError('cancelled', message, {cause})
      for (const {reject} of waiting) reject(this.#failure)
    })
    return worker
  }
}

function startWorker({file, data: workerData}: ThreadOptions): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL(file.href.replace(/\.ts$/, '.js')), {workerData})
  // From source, a thread must first learn to read TypeScript.
  const code = `import('tsx/esm/api').then(({register}) => { register(); return import('${file}') })`
  return new Worker(code, {eval: true, workerData})
}
