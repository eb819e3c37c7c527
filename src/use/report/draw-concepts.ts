import * as Plot from '@observablehq/plot'
import {type AxisTicks, axisTicks, shareText, withMinus} from './axis-ticks.ts'
import type {IntervalsChart, WeightsChart} from './chart.ts'
import {palette, seriesStyles, textSize} from './palette.ts'
import {
  bottomAxis,
  drawLegend,
  FULL_WIDTH,
  inRows,
  noValues,
  type PicturePart,
  pixelScales,
  plotPart,
  scaleOf,
  styledDot,
  verticalGrid
} from './plot-part.ts'
import {fitText, textWidth} from './text-size.ts'

const INTERVAL_ROW = 17
const INTERVAL_TOP = 6
const BOTTOM = 26
const LABEL = 20

/** One row per concept: a dot and its interval; several columns for many concepts. */
export function drawIntervals(chart: IntervalsChart, room: number): PicturePart[] {
  const {rows} = chart
  const columns = rows.length <= 40 || room < FULL_WIDTH ? 1 : rows.length <= 100 ? 2 : 3
  const width = columns === 1 ? Math.min(640, room) : room / columns
  const perColumn = Math.ceil(rows.length / columns)
  const longest = columns === 3 ? 118 : Math.min(210, 0.45 * width)
  const nameWidth = Math.max(40, ...rows.map(({name}) => Math.min(longest, textWidth(name, textSize.small))))
  const values = rows.flatMap(({value, low, high}) => [value, low, high])
  const x = axisTicks(chart.x, [0, ...values], {pixels: width - nameWidth - 34})
  const height = INTERVAL_TOP + BOTTOM + INTERVAL_ROW * Math.max(1, perColumn)
  const parts = Array.from({length: columns}, (_, at) => rows.slice(at * perColumn, (at + 1) * perColumn))
  const body = inRows(parts, columns, line =>
    line.map(part => drawColumn({chart, rows: part, x, width, height, nameWidth}))
  )
  const hasInterval = rows.some(({low, high}) => low < high)
  const entry = hasInterval
    ? ({name: 'estimate and its interval', shows: 'both'} as const)
    : ({name: 'estimate', shows: 'symbol'} as const)
  const whole = columns * width
  const label = plotPart({
    ...pixelScales,
    width: whole,
    height: LABEL,
    marks: [Plot.text([fitText(chart.x.label, whole, textSize.small)], {frameAnchor: 'middle'})]
  })
  return [drawLegend([{...entry, style: seriesStyles[0]}], whole), {...body, width: whole}, label]
}

interface Column {
  readonly chart: IntervalsChart
  readonly rows: IntervalsChart['rows']
  readonly x: AxisTicks
  readonly width: number
  readonly height: number
  readonly nameWidth: number
}

function drawColumn({chart, rows, x, width, height, nameWidth}: Column): PicturePart {
  const [style] = seriesStyles
  const placedRows = rows.map((row, at) => {
    const shown = fitText(row.name, nameWidth, textSize.small)
    return {...row, at, shown, whole: shown === row.name ? '' : row.name}
  })
  const titled = placedRows.map(({name, value, low, high, at}) => ({
    x: value,
    y: at,
    title: `${name}: ${x.text(value)} (${x.text(low)} to ${x.text(high)})`
  }))
  return plotPart({
    width,
    height,
    marginLeft: nameWidth + 12,
    marginRight: 22,
    marginTop: INTERVAL_TOP,
    marginBottom: height - INTERVAL_TOP - INTERVAL_ROW * Math.max(1, rows.length),
    x: scaleOf(chart.x, x),
    y: {type: 'point', domain: rows.map((_, at) => at), axis: null, padding: 0.5},
    marks: [
      verticalGrid(x),
      bottomAxis(x),
      rows.length === 0 ? noValues() : null,
      Plot.text(placedRows, {y: 'at', text: 'shown', frameAnchor: 'left', textAnchor: 'end', dx: -8, title: 'whole'}),
      Plot.link(placedRows, {x1: 'low', x2: 'high', y1: 'at', y2: 'at', stroke: style.colour, strokeWidth: 1.6}),
      styledDot(titled, style, {radius: 3})
    ]
  })
}

const CARD = 232
const ROW = 15
const TOP = 24
const WORD = 104
const VALUE = 40

/** A small card for each concept: its words, with bars on one scale for all cards. */
export function drawWeights(chart: WeightsChart, room: number): PicturePart[] {
  const values = chart.rows.flatMap(({items}) => items.map(({value}) => value))
  const domain = [Math.min(0, ...values), Math.max(0, ...values)]
  if (domain[0] === domain[1]) domain[1] = 1
  const columns = Math.max(1, Math.min(Math.floor(room / CARD), chart.rows.length))
  const cards = inRows(chart.rows, columns, row => {
    const height = TOP + ROW * Math.max(1, ...row.map(({items}) => items.length)) + 14
    return row.map(card => drawCard({chart, card, domain, height}))
  })
  return [note(chart, columns * CARD), {...cards, width: columns * CARD}]
}

function note({x, rows}: WeightsChart, width: number): PicturePart {
  const text = rows.length === 0 ? 'no values' : `Bars: ${x.label}; one scale for all`
  const fitted = fitText(text, width, textSize.body)
  const mark = Plot.text([fitted], {frameAnchor: 'left', fill: palette.quietInk, fontSize: textSize.body})
  return plotPart({margin: 0, width, height: 26, marks: [mark]})
}

interface Card {
  readonly chart: WeightsChart
  readonly card: WeightsChart['rows'][number]
  readonly domain: readonly number[]
  readonly height: number
}

function drawCard({chart, card, domain, height}: Card): PicturePart {
  const text = chart.x.percent ? shareText : (value: number) => withMinus(value.toFixed(2))
  const {items, name} = card
  const heading = fitText(name, CARD - 16, textSize.body)
  const rows = items.map(({label, value}, at) => {
    const word = fitText(label, WORD - 8, textSize.small)
    return {value, at, word, whole: word === label ? '' : label}
  })
  return plotPart({
    width: CARD,
    height,
    marginLeft: WORD,
    marginRight: VALUE + 12,
    marginTop: TOP,
    marginBottom: height - TOP - ROW * Math.max(1, items.length),
    x: {type: 'linear', domain, axis: null},
    y: {type: 'band', domain: rows.map(({at}) => at), axis: null, padding: 0.3},
    marks: [
      Plot.text([heading], {
        frameAnchor: 'top-left',
        lineAnchor: 'bottom',
        dx: -WORD,
        dy: -5,
        fontSize: textSize.body,
        fontWeight: 'bold',
        title: [heading === name ? '' : name]
      }),
      Plot.barX(rows, {x: 'value', y: 'at', fill: ({value}) => (value < 0 ? palette.vermilion : palette.blue)}),
      Plot.ruleX([0], {stroke: palette.rule}),
      Plot.text(rows, {y: 'at', text: 'word', frameAnchor: 'left', textAnchor: 'end', dx: -6, title: 'whole'}),
      Plot.text(rows, {
        y: 'at',
        text: ({value}) => text(value),
        frameAnchor: 'right',
        textAnchor: 'start',
        dx: 5,
        fill: palette.quietInk
      })
    ]
  })
}
