import type {ExactRow} from './structure-recovery-exact.ts'
import {type Recovery, type Rule, rules} from './structure-recovery-measure.ts'
import {explanation, introduction, reading} from './structure-recovery-text.ts'

/** The runs of one rule on samples that differ by their seed alone. */
export interface SampleRow extends Pick<Recovery, 'network' | 'truePositive' | 'documents' | 'rule'> {
  /** The share of runs that found the equivalence class of the true graph. */
  readonly right: number
  /** Means over the runs. */
  readonly distance: number
  readonly missing: number
  readonly extra: number
}

export interface Recorded {
  readonly date: string
  readonly seeds: number
  readonly falsePositive: number
  /** By network: the information of its weakest edge, in nats. */
  readonly weakest: Readonly<Record<string, number>>
  readonly exact: readonly ExactRow[]
  readonly samples: readonly SampleRow[]
}

export function page({date, seeds, falsePositive, weakest, exact, samples}: Recorded): string {
  const networks = Object.keys(weakest)
  const parts = [
    introduction,
    '## From exact tables',
    exactTable(networks, exact, weakest),
    explanation,
    '## From samples of anchors',
    `P(A = 1 | Y = 0) = ${falsePositive}; ${seeds} samples per cell, ${date}. Each cell: share of samples with the right class / mean distance.`,
    reading,
    ...networks.map(network => `### ${network}\n\n${sampleTable(samples.filter(row => row.network === network))}`)
  ]
  return `${parts.join('\n\n')}\n`
}

function exactTable(networks: readonly string[], rows: readonly ExactRow[], weakest: Recorded['weakest']): string {
  const sizes = [...new Set(rows.map(({documents}) => documents))]
  const lines = networks.map(network => {
    const own = rows.filter(row => row.network === network)
    const [{concepts, edges, bruteForce}] = own
    const agree = own.every(({integer, bruteForce: brute}) => integer && brute !== false)
    const checked = bruteForce === undefined ? 'integer program' : 'integer program, all graphs'
    const cells = own.map(({right, missing, extra}) => (right ? 'right' : `-${missing} +${extra}`))
    return [network, concepts, edges, `${agree ? '' : 'NOT '}${checked}`, ...cells, weakest[network].toPrecision(2)]
  })
  const header = ['network', 'concepts', 'edges', 'same score by', ...sizes.map(count), 'weakest edge, nats']
  return table(header, lines)
}

function sampleTable(rows: readonly SampleRow[]): string {
  const used = rules.filter(rule => rows.some(row => row.rule === rule))
  const cell = (row: SampleRow | undefined) =>
    row === undefined ? '-' : `${Math.round(100 * row.right)}% / ${row.distance.toFixed(1)}`
  const settings = [...new Map(rows.map(row => [`${row.truePositive} ${row.documents}`, row])).values()]
  const lines = settings.map(({truePositive, documents}) => {
    const find = (rule: Rule) =>
      rows.find(row => row.rule === rule && row.truePositive === truePositive && row.documents === documents)
    return [truePositive, count(documents), ...used.map(rule => cell(find(rule)))]
  })
  return table(['P(A=1 given Y=1)', 'N', ...used], lines)
}

function table(header: readonly string[], lines: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...lines.map(line)].join('\n')
}

function count(documents: number): string {
  return `1e${Math.round(Math.log10(documents))}`
}
