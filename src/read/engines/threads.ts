import {parentPort, type TransferListItem, Worker} from 'node:worker_threads'
import {AdfaError, badOption, throwIfCancelled, whole} from '../../base/checks/index.ts'

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

/** Threads, which start when they are first asked for something. Close them, also after an error. */
export interface ThreadPool<T extends Tasks<T>> {
  readonly count: number
  /** Work with the threads; `signal` ends them at once and for good, whatever they do. */
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
const MOST_THREADS = 1024

/** A pool of `count` threads that answer the tasks `T`. A thread that has ended refuses all further work. */
export function openThreads<T extends Tasks<T>>(count: number, options: ThreadOptions): ThreadPool<T> {
  const [holds, rule] = whole(1, MOST_THREADS)
  if (!holds(count)) throw badOption('threads', 'workers', rule, count)
  const threads = Array.from({length: count}, () => new PooledThread<T>(options))
  const close = async () => {
    await Promise.all(threads.map(thread => thread.end()))
  }
  return {
    count,
    async run(work, signal) {
      throwIfCancelled(signal)
      signal?.addEventListener('abort', close)
      try {
        return await work(threads)
      } catch (error) {
        throwIfCancelled(signal)
        throw error
      } finally {
        signal?.removeEventListener('abort', close)
      }
    },
    close
  }
}

interface Request {
  readonly name: string
  readonly argument: unknown
}

/** What a thread answers; an error has the code and details of an AdfaError, since classes are lost between threads. */
type Answer =
  | {readonly result: unknown}
  | {readonly error: string; readonly refusal?: Pick<AdfaError, 'code' | 'details'>}

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

function answerOf(error: unknown): Answer {
  if (!(error instanceof AdfaError))
    return {error: error instanceof Error ? (error.stack ?? error.message) : String(error)}
  const {code, message, details} = error
  return {error: message, refusal: {code, details}}
}

interface Waiting {
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

class PooledThread<T extends Tasks<T>> implements Thread<T> {
  readonly #options: ThreadOptions
  #worker: Worker | undefined
  #waiting: Waiting[] = []
  /** Why there is no thread any more. Its state is lost, so no other may take its place. */
  #end: AdfaError | undefined

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  ask<Name extends keyof T>(
    name: Name,
    argument: Parameters<T[Name]>[0],
    transfer: readonly TransferListItem[] = []
  ): Promise<Awaited<ReturnType<T[Name]>>> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) throw this.#end
      this.#worker ??= this.#start()
      this.#worker.postMessage({name, argument}, transfer)
      // A thread that waits for work does not keep the program alive; one that works does.
      this.#worker.ref()
      this.#waiting.push({resolve, reject})
    })
  }

  async end(): Promise<void> {
    this.#end ??= this.#stopped()
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = startWorker(this.#options)
    worker.on('message', (answer: Answer) => {
      const waiting = this.#waiting.shift()
      if (this.#waiting.length === 0) worker.unref()
      if ('result' in answer) waiting?.resolve(answer.result as never)
      else waiting?.reject(errorOf(answer))
    })
    let cause: unknown
    worker.on('error', error => {
      cause = error
    })
    worker.on('exit', () => {
      this.#end ??= this.#stopped(cause)
      for (const {reject} of this.#waiting) reject(this.#end)
    })
    return worker
  }

  #stopped(cause?: unknown): AdfaError {
    const why = cause instanceof Error ? ` (${cause.message})` : ''
    const message = `a worker thread stopped in the middle of its work${why}; ${this.#options.stopped}`
    return new AdfaError('cancelled', message, {cause})
  }
}

function errorOf({error, refusal}: Exclude<Answer, {result: unknown}>): Error {
  return refusal === undefined ? new Error(error) : new AdfaError(refusal.code, error, refusal)
}

function startWorker({file, data: workerData}: ThreadOptions): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL(file.href.replace(/\.ts$/, '.js')), {workerData})
  // From source, a thread must first learn to read TypeScript.
  const code = `import('tsx/esm/api').then(({register}) => { register(); return import('${file}') })`
  return new Worker(code, {eval: true, workerData})
}
