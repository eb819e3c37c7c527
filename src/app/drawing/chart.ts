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
  if (chart.kind === 'lines') for (const {title, series} of chart.panels) checkSeries(series, chart, `panel "${title}"`)
  else
    for (const {title, bars} of chart.panels)
      for (const {name, value, low, high, marks = []} of bars) {
        const where = `"${name}" of panel "${title}"`
        checkValues({value, ...ends(low, high, where)}, chart.x, where)
        for (const mark of marks) checkValues({mark}, chart.x, where)
      }
}

function checkSeries(series: readonly ChartSeries[], axes: Pick<LinesChart, 'x' | 'y'>, where: string): void {
  const seen = new Set<string>()
  for (const {name, points, marks = []} of series) {
    if (seen.has(name)) refuse(`${where} has two series called "${name}"; names must differ; join or rename them`)
    seen.add(name)
    const here = `series "${name}" of ${where}`
    const all: readonly ChartPoint[] = [...points, ...marks]
    for (const {x, y, low, high} of all) {
      checkValues({x}, axes.x, here)
      checkValues({y, ...ends(low, high, here)}, axes.y, here)
    }
  }
}

function ends(low: number | undefined, high: number | undefined, where: string): Record<string, number> {
  if (low === undefined && high === undefined) return {}
  if (low === undefined || high === undefined)
    return refuse(`${where} has one end of an interval; give both or neither`)
  if (low > high) return refuse(`${where} has an interval from ${low} to ${high}; the lower end comes first`)
  return {low, high}
}

function checkValues(values: Readonly<Record<string, number>>, axis: ChartAxis, where: string): void {
  for (const [name, value] of Object.entries(values)) {
    if (!Number.isFinite(value))
      refuse(`${name} of ${where} is ${value}; only finite numbers can be drawn; leave it out`)
    if (axis.log && value <= 0)
      refuse(
        `${name} of ${where} is ${value}; a logarithmic axis shows numbers above 0; leave it out or use a linear axis`
      )
  }
}

function refuse(message: string): never {
  throw new AdfaError('bad-option', `drawChart: ${message}`)
}
