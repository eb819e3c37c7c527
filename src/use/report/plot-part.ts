import * as Plot from '@observablehq/plot'
import type {AxisTicks} from './axis-ticks.ts'
import type {ChartAxis} from './chart.ts'
import {drawingDocument} from './drawing-document.ts'
import {palette, type SeriesStyle, textSize} from './palette.ts'
import {rounded, type SvgNode, svgMarkup} from './svg-markup.ts'
import {fitText, textWidth} from './text-size.ts'

/** A piece of a picture and its size. */
export interface PicturePart {
  readonly markup: string
  readonly width: number
  readonly height: number
}

// Plot asks for a whole document and uses the few calls that this one has.
const document = drawingDocument() as unknown as NonNullable<Plot.PlotOptions['document']>

/** One plot of Observable Plot as a piece of SVG, its size as asked for. */
export function plotPart(options: Plot.PlotOptions & Pick<PicturePart, 'width' | 'height'>): PicturePart {
  const drawn: SvgNode = Plot.plot({...options, document, className: 'adfa'})
  return {markup: svgMarkup(drawn), width: options.width, height: options.height}
}

/** Parts in rows of `columns`, from the left, rows from the top; `drawRow` draws one row, whose parts have one height. */
export function inRows<T>(
  items: readonly T[],
  columns: number,
  drawRow: (row: readonly T[]) => readonly PicturePart[]
): Pick<PicturePart, 'markup' | 'height'> {
  const pieces: string[] = []
  let top = 0
  for (let from = 0; from < items.length; from += columns) {
    const parts = drawRow(items.slice(from, from + columns))
    let left = 0
    for (const part of parts) {
      pieces.push(`<g transform="translate(${rounded(left)},${rounded(top)})">${part.markup}</g>\n`)
      left += part.width
    }
    top += parts[0].height
  }
  return {markup: pieces.join(''), height: top}
}

/** The numbers below a plot. On a logarithmic axis Plot drops numbers by itself, but not those given as `text`. */
export function bottomAxis({ticks, text}: Pick<AxisTicks, 'ticks' | 'text'>): Plot.Markish {
  return Plot.axisX(ticks, {
    text,
    tickSize: 4,
    label: null,
    stroke: palette.rule,
    fill: palette.ink,
    textStroke: 'none'
  })
}

export function scaleOf({log}: ChartAxis, {domain}: AxisTicks): Plot.ScaleOptions {
  return {type: log ? 'log' : 'linear', domain, axis: null}
}

export function verticalGrid({ticks}: AxisTicks): Plot.Markish {
  return Plot.gridX(ticks, {stroke: palette.grid, strokeOpacity: 1})
}

export function noValues(): Plot.Markish {
  return Plot.text(['no values'], {frameAnchor: 'middle', fill: palette.quietInk})
}

export function bottomLabel(label: string): Plot.Markish {
  return Plot.text([label], {frameAnchor: 'bottom', dy: 36, fill: palette.ink, fontSize: textSize.small})
}

export interface LegendEntry {
  readonly name: string
  readonly style: SeriesStyle
  readonly shows: 'line' | 'symbol' | 'both'
}

const LINE_HEIGHT = 20
const SAMPLE = 38
const GAP = 22

/** What each symbol and dash stands for, in as many lines as `width` requires. */
export function drawLegend(entries: readonly LegendEntry[], width: number): PicturePart {
  let x = 0
  let line = 0
  const marks: Plot.Markish[] = []
  for (const {name, style, shows} of entries) {
    const sample = shows === 'symbol' ? 14 : SAMPLE
    const text = fitText(name, width - sample - 6, textSize.body)
    const needed = sample + 6 + textWidth(text, textSize.body)
    if (x > 0 && x + needed > width) {
      x = 0
      line++
    }
    const y = LINE_HEIGHT * (line + 0.5)
    const middle = x + sample / 2
    if (shows !== 'symbol')
      marks.push(
        Plot.link([0], {
          x1: x,
          x2: x + sample,
          y1: y,
          y2: y,
          stroke: style.colour,
          strokeWidth: 1.6,
          strokeDasharray: style.dash || 'none'
        })
      )
    if (shows !== 'line') marks.push(styledDot([{x: middle, y}], style))
    marks.push(
      Plot.text([text], {x: x + sample + 6, y, textAnchor: 'start', fontSize: textSize.body, fill: palette.ink})
    )
    x += needed + GAP
  }
  const height = entries.length === 0 ? 0 : LINE_HEIGHT * (line + 1) + 8
  const inPixels = {type: 'identity', axis: null} as const
  return plotPart({margin: 0, x: inPixels, y: inPixels, width, height: Math.max(1, height), marks})
}

interface DotOptions {
  readonly radius?: number
  readonly opacity?: number
  /** Pixels to the right and down. */
  readonly dx?: number
  readonly dy?: number
}

/** Points in the symbol and colour of a series; `x` and `y` are fields of the data. */
export function styledDot(
  data: readonly {readonly x: number; readonly y: number | string; readonly title?: string}[],
  {colour, symbol, isHollow}: SeriesStyle,
  {radius = 3.6, opacity = 1, dx = 0, dy = 0}: DotOptions = {}
): Plot.Markish {
  return Plot.dot(data, {
    x: 'x',
    y: 'y',
    r: radius,
    dx,
    dy,
    symbol,
    stroke: colour,
    strokeWidth: 1.4,
    strokeOpacity: opacity,
    fill: isHollow ? palette.paper : colour,
    fillOpacity: opacity,
    ...(data.some(({title}) => title !== undefined) ? {title: 'title'} : {})
  })
}

/** As wide as text in a report or on a page of paper. */
export const FULL_WIDTH = 930

/** How many panels fit side by side into `room`, and the width of one; a single one is `alone` wide. */
export function gridOf(
  panelCount: number,
  alone: number,
  room: number
): {readonly columns: number; readonly width: number} {
  if (panelCount <= 1 || room < FULL_WIDTH) return {columns: 1, width: Math.min(alone, room)}
  const columns = panelCount === 2 || panelCount === 4 ? 2 : 3
  return {columns, width: Math.min(alone, room / columns)}
}
