import * as Plot from '@observablehq/plot'
import {type AxisTicks, axisTicks} from './axis-ticks.ts'
import type {IntervalsChart} from './chart.ts'
import {drawLegend} from './draw-legend.ts'
import {palette, seriesStyles, textSize} from './palette.ts'
import {bottomAxis, type DrawingDocument, type PicturePart, pixelScales, placed, plotPart} from './plot-part.ts'
import {styledDot} from './styled-dot.ts'
import {fitText, textWidth} from './text-size.ts'

const ROW = 17
const TOP = 6
const BOTTOM = 26
const LABEL = 20

type IntervalRow = IntervalsChart['rows'][number]

/** One line a concept: a dot, its interval, what was believed before; more columns where there are many concepts. */
export function drawIntervals(chart: IntervalsChart, document: DrawingDocument): PicturePart[] {
  const {rows} = chart
  const columns = rows.length <= 40 ? 1 : rows.length <= 100 ? 2 : 3
  const width = columns === 1 ? 640 : 930 / columns
  const perColumn = Math.ceil(rows.length / columns)
  const longest = columns === 3 ? 118 : 210
  const nameWidth = Math.max(40, ...rows.map(({name}) => Math.min(longest, textWidth(name, textSize.small))))
  const values = rows.flatMap(({value, low, high, prior = value}) => [value, low, high, prior])
  const x = axisTicks(chart.x, chart.x.log ? values : [0, ...values], {
    pixels: width - nameWidth - 34
  })
  const height = TOP + BOTTOM + ROW * Math.max(1, perColumn)
  const parts = Array.from({length: columns}, (_, at) => {
    const part = rows.slice(at * perColumn, (at + 1) * perColumn)
    return placed(drawColumn({chart, rows: part, x, width, height, nameWidth}, document), at * width, 0)
  })
  const hasPrior = rows.some(({prior}) => prior !== undefined)
  const entries = [
    {name: 'estimate and its interval', style: seriesStyles[0], shows: 'both' as const},
    ...(hasPrior ? [{name: 'believed before', style: seriesStyles[3], shows: 'symbol' as const}] : [])
  ]
  const whole = columns * width
  const label = plotPart(document, {
    ...pixelScales,
    width: whole,
    height: LABEL,
    marks: [Plot.text([fitText(chart.x.label, whole, textSize.small)], {frameAnchor: 'middle'})]
  })
  return [drawLegend(entries, whole, document), {markup: parts.join(''), width: whole, height}, label]
}

interface Column {
  readonly chart: IntervalsChart
  readonly rows: readonly IntervalRow[]
  readonly x: AxisTicks
  readonly width: number
  readonly height: number
  readonly nameWidth: number
}

function drawColumn({chart, rows, x, width, height, nameWidth}: Column, document: DrawingDocument): PicturePart {
  const [style, before] = [seriesStyles[0], seriesStyles[3]]
  const placedRows = rows.map((row, at) => {
    const shown = fitText(row.name, nameWidth, textSize.small)
    return {...row, at, shown, whole: shown === row.name ? '' : row.name}
  })
  const titled = placedRows.map(({name, value, low, high, at}) => ({
    x: value,
    y: at,
    title: `${name}: ${x.text(value)} (${x.text(low)} to ${x.text(high)})`
  }))
  const priors = placedRows.flatMap(({prior, at}) => (prior === undefined ? [] : [{x: prior, y: at}]))
  return plotPart(document, {
    width,
    height,
    marginLeft: nameWidth + 12,
    marginRight: 22,
    marginTop: TOP,
    marginBottom: height - TOP - ROW * Math.max(1, rows.length),
    x: {type: chart.x.log ? 'log' : 'linear', domain: x.domain, axis: null},
    y: {type: 'point', domain: rows.map((_, at) => at), axis: null, padding: 0.5},
    marks: [
      Plot.gridX(x.ticks, {stroke: palette.grid, strokeOpacity: 1}),
      bottomAxis(x),
      ...(rows.length > 0 ? [] : [Plot.text(['no values'], {frameAnchor: 'middle', fill: palette.quietInk})]),
      Plot.text(placedRows, {y: 'at', text: 'shown', frameAnchor: 'left', textAnchor: 'end', dx: -8, title: 'whole'}),
      styledDot(priors, before, {radius: 3}),
      Plot.link(placedRows, {x1: 'low', x2: 'high', y1: 'at', y2: 'at', stroke: style.colour, strokeWidth: 1.6}),
      styledDot(titled, style, {radius: 3})
    ]
  })
}
