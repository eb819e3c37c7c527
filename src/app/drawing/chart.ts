import {AdfaError} from '../../base/checks/index.ts'

/** A chart as plain data: text, numbers and lists. */
export type Chart = LinesChart | BarsChart

interface ChartText {
  readonly title: string
  /** What the picture shows, in a sentence or two, for screen readers. */
  readonly description: string
}

export interface ChartAxis {
  readonly label: string
  readonly log?: boolean
  /** Values are shares, written as percentages. */
  readonly percent?: boolean
}

/** Both ends, or neither. */
interface ChartInterval {
  readonly low?: number
  readonly high?: number
}

export interface ChartPoint extends ChartInterval {
  readonly x: number
  readonly y: number
}

export interface ChartSeries {
  readonly name: string
  /** Joined by a line in order of x. */
  readonly points: readonly ChartPoint[]
  /** Single runs, drawn faintly behind the line. */
  readonly marks?: readonly {readonly x: number; readonly y: number}[]
}

/** Small multiples side by side on the same axes; series of the same name look the same in all of them. */
export interface LinesChart extends ChartText {
  readonly kind: 'lines'
  readonly x: ChartAxis
  readonly y: ChartAxis
  /** What the line y = x is called, which is drawn behind shares; all of 0 to 1 is shown. */
  readonly diagonal?: string
  readonly panels: readonly {readonly title: string; readonly series: readonly ChartSeries[]}[]
}

export interface ChartBar extends ChartInterval {
  readonly name: string
  readonly value: number
  /** Shown by colour and symbol. */
  readonly group: string
  /** Single runs, drawn faintly. */
  readonly marks?: readonly number[]
}

/** Methods, concepts or words in rows: one dot with its interval per row; small multiples side by side on the same axis. */
export interface BarsChart extends ChartText {
  readonly kind: 'bars'
  readonly x: ChartAxis
  readonly panels: readonly {readonly title: string; readonly bars: readonly ChartBar[]}[]
}

/** Refuses what cannot be drawn, naming the value. */
export function checkChart(chart: Chart): void {
  for (const key of ['title', 'description'] as const)
    if (chart[key].trim() === '') refuse(`the chart has no ${key}; screen readers need one; add it`)
  if (chart.kind === 'bars') {
    for (const {title, bars} of chart.panels)
      for (const {name, value, low = value, high = value, marks = []} of bars)
        checkValues([value, low, high, ...marks], chart.x, `"${name}" of panel "${title}"`)
    return
  }
  for (const {title, series} of chart.panels)
    for (const {name, points, marks = []} of series) {
      const where = `series "${name}" of panel "${title}"`
      const all: readonly ChartPoint[] = [...points, ...marks]
      checkValues(
        all.map(({x}) => x),
        chart.x,
        `x of ${where}`
      )
      checkValues(
        all.flatMap(({y, low = y, high = y}) => [y, low, high]),
        chart.y,
        `y of ${where}`
      )
    }
}

function checkValues(values: readonly number[], {log}: ChartAxis, where: string): void {
  for (const value of values) {
    if (!Number.isFinite(value)) refuse(`${where} is ${value}; only finite numbers can be drawn; leave it out`)
    if (log && value <= 0)
      refuse(`${where} is ${value}; a logarithmic axis shows numbers above 0; leave it out or use a linear axis`)
  }
}

function refuse(message: string): never {
  throw new AdfaError('bad-option', `drawChart: ${message}`)
}
