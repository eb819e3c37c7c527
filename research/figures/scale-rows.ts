/** A line of research/results/scale.json. */
export type ScaleRow = Readonly<Record<string, number | string>>

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
