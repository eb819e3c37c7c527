import * as Plot from '@observablehq/plot'
import {grouped} from '../../base/text/index.ts'
import type {ChartAxis} from './chart.ts'
import {palette, type SeriesStyle, textSize} from './palette.ts'
import {DrawingDocument} from './svg-markup.ts'
import {fitText, textWidth} from './text-size.ts'

/** A piece of a picture and its size. */
export interface PicturePart {
  readonly markup: string
  readonly width: number
  readonly height: number
}

/** One plot of Observable Plot as a piece of SVG, its size as asked for. */
function plotPart(options: Plot.PlotOptions & Pick<PicturePart, 'width' | 'height'>): PicturePart {
  // Plot asks for a whole document and uses the few calls that this one has.
  const document = new DrawingDocument() as unknown as NonNullable<Plot.PlotOptions['document']>
  const drawn = Plot.plot({...options, document, className: 'adfa'})
  return {markup: drawn.innerHTML, width: options.width, height: options.height}
}

/** Equal panels in rows, in pixels. */
export interface PanelGrid {
  readonly count: number
  readonly columns: number
  /** Of the plot inside a panel. */
  readonly width: number
  readonly height: number
  readonly marginLeft: number
  readonly marginRight: number
  /** Between the plots of neighbouring columns. */
  readonly between: number
  readonly marginTop: number
  readonly marginBottom: number
}

/** The column and row of a panel: the facet of its marks. */
export function facetOf(
  panel: number,
  {columns}: Pick<PanelGrid, 'columns'>
): {readonly fx: number; readonly fy: number} {
  return {fx: panel % columns, fy: Math.floor(panel / columns)}
}

/** All panels of a chart as facets of one plot. */
export function plotPanels(grid: PanelGrid, options: Plot.PlotOptions): PicturePart {
  const {count, columns, width, height, between, marginLeft, marginRight, marginTop, marginBottom} = grid
  const rows = Math.ceil(count / columns)
  if (rows === 0) return {markup: '', width: 0, height: 0}
  const facets = (length: number, inside: number, gap: number) => {
    const domain = [...Array(length).keys()]
    return {domain, padding: length === 1 ? 0 : gap / (inside + gap), round: false, axis: null}
  }
  return plotPart({
    ...options,
    ...{marginLeft, marginRight, marginTop, marginBottom},
    facet: {margin: 0},
    width: marginLeft + columns * (width + between) - between + marginRight,
    height: rows * (height + marginTop + marginBottom),
    fx: facets(columns, width, between),
    fy: facets(rows, height, marginTop + marginBottom)
  })
}

/** The range of values, with round numbers at its ends unless `isTight`. A single value is centred; shares stay within 0 and 1. */
export function scaleOf(
  {log: isLog, percent}: ChartAxis,
  values: readonly number[],
  isTight = false
): Plot.ScaleOptions {
  const type = isLog ? 'log' : 'linear'
  if (values.length === 0) return {type, domain: isLog ? [1, 10] : [0, 1]}
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (isLog) return {type, domain: low === high ? [low / 2, high * 2] : [low, high]}
  const air = low === high ? Math.max(Math.abs(low) * 0.1, percent ? 0.05 : 0.5) : 0
  const least = low >= 0 ? Math.max(0, low - air) : low - air
  const most = percent && high <= 1 ? Math.min(1, high + air) : high + air
  return {type, domain: [least, most], nice: isTight ? false : 5}
}

/** Numbers below each panel, as Plot chooses them unless given, and a label below all. */
export function bottomAxis(
  {label, percent}: ChartAxis,
  width: number,
  ticks: Pick<Plot.AxisXOptions, 'ticks' | 'tickSpacing'>
): Plot.Markish {
  return Plot.axisX({
    ...ticks,
    tickFormat: percent ? percentText : numberText,
    tickSize: 4,
    facetAnchor: null,
    label: fitText(label, width - 6, textSize.small),
    labelAnchor: 'right',
    labelArrow: 'none',
    stroke: palette.rule,
    fill: palette.ink,
    textStroke: 'none'
  })
}

/** The title of each panel, and "no values" in those without any. */
export function panelTexts(
  panels: readonly {readonly title: string; readonly isEmpty: boolean}[],
  grid: PanelGrid,
  dx: number
): Plot.Markish[] {
  const room = grid.width - dx + (grid.columns === 1 ? grid.marginRight : 0) - 4
  const placed = panels.map(({title, isEmpty}, at) => ({
    ...facetOf(at, grid),
    title: fitText(title, room, textSize.heading),
    isEmpty
  }))
  return [
    Plot.text(placed, {
      ...FACETS,
      ...{text: 'title', fontSize: textSize.heading, fontWeight: 'bold'},
      ...{frameAnchor: 'top-left', lineAnchor: 'bottom', dy: -10, dx}
    }),
    Plot.text(
      placed.filter(panel => panel.isEmpty),
      {...FACETS, text: () => 'no values', frameAnchor: 'middle', fill: palette.quietInk}
    )
  ]
}

/** Marks are in the facet that their data name. */
export const FACETS = {fx: 'fx', fy: 'fy'} as const

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
    const ends = [x, x + sample].map(end => ({x: end, y}))
    if (shows !== 'symbol') marks.push(Plot.line(ends, {x: 'x', y: 'y', ...lineLook(style)}))
    const dots = [{...style, x: x + sample / 2, y}]
    if (shows !== 'line') marks.push(Plot.dot(dots, {x: 'x', y: 'y', r: 3.6, ...DOTS}))
    marks.push(
      Plot.text([text], {x: x + sample + 6, y, textAnchor: 'start', fontSize: textSize.body, fill: palette.ink})
    )
    x += needed + GAP
  }
  const height = entries.length === 0 ? 0 : LINE_HEIGHT * (line + 1) + 8
  const inPixels = {type: 'identity', axis: null} as const
  return plotPart({margin: 0, x: inPixels, y: inPixels, width, height: Math.max(1, height), marks})
}

export function lineLook({colour, dash}: SeriesStyle) {
  return {stroke: colour, strokeWidth: 1.6, strokeDasharray: dash || 'none'} as const
}

/** Points in the symbol and colour of the style that is part of their data. */
export const DOTS = {
  symbol: 'symbol',
  stroke: 'colour',
  strokeWidth: 1.4,
  fill: ({isHollow, colour}: SeriesStyle) => (isHollow ? palette.paper : colour)
} as const

/** Pixels from a number of an axis to the next, at least about two thirds of this. */
export function tickSpacing({percent}: ChartAxis): number {
  return percent ? 50 : 60
}

/** At most four significant digits below 1000, and commas between thousands. */
export function numberText(value: number): string {
  return withMinus(Math.abs(value) >= 999.95 ? grouped(Math.round(value)) : String(Number(value.toPrecision(4))))
}

/** With a true minus sign, as wide as a digit. */
function withMinus(text: string): string {
  return text.replace('-', '\u2212')
}

/** With one decimal, so that decimal points align: "12.0%", "3.4%"; two for very small shares: "0.05%". */
export function shareText(share: number): string {
  return `${(100 * share).toFixed(share !== 0 && Math.abs(share) < 0.001 ? 2 : 1)}%`
}

/** At most three significant digits: "12%", "3.4%", "0.05%". */
export function percentText(share: number): string {
  return `${Number((100 * share).toPrecision(3))}%`
}
