import {AdfaError, throwIfCancelled} from '../../src/base/checks/index.ts'
import {openThreads, type Thread} from '../../src/read/engines/index.ts'
import {
  type Cell,
  type Experiment,
  type ExperimentName,
  type ExperimentOptions,
  experimentDefaults,
  experimentNames,
  Results,
  type Run,
  type Tables
} from './experiment.ts'
import {experiments} from './experiments.ts'
import type {Material} from './material.ts'
import {filesOf, type Pictures, writeReport} from './present.ts'
import {identityOf, openResultStore, type ResultStore} from './result-store.ts'

export interface ExperimentPlan {
  readonly names: readonly ExperimentName[]
  readonly material: Material
  readonly options: Partial<ExperimentOptions>
  readonly folder: string
  /** Start over in a folder that holds other results. */
  readonly fresh: boolean
  readonly workers: number
  readonly adfa: string
}

export interface ExperimentControl {
  readonly pictures: Pictures
  /** `share` of the work of all cells, by their expected cost. */
  readonly onProgress?: (experiment: ExperimentName, done: number, all: number, share: number) => void
  /** Ends the run at once; what is measured, and the report of finished experiments, stay. */
  readonly signal?: AbortSignal
}

export interface ExperimentOutcome {
  readonly files: readonly string[]
  readonly cells: number
  /** Cells whose results existed already. */
  readonly kept: number
}

/**
 * Measure the cells of experiments on worker threads, save each result when it is done, and write results, tables and figures,
 * and after every experiment the report of those finished. One that fails does not stop the others; its error is thrown after them.
 * Results do not depend on the number of workers; saved results are not measured again.
 */
export async function runExperiments(plan: ExperimentPlan, control: ExperimentControl): Promise<ExperimentOutcome> {
  const {material, folder, workers} = plan
  const names = experimentNames.filter(each => plan.names.includes(each))
  const options = {...experimentDefaults, ...plan.options}
  const identity = identityOf(material, plan.adfa)
  const store = await openResultStore(folder, identity, plan.fresh)
  const pool = openWorkerPool(material, workers)
  const session = {store, pool, workers, control}
  const files: string[] = []
  const failures: Failure[] = []
  let [cells, kept] = [0, 0]
  let report: string | undefined
  try {
    for (const name of names) {
      try {
        const experiment = experiments[name]
        const {runs, known} = await measureAll(experiment, experiment.cells(material, options), session)
        const shown = filesOf(experiment, new Results(runs), material, control.pictures)
        files.push(...(await store.finish(name, options, runs, shown)))
        cells += runs.length
        kept += known
      } catch (error) {
        throwIfCancelled(control.signal)
        failures.push({name, error})
      }
      report = (await writeReport({folder, names, material, identity}, store)) ?? report
    }
  } finally {
    await pool.close()
  }
  if (failures.length > 0) throw failureOf(failures, names.length, report)
  return {files: [...files, ...(report === undefined ? [] : [report])], cells, kept}
}

interface Failure {
  readonly name: ExperimentName
  readonly error: unknown
}

/** One error for all that failed; an error of the program itself stays as it is. */
function failureOf(failures: readonly Failure[], all: number, report: string | undefined): unknown {
  const own = failures.find(({error}) => !(error instanceof AdfaError))
  if (own !== undefined || all === 1) return (own ?? failures[0]).error
  const {code, details} = failures[0].error as AdfaError
  const said = failures.map(({error}) => (error as AdfaError).message).join('; ')
  const rest = report === undefined ? '' : `; the others are in ${report}`
  return new AdfaError(code, `${failures.length} of ${all} experiments failed: ${said}${rest}`, {details})
}

interface Session {
  readonly store: ResultStore
  readonly pool: WorkerPool
  readonly workers: number
  readonly control: ExperimentControl
}

async function measureAll(
  experiment: Experiment,
  cells: readonly Cell[],
  {store, pool, workers, control: {onProgress, signal}}: Session
): Promise<{runs: readonly Run[]; known: number}> {
  const results = await store.known(experiment.name, cells)
  const missing = cells.flatMap((_, at) => (results[at] === undefined ? [at] : []))
  const cost = (at: number) => experiment.cost?.(cells[at]) ?? 1
  const all = missing.reduce((sum, at) => sum + cost(at), 0)
  let [done, spent] = [0, 0]
  // Starts the estimate of the time left.
  if (missing.length > 0) onProgress?.(experiment.name, 0, missing.length, 0)
  const tasks = missing.map(at => ({experiment: experiment.name, cell: cells[at]}))
  const onResult = async (task: number, tables: Tables) => {
    const at = missing[task]
    await store.keep(experiment.name, {cell: cells[at], tables})
    results[at] = tables
    spent += cost(at)
    onProgress?.(experiment.name, ++done, missing.length, spent / all)
  }
  await pool.run(tasks, {most: experiment.isTimed ? 1 : workers, onResult, signal})
  const runs = cells.map((cell, at) => ({cell, tables: results[at] as Tables}))
  return {runs, known: cells.length - missing.length}
}

interface WorkerTask {
  readonly experiment: ExperimentName
  readonly cell: Cell
}

export interface ExperimentTasks {
  measure(task: WorkerTask): Tables | Promise<Tables>
}

/** Worker threads that have the material. Close it, also after an error. */
interface WorkerPool {
  run(tasks: readonly WorkerTask[], control: PoolControl): Promise<void>
  close(): Promise<void>
}

interface PoolControl {
  /** Tasks measured at the same time. */
  readonly most: number
  /** Called with each result, in any order, and awaited. */
  readonly onResult: (at: number, tables: Tables) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

export function openWorkerPool(material: Material, count: number): WorkerPool {
  const threads = openThreads<ExperimentTasks>(count, {
    file: new URL('./experiment-worker.ts', import.meta.url),
    data: material,
    stopped: 'finished results are kept; repeat the command to continue, with `workers` 1 if memory was short'
  })
  return {
    run: (tasks, {most, onResult, signal}) =>
      threads.run(async workers => {
        let next = 0
        const lane = async (worker: Thread<ExperimentTasks>) => {
          while (next < tasks.length) {
            const at = next++
            await onResult(at, await measure(worker, tasks[at]))
          }
        }
        await Promise.all(workers.slice(0, most).map(lane))
      }, signal),
    close: () => threads.close()
  }
}

/** What the thread measures; its error names the cell. */
async function measure(worker: Thread<ExperimentTasks>, task: WorkerTask): Promise<Tables> {
  try {
    return await worker.ask('measure', task)
  } catch (error) {
    const where = `${task.experiment} ${JSON.stringify(task.cell)}`
    if (!(error instanceof AdfaError)) throw new Error(`${where}: ${String(error)}`, {cause: error})
    const {code, message, details} = error
    throw new AdfaError(code, `${where}: ${message}`, {cause: error, details})
  }
}
