import {createHash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {loadGraphviz} from '../../src/app/report/index.ts'
import {AdfaError} from '../../src/base/checks/index.ts'
import {openThreads, type Thread} from '../../src/read/engines/index.ts'
import {makeFolder, readTextFile, writeAtomically} from '../../src/read/files/index.ts'
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
import {filesOf, renderReport, SECTION_FILE} from './present.tsx'

export interface ExperimentPlan {
  readonly names: readonly ExperimentName[]
  readonly material: Material
  readonly options: Partial<ExperimentOptions>
  readonly folder: string
  readonly workers: number
  readonly adfa: string
}

/** Called with the `share` of the work of all cells that is done, by their expected cost. */
export type OnProgress = (experiment: ExperimentName, done: number, all: number, share: number) => void

export interface ExperimentOutcome {
  readonly files: readonly string[]
  readonly cells: number
  /** Cells whose results existed already. */
  readonly kept: number
}

/** What all results in a folder have in common, so that a run can continue them. */
export interface Identity {
  /** The version of this program. */
  readonly adfa: string
  readonly data: string
  readonly documents: number
  readonly concepts: number
  readonly words: number
  /** Of everything read from the documents, and of the lexicon. */
  readonly sha256: string
}

/** What a thread is asked for. */
export interface ExperimentTasks {
  measure(task: {readonly experiment: ExperimentName; readonly cell: Cell}): Tables | Promise<Tables>
}

const IDENTITY_FILE = 'experiment.json'
/** All results so far, written anew after each. */
const RESULTS_FILE = 'results.json'

/**
 * Measures the cells of experiments on threads, saves the results after each, and writes tables and figures, and after every
 * experiment the report of those finished. One that fails does not stop the others; the first error is thrown after them.
 * Results do not depend on the number of threads; saved results are not measured again.
 */
export async function runExperiments(plan: ExperimentPlan, onProgress?: OnProgress): Promise<ExperimentOutcome> {
  const {material, folder, workers} = plan
  const names = experimentNames.filter(each => plan.names.includes(each))
  const settings = {...experimentDefaults, ...plan.options}
  const identity = identityOf(material, plan.adfa)
  await claimFolder(folder, identity)
  const graphviz = await loadGraphviz()
  const threads = openThreads<ExperimentTasks>(workers, {
    file: new URL('./experiment-worker.ts', import.meta.url),
    data: material,
    stopped: 'finished results are kept; repeat the command to continue, with `workers` 1 if memory was short'
  })
  const files: string[] = []
  const failures: unknown[] = []
  let [cells, kept] = [0, 0]
  const report = join(folder, 'report.html')
  try {
    for (const name of names) {
      const own = join(folder, name)
      try {
        const experiment = experiments[name]
        await makeFolder(own)
        const {runs, known} = await measureAll(experiment, experiment.cells(material, settings), own)
        for (const [file, content] of filesOf(experiment, new Results(runs), material, graphviz)) {
          await writeAtomically(join(own, file), content)
          files.push(join(own, file))
        }
        files.push(join(own, RESULTS_FILE))
        cells += runs.length
        kept += known
      } catch (error) {
        failures.push(error)
      }
      await writeReport()
    }
  } finally {
    await threads.close()
  }
  if (failures.length > 0) throw failures[0]
  return {files: [...files, report], cells, kept}

  async function measureAll(experiment: Experiment, all: readonly Cell[], own: string) {
    const found = await knownRuns(own)
    const results = all.map(cell => found.get(JSON.stringify(cell)))
    const runs = () =>
      all.flatMap((cell, at): Run[] => (results[at] === undefined ? [] : [{cell, tables: results[at]}]))
    const save = () =>
      writeAtomically(
        join(own, RESULTS_FILE),
        `${JSON.stringify({experiment: experiment.name, ...identity, settings, runs: runs()}, null, 1)}\n`
      )
    let saved = Promise.resolve()
    const missing = [...all.keys()].filter(at => results[at] === undefined)
    const cost = (at: number) => experiment.cost?.(all[at]) ?? 1
    const total = missing.reduce((sum, at) => sum + cost(at), 0)
    let [next, done, spent] = [0, 0, 0]
    // Starts the estimate of the time left.
    if (missing.length > 0) onProgress?.(experiment.name, 0, missing.length, 0)
    const lane = async (thread: Thread<ExperimentTasks>) => {
      while (next < missing.length) {
        const at = missing[next++]
        results[at] = await measure(thread, experiment.name, all[at])
        // One after another, so that the last to be written is the most complete.
        saved = saved.then(save)
        await saved
        spent += cost(at)
        onProgress?.(experiment.name, ++done, missing.length, spent / total)
      }
    }
    const most = experiment.isTimed ? 1 : workers
    await threads.run(some => Promise.all(some.slice(0, most).map(lane)))
    // Other settings may have the same cells.
    if (missing.length === 0) await save()
    return {runs: runs(), known: all.length - missing.length}
  }

  /** A section for every experiment in the folder, from this run or an earlier one. */
  async function writeReport(): Promise<void> {
    const sections = new Map<ExperimentName, string>()
    for (const name of experimentNames) {
      const section = await readIfThere(join(folder, name, SECTION_FILE))
      if (section !== undefined) sections.set(name, section)
    }
    await writeAtomically(report, renderReport(sections, names, material, identity))
  }
}

/** What the thread measures; its error names the cell. */
async function measure(thread: Thread<ExperimentTasks>, experiment: ExperimentName, cell: Cell): Promise<Tables> {
  try {
    return await thread.ask('measure', {experiment, cell})
  } catch (error) {
    const where = `${experiment} ${JSON.stringify(cell)}`
    if (!(error instanceof AdfaError)) throw new Error(`${where}: ${String(error)}`, {cause: error})
    throw new AdfaError(error.code, `${where}: ${error.message}`, {cause: error, details: error.details})
  }
}

export function identityOf({name, lexicon, documents}: Material, adfa: string): Identity {
  const hash = createHash('sha256').update(JSON.stringify(lexicon))
  for (const {key, words, anchors, members, labels} of documents)
    hash.update(JSON.stringify([key, words, anchors, members, Array.from(labels ?? [])]))
  const sizes = {documents: documents.length, concepts: lexicon.anchors.length, words: lexicon.words.length}
  return {adfa, data: name, ...sizes, sha256: hash.digest('hex')}
}

/** Makes the folder one for results of `identity`; a folder with other results is refused. */
async function claimFolder(folder: string, identity: Identity): Promise<void> {
  await makeFolder(folder)
  const path = join(folder, IDENTITY_FILE)
  const text = `${JSON.stringify({format: 'adfa-experiment', version: 1, ...identity}, null, 2)}\n`
  const found = await readIfThere(path)
  if (found !== undefined && found !== text) {
    const before = parse(found, path) as Readonly<Record<string, unknown>>
    const short = (value: unknown) => String(value).slice(0, 12)
    const shown = Object.entries(identity)
      .filter(([name, value]) => before[name] !== value)
      .map(([name, value]) => `${name} ${short(before[name])}, now ${short(value)}`)
    throw new AdfaError(
      'mismatch',
      `${folder}: holds results of other documents, options or versions (${shown.join('; ')}); a run continues only its own results; choose another folder with -o, or remove this one`
    )
  }
  await writeAtomically(path, text)
}

/** The saved results of an experiment, by their cells. */
async function knownRuns(folder: string): Promise<ReadonlyMap<string, Tables>> {
  const path = join(folder, RESULTS_FILE)
  const text = await readIfThere(path)
  const {runs} = (text === undefined ? {runs: []} : parse(text, path)) as {readonly runs: readonly Run[]}
  return new Map(runs.map(({cell, tables}) => [JSON.stringify(cell), tables]))
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AdfaError(
      'bad-file',
      `${path}: not valid JSON, although results are written whole; remove the file and give the same command again`,
      {cause: error}
    )
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  return existsSync(path) ? readTextFile(path) : undefined
}
