import {AdfaError} from '../../base/checks/index.ts'
import {openThreads, type Thread} from '../../read/engines/index.ts'
import type {Cell, ExperimentName, Json} from './experiment.ts'
import type {PackedMaterial} from './packed-material.ts'

/** One cell to measure. */
export interface WorkerTask {
  readonly experiment: ExperimentName
  readonly cell: Cell
}

/** What a worker can do. */
export interface ExperimentTasks {
  measure(task: WorkerTask): Json | Promise<Json>
}

/** Worker threads that share the material. Close it, also after an error. */
export interface WorkerPool {
  /** Measure `tasks`, at most `most` at a time; `onResult` is called with each result, in any order, and awaited. */
  run(tasks: readonly WorkerTask[], most: number, onResult: (at: number, result: Json) => Promise<void>): Promise<void>
  close(): Promise<void>
}

export function openWorkerPool(material: PackedMaterial, count: number): WorkerPool {
  const threads = openThreads<ExperimentTasks>(count, {
    file: new URL('./experiment-worker.ts', import.meta.url),
    data: material,
    stopped: 'finished results are kept; repeat the command to continue, with `workers` 1 if memory was short'
  })
  return {
    run: (tasks, most, onResult) =>
      threads.run(async workers => {
        let next = 0
        const lane = async (worker: Thread<ExperimentTasks>) => {
          while (next < tasks.length) {
            const at = next++
            await onResult(at, await measure(worker, tasks[at]))
          }
        }
        await Promise.all(workers.slice(0, most).map(lane))
      }),
    close: () => threads.close()
  }
}

/** What the thread measures; its error names the cell. */
async function measure(worker: Thread<ExperimentTasks>, task: WorkerTask): Promise<Json> {
  try {
    return await worker.ask('measure', task)
  } catch (error) {
    const where = `${task.experiment} ${JSON.stringify(task.cell)}`
    if (!(error instanceof AdfaError)) throw new Error(`${where}: ${String(error)}`, {cause: error})
    const {code, message, details} = error
    throw new AdfaError(code, `${where}: ${message}`, {cause: error, details})
  }
}
