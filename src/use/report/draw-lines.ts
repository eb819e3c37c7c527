import * as Plot from '@observablehq/plot'
import {type AxisTicks, axisTicks} from './axis-ticks.ts'
import type {ChartPoint, ChartSeries, LinesChart} from './chart.ts'
import {palette, type SeriesStyle, stylesByName, textSize} from './palette.ts'
import {
  bottomAxis,
  bottomLabel,
  drawLegend,
  gridOf,
  inRows,
  type LegendEntry,
  noValues,
  type PicturePart,
  plotPart,
  scaleOf,
  styledDot
} from './plot-part.ts'
import {fitText, textWidth} from './text-size.ts'

const MARGIN_TOP = 50
const MARGIN_BOTTOM = 46
const MARGIN_RIGHT = 14

/**
 * Lines of means with intervals over faint single runs, panels side by side, and one legend. Square panels have the line
 * y = x behind.
 */
export function drawLines(chart: LinesChart, room: number, isSquare = false): PicturePart[] {
  const {columns, width} = gridOf(chart.panels.length, isSquare ? 400 : 620, room)
  const plotHeight = isSquare ? width - 46 - MARGIN_RIGHT : columns === 1 ? 300 : 220
  const marginTop = chart.panels.every(({title}) => title === '') ? MARGIN_TOP - 20 : MARGIN_TOP
  const height = plotHeight + marginTop + MARGIN_BOTTOM
  const styles = stylesByName(chart.panels.flatMap(({series}) => series.map(({name}) => name)))
  const allYs = chart.panels.flatMap(({series}) => series.flatMap(ys))
  const rows = inRows(chart.panels, columns, row =>
    row.map(({title, series}) => {
      const values = chart.sharedY === false ? series.flatMap(ys) : allYs
      const y = axisTicks(chart.y, values, {pixels: plotHeight, isVertical: true})
      return drawPanel({chart, title, series, y, styles, width, height, marginTop, isSquare})
    })
  )
  const body = {...rows, width: width * Math.min(columns, chart.panels.length)}
  const entries: LegendEntry[] = [...styles].map(([name, style]) => ({name, style, shows: 'both'}))
  if (isSquare) entries.push({name: 'as often as predicted', style: diagonalStyle, shows: 'line'})
  return [drawLegend(entries, body.width), body]
}

function ys({points, marks = []}: ChartSeries): number[] {
  return [...points.flatMap(({y, low = y, high = y}) => [y, low, high]), ...marks.map(({y}) => y)]
}

interface Panel {
  readonly chart: LinesChart
  readonly title: string
  readonly series: readonly ChartSeries[]
  readonly y: AxisTicks
  readonly styles: ReadonlyMap<string, SeriesStyle>
  readonly width: number
  readonly height: number
  readonly marginTop: number
  readonly isSquare: boolean
}

function drawPanel(panel: Panel): PicturePart {
  const {chart, title, series, y, styles, width, height, marginTop, isSquare} = panel
  const marginLeft = 14 + Math.max(...y.ticks.map(tick => textWidth(y.text(tick), textSize.small)))
  const xs = series.flatMap(({points, marks = []}) => [...points, ...marks].map(({x}) => x))
  const given = chart.x.ticks ?? ownTicks(xs)
  const x = axisTicks({...chart.x, ...(given ? {ticks: given} : {})}, xs, {
    pixels: width - marginLeft - MARGIN_RIGHT - 20,
    isTight: true
  })
  const left = {frameAnchor: 'top-left', lineAnchor: 'bottom', dx: 4 - marginLeft} as const
  const room = width - 12
  return plotPart({
    width,
    height,
    marginLeft,
    marginTop,
    marginBottom: MARGIN_BOTTOM,
    marginRight: MARGIN_RIGHT,
    insetLeft: isSquare ? 0 : 10,
    insetRight: isSquare ? 0 : 10,
    insetTop: chart.y.log ? 8 : 0,
    insetBottom: chart.y.log ? 8 : 0,
    x: scaleOf(chart.x, x),
    y: scaleOf(chart.y, y),
    marks: [
      Plot.gridY(y.ticks, {stroke: palette.grid, strokeOpacity: 1}),
      Plot.frame({anchor: 'bottom', stroke: palette.rule}),
      Plot.axisY(y.ticks, {text: y.text, tickSize: 0, label: null}),
      bottomAxis(x),
      bottomLabel(fitText(chart.x.label, room, textSize.small)),
      Plot.text([fitText(title, room, textSize.heading)], {
        ...left,
        dy: -30,
        fontSize: textSize.heading,
        fontWeight: 'bold'
      }),
      Plot.text([fitText(chart.y.label, room, textSize.small)], {...left, dy: -12, fill: palette.quietInk}),
      isSquare ? diagonal(x, y) : null,
      xs.length === 0 ? noValues() : null,
      ...series.flatMap((one, k) => seriesMarks(one, styles.get(one.name), {x, y, dx: isSquare ? 0 : aside(k, series)}))
    ]
  })
}

/** A few whole numbers, such as sizes, are their own ticks. */
function ownTicks(xs: readonly number[]): number[] | undefined {
  const different = [...new Set(xs)]
  return different.length > 0 && different.length <= 12 && different.every(Number.isInteger) ? different : undefined
}

const diagonalStyle: SeriesStyle = {colour: palette.rule, symbol: 'circle', isHollow: false, dash: '3 3'}

function diagonal(x: AxisTicks, y: AxisTicks): Plot.Markish {
  const from = Math.max(x.domain[0], y.domain[0])
  const to = Math.min(x.domain[1], y.domain[1])
  const ends = {x1: from, y1: from, x2: to, y2: to}
  return Plot.link([0], {...ends, stroke: diagonalStyle.colour, strokeDasharray: diagonalStyle.dash})
}

interface Axes {
  readonly x: AxisTicks
  readonly y: AxisTicks
  readonly dx: number
}

function seriesMarks(series: ChartSeries, style: SeriesStyle | undefined, {x, y, dx}: Axes): Plot.Markish[] {
  if (style === undefined) return []
  const points = series.points.toSorted((a, b) => a.x - b.x)
  const withInterval = points.filter(({low, high}) => low !== undefined && high !== undefined)
  const title = (point: ChartPoint) => `${series.name}: ${y.text(point.y)} at ${x.text(point.x)}`
  return [
    series.marks?.length ? styledDot(series.marks, style, {radius: 2.4, opacity: 0.35, dx}) : null,
    withInterval.length === 0
      ? null
      : Plot.ruleX(withInterval, {x: 'x', y1: 'low', y2: 'high', stroke: style.colour, strokeWidth: 1.2, dx}),
    Plot.line(points, {
      x: 'x',
      y: 'y',
      stroke: style.colour,
      strokeWidth: 1.6,
      strokeDasharray: style.dash || 'none',
      dx
    }),
    styledDot(
      points.map(point => ({x: point.x, y: point.y, title: title(point)})),
      style,
      {dx}
    )
  ]
}

/** Runs and intervals of several series at one x would hide each other: each series is shifted by some pixels. */
function aside(k: number, series: readonly ChartSeries[]): number {
  const isCrowded = series.some(({points, marks}) => marks?.length || points.some(({low}) => low !== undefined))
  return isCrowded ? 3 * (k - (series.length - 1) / 2) : 0
}
