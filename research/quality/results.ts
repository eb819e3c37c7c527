import {writeFileSync} from 'node:fs'
import {provenance, readKept} from '../page.ts'
import type {QualityRow} from './measure.ts'
import type {Setting} from './rates.ts'

/** All methods on one split of a corpus; each may have been measured at another time. */
export interface QualityRun extends ProblemSize {
  readonly setting: Setting
  readonly seed: number
  readonly rows: readonly (QualityRow & Pick<ReturnType<typeof provenance>, 'date' | 'commit'>)[]
}

interface ProblemSize {
  readonly concepts: number
  readonly words: number
  readonly documents: number
  readonly heldOut: number
}

const folder = new URL('../results/', import.meta.url)

export function readRuns(corpus: string): readonly QualityRun[] {
  return readKept<{runs: QualityRun[]}>(fileOf(corpus), {runs: []}).runs
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
  write(corpus, machine, [...earlier.filter(other => !isSame(other)), whole])
}

const SIZES = ['concepts', 'words', 'documents', 'heldOut'] as const satisfies (keyof ProblemSize)[]

function fileOf(corpus: string): URL {
  return new URL(`quality-${corpus}.json`, folder)
}

/** One row per line, for readable diffs. */
function write(corpus: string, machine: string, runs: readonly QualityRun[]): void {
  const command = `npx tsx research/quality/quality.ts --corpora ${corpus}`
  const parts = runs.map(({rows, ...facts}) => {
    const lines = rows.map(row => `   ${JSON.stringify(row)}`)
    return `  {"rows": [\n${lines.join(',\n')}\n  ],\n   ${JSON.stringify(facts).slice(1)}`
  })
  const text = `{"command": ${JSON.stringify(command)},\n "machine": ${JSON.stringify(machine)},\n "runs": [\n${parts.join(',\n')}\n ]}\n`
  writeFileSync(fileOf(corpus), text)
}
