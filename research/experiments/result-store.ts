import {createHash} from 'node:crypto'
import {readdir, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {AdfaError} from '../../src/base/checks/index.ts'
import {makeFolder, readTextFile, writeAtomically} from '../../src/read/files/index.ts'
import {
  type Cell,
  type ExperimentName,
  type ExperimentOptions,
  experimentNames,
  type Run,
  type Tables
} from './experiment.ts'
import type {Material} from './material.ts'

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

export function identityOf({name, lexicon, documents}: Material, adfa: string): Identity {
  const hash = createHash('sha256').update(JSON.stringify(lexicon))
  for (const {key, words, anchors, members, labels} of documents)
    hash.update(JSON.stringify([key, words, anchors, members, Array.from(labels ?? [])]))
  const sizes = {documents: documents.length, concepts: lexicon.anchors.length, words: lexicon.words.length}
  return {adfa, data: name, ...sizes, sha256: hash.digest('hex')}
}

/** Results in a folder: each cell is saved as soon as it is measured, and all in one file once they are complete. */
export interface ResultStore {
  /** The saved results of an experiment, in the order of its cells; undefined where a cell is not measured yet. */
  known(experiment: ExperimentName, cells: readonly Cell[]): Promise<(Tables | undefined)[]>
  keep(experiment: ExperimentName, run: Run): Promise<void>
  /** Replace the single cells by the complete results, beside the files that show them. */
  finish(
    experiment: ExperimentName,
    settings: ExperimentOptions,
    runs: readonly Run[],
    files: ReadonlyMap<string, string>
  ): Promise<readonly string[]>
  /** A file of an earlier, complete experiment, or undefined. */
  read(experiment: ExperimentName, file: string): Promise<string | undefined>
}

const IDENTITY_FILE = 'experiment.json'
const RESULTS_FILE = 'results.json'
const CELLS = 'cells'

/** Open a folder for results of `identity`; a folder with other results is refused, or cleared of them if `fresh`. */
export async function openResultStore(folder: string, identity: Identity, fresh: boolean): Promise<ResultStore> {
  await makeFolder(folder)
  const path = join(folder, IDENTITY_FILE)
  const text = `${JSON.stringify({format: 'adfa-experiment', version: 1, ...identity}, null, 2)}\n`
  const found = await readIfThere(path)
  if (found !== undefined && fresh)
    for (const name of experimentNames) await rm(join(folder, name), {recursive: true, force: true})
  else if (found !== undefined && found !== text) throw otherResults(folder, found, identity)
  await writeAtomically(path, text)
  return {
    async known(experiment, cells) {
      const runs = [
        ...(await completeRuns(join(folder, experiment))),
        ...(await singleRuns(join(folder, experiment, CELLS)))
      ]
      const byCell = new Map(runs.map(({cell, tables}) => [JSON.stringify(cell), tables]))
      return cells.map(cell => byCell.get(JSON.stringify(cell)))
    },
    async keep(experiment, run) {
      const cells = join(folder, experiment, CELLS)
      await makeFolder(cells)
      await writeAtomically(join(cells, `${cellName(run.cell)}.json`), `${JSON.stringify(run)}\n`)
    },
    async finish(name, settings, runs, files) {
      const results = `${JSON.stringify({experiment: name, ...identity, settings, runs}, null, 1)}\n`
      const all = new Map([...files, [RESULTS_FILE, results]])
      await makeFolder(join(folder, name))
      for (const [file, content] of all) await writeAtomically(join(folder, name, file), content)
      await rm(join(folder, name, CELLS), {recursive: true, force: true})
      return [...all.keys()].map(file => join(folder, name, file))
    },
    read: (experiment, file) => readIfThere(join(folder, experiment, file))
  }
}

/** A valid file name that no other cell of the experiment has. */
export function cellName(cell: Cell): string {
  return Object.entries(cell)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(',')
}

async function completeRuns(folder: string): Promise<readonly Run[]> {
  const path = join(folder, RESULTS_FILE)
  const text = await readIfThere(path)
  if (text === undefined) return []
  const {runs} = parse(text, path) as {readonly runs: readonly Run[]}
  return runs
}

async function singleRuns(folder: string): Promise<readonly Run[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.filter(name => name.endsWith('.json') && !name.startsWith('.')).sort()
  return Promise.all(files.map(async name => parse(await readTextFile(join(folder, name)), join(folder, name)) as Run))
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AdfaError(
      'bad-file',
      `${path}: not valid JSON, although results are written whole or not at all; remove the file and give the same command again`,
      {cause: error}
    )
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readTextFile(path)
  } catch (error) {
    if (error instanceof AdfaError && (error.cause as {code?: string} | undefined)?.code === 'ENOENT') return undefined
    throw error
  }
}

function otherResults(folder: string, found: string, wanted: Identity): AdfaError {
  const before = parse(found, join(folder, IDENTITY_FILE)) as Partial<Identity>
  const names = ['adfa', 'data', 'documents', 'concepts', 'words', 'sha256'] as const
  const other = names.filter(name => before[name] !== wanted[name])
  const short = (value: string | number | undefined) => String(value).slice(0, 12)
  const shown = other.map(name => `${name} ${short(before[name])}, now ${short(wanted[name])}`).join('; ')
  return new AdfaError(
    'mismatch',
    `${folder}: holds results of other documents, options or versions (${shown}); a run continues only its own results; choose another folder with -o, or give --fresh to start over`
  )
}
