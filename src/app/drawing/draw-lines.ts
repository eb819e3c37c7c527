import * as Plot from '@observablehq/plot'
import type {LinesChart} from './chart.ts'
import {palette, type SeriesStyle, textSize} from './palette.ts'
import {
  bottomAxis,
  DOTS,
  FACETS,
  facetOf,
  lineLook,
  numberText,
  type PanelGrid,
  type PicturePart,
  panelTexts,
  percentText,
  plotPanels,
  scaleOf,
  tickSpacing
} from './plot-part.ts'
import {fitText} from './text-size.ts'

/** How the line y = x looks. */
export const diagonalStyle: SeriesStyle = {colour: palette.rule, symbol: 'circle', isHollow: false, dash: '3 3'}

/** Lines of means with intervals over faint single runs. Panels share their ranges. */
export function drawLines(
  {panels, x, y, diagonal}: LinesChart,
  styles: ReadonlyMap<string, SeriesStyle>,
  columns: number,
  width: number
): PicturePart {
  const marginLeft = y.percent ? 44 : 58
  const marginRight = 18
  const inside = width - marginLeft - marginRight
  const grid: PanelGrid = {
    count: panels.length,
    columns,
    width: inside,
    height: diagonal ? inside : columns === 1 ? 300 : 220,
    marginLeft,
    marginRight,
    between: marginLeft + marginRight,
    marginTop: panels.every(({title}) => title === '') ? 28 : 46,
    marginBottom: 46
  }
  const points = panels.flatMap(({series}, panel) =>
    series.flatMap(({name, points}) => points.map(point => ({...point, ...facetOf(panel, grid), name})))
  )
  const runs = panels.flatMap(({series}, panel) =>
    series.flatMap(({name, marks = []}) => marks.map(mark => ({...mark, ...facetOf(panel, grid), name})))
  )
  const xs = [...points, ...runs].map(point => point.x)
  const different = [...new Set(xs)]
  // A few whole numbers, such as sizes, are marked themselves.
  const areTicks = different.length > 0 && different.length <= 12 && different.every(Number.isInteger)
  const ticks = areTicks && !diagonal ? {ticks: different} : {tickSpacing: tickSpacing(x)}
  const ys = [...points.flatMap(({y, low = y, high = y}) => [y, low, high]), ...runs.map(({y}) => y)]
  const [xText, yText] = [x, y].map(({percent}) => (percent ? percentText : numberText))
  const isCrowded = runs.length > 0 || points.some(({low}) => low !== undefined)
  const placed = {...FACETS, x: 'x', y: 'y'} as const
  return plotPanels(grid, {
    x: scaleOf(x, diagonal ? [0, 1] : xs, true),
    y: scaleOf(y, diagonal ? [0, 1] : ys),
    insetLeft: diagonal ? 0 : 10,
    insetRight: diagonal ? 0 : 10,
    insetTop: y.log ? 8 : 0,
    insetBottom: y.log ? 8 : 0,
    marks: [
      Plot.gridY({stroke: palette.grid, strokeOpacity: 1, facetAnchor: null}),
      Plot.frame({anchor: 'bottom', stroke: palette.rule}),
      Plot.axisY({
        tickFormat: yText,
        tickSize: 0,
        label: fitText(y.label, width, textSize.small),
        labelAnchor: 'top',
        labelArrow: 'none'
      }),
      bottomAxis(x, width, ticks),
      panelTexts(
        panels.map(({title, series}) => ({title, isEmpty: series.every(one => one.points.length === 0)})),
        grid,
        0
      ),
      diagonal ? Plot.link([0], {x1: 0, y1: 0, x2: 1, y2: 1, ...lineLook(diagonalStyle)}) : null,
      [...styles].map(([name, style], k) => {
        const own = points.filter(point => point.name === name).map(point => ({...point, ...style}))
        const marks = runs.filter(run => run.name === name).map(run => ({...run, ...style}))
        // Runs and intervals of several series at one x would hide each other: each series is shifted by some pixels.
        const dx = isCrowded ? 3 * (k - (styles.size - 1) / 2) : 0
        const title = (point: {x: number; y: number}) => `${name}: ${yText(point.y)} at ${xText(point.x)}`
        return [
          Plot.dot(marks, {...placed, ...DOTS, r: 2.4, strokeOpacity: 0.35, fillOpacity: 0.35, dx}),
          Plot.ruleX(
            own.filter(({low}) => low !== undefined),
            {...FACETS, x: 'x', y1: 'low', y2: 'high', stroke: style.colour, strokeWidth: 1.2, dx}
          ),
          Plot.line(own, {...placed, ...lineLook(style), sort: 'x', dx}),
          Plot.dot(own, {...placed, ...DOTS, r: 3.6, title, dx})
        ]
      })
    ]
  })
}
