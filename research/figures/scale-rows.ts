import {readFileSync} from 'node:fs'

/** A line of a file in research/results. */
export type ScaleRow = Readonly<Record<string, number | string>>

export interface Results {
  readonly date: string
  readonly machine: string
  readonly rows: readonly ScaleRow[]
}

export function readResults(name: string): Results {
  return JSON.parse(readFileSync(new URL(`../results/${name}.json`, import.meta.url), 'utf8')) as Results
}

/** A Markdown table. */
export function table(columns: readonly string[], lines: readonly (readonly (number | string)[])[]): string {
  const line = (cells: readonly (number | string)[]) => `| ${cells.join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...lines.map(line)].join('\n')
}

/** 1234567 as 1,234,567; text stays unchanged. */
export function thousands(value: number | string): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value
}

/** Two significant digits: 1,234 as 1,200. */
export function about(value: number): string {
  return thousands(Number(value.toPrecision(2)))
}
