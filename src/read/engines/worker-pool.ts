import {type TransferListItem, Worker} from 'node:worker_threads'
import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import type {Refusal, WorkerAnswers, WorkerRequest} from './worker-tasks.ts'

/** One thread, seen from the one that gives it work. */
export interface CountWorker {
  /** Ask for something; answers come in the order of the requests. The transferred buffers are the thread's from now on. */
  ask<K extends keyof WorkerAnswers>(
    request: Extract<WorkerRequest, {kind: K}>,
    transfer?: readonly TransferListItem[]
  ): Promise<WorkerAnswers[K]>
}

/** Threads that count, for one engine after another. Close them, also after an error. */
export interface CountWorkers {
  readonly count: number
  /**
   * Work with the threads, which are started when they are first asked for something. Nobody else works with them
   * meanwhile; `signal` ends them at once, whatever they do. A thread that ended is started anew for the next work.
   */
  run<T>(work: (workers: readonly CountWorker[]) => Promise<T>, signal?: AbortSignal): Promise<T>
  close(): Promise<void>
}

export function openCountWorkers(count: number): CountWorkers {
  if (!Number.isInteger(count) || count < 1)
    throw new AdfaError('bad-option', `workers is a whole number above 0; got ${count}`)
  const threads = Array.from({length: count}, () => new CountThread())
  const endAll = async () => {
    await Promise.all(threads.map(thread => thread.end()))
  }
  let last: Promise<unknown> = Promise.resolve()

  const runNow = async <T>(work: (workers: readonly CountWorker[]) => Promise<T>, signal?: AbortSignal) => {
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
      // What is still busy after an error is of no use to anybody.
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

interface Waiting {
  readonly resolve: (answer: never) => void
  readonly reject: (error: unknown) => void
}

class CountThread implements CountWorker {
  #worker: Worker | undefined
  #waiting: Waiting[] = []
  /** Why the thread ended; what it had counted is lost, so that it must not go on as if nothing had happened. */
  #failure: AdfaError | undefined

  get isBusy(): boolean {
    return this.#waiting.length > 0
  }

  ask<K extends keyof WorkerAnswers>(
    request: Extract<WorkerRequest, {kind: K}>,
    transfer: readonly TransferListItem[] = []
  ): Promise<WorkerAnswers[K]> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) throw this.#failure
      this.#worker ??= this.#start()
      this.#worker.postMessage(request, transfer)
      // A thread that waits for work does not keep the program alive, one that works does.
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
    const worker = startWorker()
    worker.on('message', (answer: Refusal | WorkerAnswers[keyof WorkerAnswers]) => {
      const waiting = this.#waiting.shift()
      if (this.#waiting.length === 0) worker.unref()
      if (answer.kind === 'refused') waiting?.reject(new AdfaError(answer.code, answer.message))
      else if (answer.kind === 'failed') waiting?.reject(new Error(answer.stack))
      else waiting?.resolve(answer as never)
    })
    let cause: unknown
    worker.on('error', error => {
      cause = error
    })
    worker.on('exit', () => {
      const waiting = this.#waiting
      this.#waiting = []
      this.#worker = undefined
      this.#failure = stopped(cause)
      for (const {reject} of waiting) reject(this.#failure)
    })
    return worker
  }
}

function startWorker(): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./count-worker.js', import.meta.url))
  // From source, a thread must first learn to read TypeScript.
  const source = new URL('./count-worker.ts', import.meta.url)
  const code = `import('tsx/esm/api').then(({register}) => { register(); return import('${source}') })`
  return new Worker(code, {eval: true})
}

function stopped(cause: unknown): AdfaError {
  const why = cause instanceof Error ? ` (${cause.message})` : ''
  return new AdfaError(
    'cancelled',
    `a worker thread stopped in the middle of its work${why}; nothing was counted; start again, with fewer --workers if memory was short (0 for none)`,
    {cause}
  )
}
