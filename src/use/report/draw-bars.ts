import * as Plot from '@observablehq/plot'
import {axisTicks, numberText, shareText} from './axis-ticks.ts'
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

/** Rows of a few bars, of many, and of those with single runs, which are drawn below the dot. */
const [ROW, LOW_ROW, ROW_WITH_MARKS] = [22, 17, 27]
const MANY_BARS = 40
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
  const isLong = panels.flatMap(({bars}) => bars).length > MANY_BARS
  const row = hasMarks ? ROW_WITH_MARKS : isLong ? LOW_ROW : ROW
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
  const numberOf = chart.x.percent ? shareText : numberText
  const rows = bars.map((bar, at) => {
    const {name, value, low, high} = bar
    const interval = low === undefined || high === undefined ? '' : ` (${x.text(low)} to ${x.text(high)})`
    const shown = fitText(name, nameWidth, textSize.body)
    const title = `${name}: ${x.text(value)}${interval}`
    return {...bar, at, shown, whole: shown === name ? '' : name, title, number: numberOf(value)}
  })
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
      Plot.ruleY(rows, {y: 'at', stroke: palette.grid, strokeDasharray: '1 3'}),
      nameWidth === 0
        ? null
        : Plot.text(rows, {
            y: 'at',
            text: 'shown',
            title: 'whole',
            fontSize: textSize.body,
            frameAnchor: 'left',
            textAnchor: 'end',
            dx: -8
          }),
      ...[...styles].flatMap(([group, style]) =>
        groupMarks(
          rows.filter(row => row.group === group),
          style
        )
      ),
      Plot.text(rows, {
        y: 'at',
        text: 'number',
        fontSize: textSize.body,
        frameAnchor: 'right',
        textAnchor: 'start',
        dx: 8,
        fill: palette.quietInk
      })
    ]
  })
}

interface Row extends ChartBar {
  readonly at: number
  readonly title: string
}

/** Single runs, intervals and values of one group. */
function groupMarks(rows: readonly Row[], style: SeriesStyle): Plot.Markish[] {
  const runs = rows.flatMap(({marks = [], at}) => marks.map(mark => ({x: mark, y: at})))
  const ranged = rows.filter(({low}) => low !== undefined)
  return [
    runs.length === 0 ? null : styledDot(runs, style, {radius: 2.2, opacity: 0.4, dy: 8}),
    Plot.link(ranged, {x1: 'low', x2: 'high', y1: 'at', y2: 'at', stroke: style.colour, strokeWidth: 1.6}),
    styledDot(
      rows.map(({value, at, title}) => ({x: value, y: at, title})),
      style,
      {radius: 4}
    )
  ]
}
