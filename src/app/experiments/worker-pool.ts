import {Worker} from 'node:worker_threads'
import {AdfaError, type ErrorCode} from '../../base/checks/index.ts'
import type {Cell, ExperimentName, Json} from './experiment.ts'
import type {PackedMaterial} from './packed-material.ts'

/** To a worker: measure this cell. */
export interface WorkerTask {
  readonly experiment: ExperimentName
  readonly cell: Cell
}

/** From a worker: what came of it. */
export type WorkerAnswer =
  | {readonly kind: 'result'; readonly result: Json}
  | {readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string}
  | {readonly kind: 'failed'; readonly stack: string}

/** Worker threads that share the material. Close it, also after an error. */
export interface WorkerPool {
  /** Measure `tasks`, at most `most` at a time; `onResult` hears of each as it is done, in any order, and is waited for. */
  run(tasks: readonly WorkerTask[], most: number, onResult: (at: number, result: Json) => Promise<void>): Promise<void>
  close(): Promise<void>
}

export function openWorkerPool(material: PackedMaterial, count: number): WorkerPool {
  const workers: Worker[] = []
  const worker = (at: number) => {
    workers[at] ??= startWorker(material)
    return workers[at]
  }
  return {
    async run(tasks, most, onResult) {
      let next = 0
      const lane = async (at: number) => {
        while (next < tasks.length) {
          const task = next++
          await onResult(task, await ask(worker(at), tasks[task]))
        }
      }
      const lanes = Math.min(most, count, tasks.length)
      await Promise.all(Array.from({length: lanes}, (_, at) => lane(at)))
    },
    async close() {
      await Promise.all(workers.map(each => each.terminate()))
    }
  }
}

function startWorker(material: PackedMaterial): Worker {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./experiment-worker.js', import.meta.url), {workerData: material})
  // From source, a thread must first learn to read TypeScript.
  const source = new URL('./experiment-worker.ts', import.meta.url)
  const code = `import('tsx/esm/api').then(({register}) => { register(); return import('${source}') })`
  return new Worker(code, {eval: true, workerData: material})
}

function ask(worker: Worker, task: WorkerTask): Promise<Json> {
  return new Promise((resolve, reject) => {
    const done = () => {
      worker.off('message', onMessage)
      worker.off('error', onError)
      worker.off('exit', onExit)
    }
    const onMessage = (answer: WorkerAnswer) => {
      done()
      if (answer.kind === 'result') resolve(answer.result)
      else reject(errorOf(answer, task))
    }
    const onError = (error: Error) => {
      done()
      reject(error)
    }
    const onExit = () => {
      done()
      reject(
        new AdfaError(
          'cancelled',
          `a worker stopped while it measured ${task.experiment} ${JSON.stringify(task.cell)}; what was done before is kept; give the same command again to go on, with --workers 1 if memory was short`
        )
      )
    }
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.on('exit', onExit)
    worker.postMessage(task)
  })
}

function errorOf(answer: Exclude<WorkerAnswer, {kind: 'result'}>, {experiment, cell}: WorkerTask): Error {
  const where = `${experiment} ${JSON.stringify(cell)}`
  return answer.kind === 'refused'
    ? new AdfaError(answer.code, `${where}: ${answer.message}`)
    : new Error(`${where}: ${answer.stack}`)
}
