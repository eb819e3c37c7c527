import * as Plot from '@observablehq/plot'
import {type AxisTicks, axisTicks, numberText, shareText} from './axis-ticks.ts'
import type {BarsChart, ChartBar} from './chart.ts'
import {palette, type SeriesStyle, stylesByName, textSize} from './palette.ts'
import {
  bottomAxis,
  bottomLabel,
  drawLegend,
  gridOf,
  inRows,
  noValues,
  type PicturePart,
  plotPart,
  scaleOf,
  styledDot,
  verticalGrid
} from './plot-part.ts'
import {fitText, textWidth} from './text-size.ts'

const ROW = 22
/** Single runs are drawn below the dot. */
const ROW_WITH_MARKS = 27
const MARGIN_TOP = 30
const MARGIN_BOTTOM = 46
const MARGIN_RIGHT = 62
const LONGEST_NAME = 240

/** One row per name: a dot, its interval, and its value as a number; groups by symbol and colour. */
export function drawBars(chart: BarsChart, room: number): PicturePart[] {
  const {panels} = chart
  const styles = stylesByName(panels.flatMap(({bars}) => bars.map(({group}) => group)))
  const {columns, width} = gridOf(panels.length, 680, room)
  const hasMarks = panels.some(({bars}) => bars.some(({marks = []}) => marks.length > 0))
  const row = hasMarks ? ROW_WITH_MARKS : ROW
  const body = inRows(panels, columns, line => {
    const widths = lineWidths(line, width)
    const height = MARGIN_TOP + MARGIN_BOTTOM + row * Math.max(1, ...line.map(({bars}) => bars.length))
    return line.map((panel, at) => drawPanel({chart, ...panel, styles, height, row, ...widths[at]}))
  })
  const whole = width * Math.max(1, Math.min(columns, panels.length))
  const entries = [...styles].map(([name, style]) => ({name, style, shows: 'symbol' as const}))
  return [drawLegend(entries, whole), {...body, width: whole}]
}

interface PanelWidth {
  readonly width: number
  /** 0 where the panel before it has the same names. */
  readonly nameWidth: number
}

/** Panels with the same names share them, at the left of the line. */
function lineWidths(line: BarsChart['panels'], width: number): PanelWidth[] {
  const names = line.map(({bars}) => JSON.stringify(bars.map(({name}) => name)))
  const isShared = line.length > 1 && names.every(list => list === names[0])
  const longest = isShared ? LONGEST_NAME : Math.min(LONGEST_NAME, 0.42 * width)
  const needed = line.map(({bars}) =>
    Math.max(40, ...bars.map(({name}) => Math.min(longest, textWidth(name, textSize.body))))
  )
  if (!isShared) return needed.map(nameWidth => ({width, nameWidth}))
  const rest = (width * line.length - needed[0]) / line.length
  return needed.map((nameWidth, at) => (at === 0 ? {width: rest + nameWidth, nameWidth} : {width: rest, nameWidth: 0}))
}

interface Panel extends PanelWidth {
  readonly chart: BarsChart
  readonly title: string
  readonly bars: readonly ChartBar[]
  readonly styles: ReadonlyMap<string, SeriesStyle>
  readonly height: number
  readonly row: number
}

function drawPanel(panel: Panel): PicturePart {
  const {chart, title, bars, styles, width, height, row, nameWidth} = panel
  const marginLeft = 10 + nameWidth
  const ranged = chart.sharedX ? chart.panels.flatMap(each => each.bars) : bars
  const values = ranged.flatMap(({value, low = value, high = value, marks = []}) => [value, low, high, ...marks])
  // The axis starts at 0 unless all values are far from it.
  const isFromZero = Math.min(...values) >= 0 && Math.min(...values) < 0.5 * Math.max(...values)
  const x = axisTicks(chart.x, isFromZero ? [0, ...values] : values, {pixels: width - marginLeft - MARGIN_RIGHT})
  const heading = {frameAnchor: 'top-left', lineAnchor: 'bottom', dy: -10, fontSize: textSize.heading} as const
  return plotPart({
    width,
    height,
    marginLeft,
    marginRight: MARGIN_RIGHT,
    marginTop: MARGIN_TOP,
    marginBottom: height - MARGIN_TOP - row * Math.max(1, bars.length),
    x: scaleOf(chart.x, x),
    y: {type: 'point', domain: bars.map((_, at) => at), axis: null, padding: 0.5},
    marks: [
      verticalGrid(x),
      bottomAxis(x),
      bottomLabel(fitText(chart.x.label, width - marginLeft, textSize.small)),
      Plot.text([fitText(title, width - 12, textSize.heading)], {
        ...heading,
        dx: nameWidth === 0 ? 0 : 4 - marginLeft,
        fontWeight: 'bold'
      }),
      bars.length === 0 ? noValues() : null,
      ...bars.flatMap((bar, at) => barMarks({bar, at, nameWidth, x, chart}, styles.get(bar.group)))
    ]
  })
}

interface PlacedBar {
  readonly bar: ChartBar
  readonly at: number
  readonly nameWidth: number
  readonly x: AxisTicks
  readonly chart: BarsChart
}

function barMarks({bar, at, nameWidth, x, chart}: PlacedBar, style: SeriesStyle | undefined): Plot.Markish[] {
  if (style === undefined) return []
  const {name, value, low, high, marks = []} = bar
  const hasInterval = low !== undefined && high !== undefined
  const title = `${name}: ${x.text(value)}${hasInterval ? ` (${x.text(low)} to ${x.text(high)})` : ''}`
  const shortName = fitText(name, nameWidth, textSize.body)
  const runs = marks.map(mark => ({x: mark, y: at}))
  const shown = {y: [at], fontSize: textSize.body}
  return [
    Plot.ruleY([at], {stroke: palette.grid, strokeDasharray: '1 3'}),
    nameWidth === 0
      ? null
      : Plot.text([shortName], {
          ...shown,
          frameAnchor: 'left',
          textAnchor: 'end',
          dx: -8,
          title: [shortName === name ? '' : name]
        }),
    runs.length === 0 ? null : styledDot(runs, style, {radius: 2.2, opacity: 0.4, dy: 8}),
    hasInterval
      ? Plot.link([0], {x1: [low], x2: [high], y1: [at], y2: [at], stroke: style.colour, strokeWidth: 1.6})
      : null,
    styledDot([{x: value, y: at, title}], style, {radius: 4}),
    Plot.text([chart.x.percent ? shareText(value) : numberText(value)], {
      ...shown,
      frameAnchor: 'right',
      textAnchor: 'start',
      dx: 8,
      fill: palette.quietInk
    })
  ]
}
