import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {cpus, totalmem} from 'node:os'
import type {QualityRow} from './measure.ts'
import type {Setting} from './settings.ts'

/** Where and when something was measured. */
export interface Provenance {
  readonly date: string
  readonly commit: string
  readonly machine: string
}

/** All methods on one split of a corpus; each may have been measured at another time. */
export interface QualityRun extends ProblemSize {
  readonly setting: Setting
  readonly seed: number
  readonly rows: readonly (QualityRow & Pick<Provenance, 'date' | 'commit'>)[]
}

export interface ProblemSize {
  readonly concepts: number
  readonly words: number
  readonly documents: number
  readonly heldOut: number
}

/** The constants of the word weights, each changed separately, on one split. */
export interface AblationRun extends Provenance {
  readonly corpus: string
  readonly seed: number
  /** Word weights with each constant changed, and noisy-or links with each option changed. */
  readonly rows: readonly AblationRow[]
}

export interface AblationRow {
  readonly change: string
  readonly lastTag: number
  readonly averagePrecision: number
  readonly brier: number
}

const folder = new URL('../results/', import.meta.url)
const COMMAND = 'npx tsx research/quality/quality.ts'

export function readRuns(corpus: string): readonly QualityRun[] {
  return read<QualityRun>(corpus)
}

/** Keep the run, and from an earlier run of the same split and setting only methods that this one did not measure. */
export function keepRun(
  corpus: string,
  {rows, ...run}: Omit<QualityRun, 'rows'> & {rows: readonly QualityRow[]}
): void {
  const {date, commit, machine} = provenance()
  const isSame = (other: QualityRun) => other.setting === run.setting && other.seed === run.seed
  const earlier = readRuns(corpus)
  const left = earlier
    .filter(other => isSame(other) && SIZES.every(size => other[size] === run[size]))
    .flatMap(other => other.rows.filter(({method}) => !rows.some(row => row.method === method)))
  const whole = {...run, rows: [...rows.map(row => ({...row, date, commit})), ...left]}
  write(corpus, `${COMMAND} --corpora ${corpus}`, machine, [...earlier.filter(other => !isSame(other)), whole])
}

const SIZES = ['concepts', 'words', 'documents', 'heldOut'] as const satisfies (keyof ProblemSize)[]

export function readAblations(): readonly AblationRun[] {
  return read<AblationRun>('ablations')
}

export function keepAblation(run: AblationRun): void {
  const others = readAblations().filter(({corpus}) => corpus !== run.corpus)
  write('ablations', `${COMMAND} --ablations`, run.machine, [...others, run])
}

/** The commit that was built; a plus marks uncommitted changes. */
export function provenance(): Provenance {
  const git = (...args: readonly string[]) => execFileSync('git', args, {encoding: 'utf8'}).trim()
  const isChanged = git('status', '--porcelain', 'src') !== ''
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', '--short', 'HEAD') + (isChanged ? '+' : ''),
    machine: `${cpus().length} x ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  }
}

function read<Run>(name: string): readonly Run[] {
  const file = new URL(`quality-${name}.json`, folder)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as {runs: Run[]}).runs : []
}

/** One row per line, for readable diffs. */
function write(
  name: string,
  command: string,
  machine: string,
  runs: readonly {readonly rows: readonly object[]}[]
): void {
  const parts = runs.map(({rows, ...facts}) => {
    const lines = rows.map(row => `   ${JSON.stringify(row)}`)
    return `  {"rows": [\n${lines.join(',\n')}\n  ],\n   ${JSON.stringify(facts).slice(1)}`
  })
  const text = `{"command": ${JSON.stringify(command)},\n "machine": ${JSON.stringify(machine)},\n "runs": [\n${parts.join(',\n')}\n ]}\n`
  writeFileSync(new URL(`quality-${name}.json`, folder), text)
}
