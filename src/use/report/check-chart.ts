import {AdfaError} from '../../base/checks/index.ts'
import type {Chart, ChartAxis, ChartPoint, ChartSeries, LinesChart} from './chart.ts'

/** Refuses what cannot be drawn, by the name of the thing that is wrong. */
export function checkChart(chart: Chart): void {
  for (const key of ['title', 'description'] as const)
    if (chart[key].trim() === '') refuse(`the chart has no ${key}; say what it shows, for those who cannot see it`)
  switch (chart.kind) {
    case 'lines':
      for (const {title, series} of chart.panels) checkSeries(series, chart, `panel "${title}"`)
      return
    case 'reliability':
      checkSeries(chart.series, {x: {label: ''}, y: {label: ''}}, 'the chart')
      return
    case 'bars':
      for (const {title, bars} of chart.panels)
        for (const {name, value, low, high, marks = []} of bars) {
          const where = `"${name}" of panel "${title}"`
          checkValues({value, ...ends(low, high, where)}, chart.x, where)
          for (const mark of marks) checkValues({mark}, chart.x, where)
        }
      return
    case 'weights':
      for (const {name, items} of chart.rows)
        for (const {label, value} of items) checkValues({value}, chart.x, `"${label}" of "${name}"`)
      return
    case 'intervals':
      for (const {name, value, low, high, prior = value} of chart.rows)
        checkValues({value, prior, ...ends(low, high, `"${name}"`)}, chart.x, `"${name}"`)
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
  if (low === undefined || high === undefined) return refuse(`${where} has one end of an interval; give both or none`)
  if (low > high) return refuse(`${where} has an interval from ${low} to ${high}; the lower end comes first`)
  return {low, high}
}

function checkValues(values: Readonly<Record<string, number>>, axis: ChartAxis, where: string): void {
  for (const [name, value] of Object.entries(values)) {
    if (!Number.isFinite(value)) refuse(`${name} of ${where} is ${value}; only numbers can be drawn; leave it out`)
    if (axis.log && value <= 0)
      refuse(
        `${name} of ${where} is ${value}; a logarithmic axis shows numbers above 0; leave it out or use a plain axis`
      )
  }
}

function refuse(message: string): never {
  throw new AdfaError('bad-option', `drawChart: ${message}`)
}
