import * as Plot from '@observablehq/plot'
import {palette, type SeriesStyle} from './palette.ts'

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
