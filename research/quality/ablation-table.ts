import {qualityCorpora} from './corpora.ts'
import type {AblationRow, AblationRun} from './results.ts'
import {average} from './statistics.ts'
import {markdown} from './tables.ts'

const ROLES = ['development', 'kept aside'] as const

/** One row per change: differences from the defaults, averaged over the corpora of each kind. */
export function ablationTable(runs: readonly AblationRun[]): string {
  const changes = runs[0]?.rows.map(({change}) => change) ?? []
  const parts = ROLES.map(role =>
    runs.filter(({corpus}) => qualityCorpora.some(one => one.name === corpus && one.role === role))
  )
  const lines = changes.map((change, at) => [
    change,
    ...parts.flatMap(part =>
      FIGURES.map(figure => {
        const mean = (name: string) =>
          average(part.flatMap(run => run.rows.filter(row => row.change === name).map(figure)))
        return part.length === 0 ? '-' : at === 0 ? plain(mean(change)) : difference(mean(change) - mean(changes[0]))
      })
    )
  ])
  const head = ROLES.flatMap(role => [`${role}: last tag`, 'average precision', 'Brier'])
  return markdown(['', ...head], lines)
}

const FIGURES = [
  (row: AblationRow) => row.lastTag,
  (row: AblationRow) => row.averagePrecision,
  (row: AblationRow) => row.brier
]

function plain(value: number): string {
  return value.toFixed(4).replace(/^0/, '')
}

function difference(value: number): string {
  return `${value < 0 ? '-' : '+'}${plain(Math.abs(value))}`
}
