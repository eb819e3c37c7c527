import {parentPort, type TransferListItem, Worker} from 'node:worker_threads'
import {AdfaError, badOption, throwIfCancelled, whole} from '../../base/checks/index.ts'

/** What a thread can do: functions of one argument, by name. Arguments and results are copied between threads. */
type Tasks<T> = {readonly [Name in keyof T]: (argument: never) => unknown}

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
  const threads = Array.from({length: count}, () => openThread<T>(options))
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

function openThread<T extends Tasks<T>>(options: ThreadOptions): Thread<T> & {end(): Promise<void>} {
  const waiting: Waiting[] = []
  let worker: Worker | undefined
  /** Why there is no thread any more. Its state is lost, so no other may take its place. */
  let ended: AdfaError | undefined
  const stopped = (cause?: unknown) => {
    const why = cause instanceof Error ? ` (${cause.message})` : ''
    const message = `a worker thread stopped in the middle of its work${why}; ${options.stopped}`
    return new AdfaError('cancelled', message, {cause})
  }
  const start = () => {
    const started = startWorker(options)
    started.on('message', (answer: Answer) => {
      const next = waiting.shift()
      if (waiting.length === 0) started.unref()
      if ('result' in answer) next?.resolve(answer.result as never)
      else next?.reject(errorOf(answer))
    })
    started.on('error', error => {
      ended ??= stopped(error)
    })
    started.on('exit', () => {
      ended ??= stopped()
      for (const {reject} of waiting) reject(ended)
    })
    return started
  }
  return {
    ask: (name, argument, transfer = []) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) throw ended
        worker ??= start()
        worker.postMessage({name, argument}, transfer)
        // A thread that waits for work does not keep the program alive; one that works does.
        worker.ref()
        waiting.push({resolve, reject})
      }),
    async end() {
      ended ??= stopped()
      await worker?.terminate()
    }
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
