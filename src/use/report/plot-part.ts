import * as Plot from '@observablehq/plot'
import type {AxisTicks} from './axis-ticks.ts'
import {palette, textSize} from './palette.ts'
import {rounded, type SvgNode, svgMarkup} from './svg-markup.ts'

/** A DOM to draw with: the page's `document` in a browser, a stand-in elsewhere. */
export interface DrawingDocument {
  createElementNS(namespace: string, name: string): object
}

/** A piece of a picture and how much room it takes. */
export interface PicturePart {
  readonly markup: string
  readonly width: number
  readonly height: number
}

export interface PlotSize {
  readonly width: number
  readonly height: number
}

/** One plot of Observable Plot as a piece of SVG, its size as asked for. */
export function plotPart(document: DrawingDocument, options: Plot.PlotOptions & PlotSize): PicturePart {
  const drawn: SvgNode = Plot.plot({...options, document, className: 'adfa'})
  return {markup: svgMarkup(drawn), width: options.width, height: options.height}
}

/** The piece with its top left corner at `x` and `y`. */
export function placed({markup}: PicturePart, x: number, y: number): string {
  return `<g transform="translate(${rounded(x)},${rounded(y)})">${markup}</g>\n`
}

/** Scales for marks whose places are known in pixels. */
export const pixelScales: Plot.PlotOptions = {
  margin: 0,
  x: {type: 'identity', axis: null},
  y: {type: 'identity', axis: null}
}

/** The numbers below a plot. Plot leaves out numbers of a logarithmic axis on its own, but not those given as `text`. */
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

/** What the numbers below a plot count. */
export function bottomLabel(label: string): Plot.Markish {
  return Plot.text([label], {frameAnchor: 'bottom', dy: 36, fill: palette.ink, fontSize: textSize.small})
}
