import * as Plot from '@observablehq/plot'
import type {BarsChart} from './chart.ts'
import {palette, type SeriesStyle, textSize} from './palette.ts'
import {
  bottomAxis,
  DOTS,
  FACETS,
  facetOf,
  numberText,
  type PanelGrid,
  type PicturePart,
  panelTexts,
  percentText,
  plotPanels,
  scaleOf,
  shareText,
  tickSpacing
} from './plot-part.ts'
import {fitText, textWidth} from './text-size.ts'

/** Rows of a few bars, of many, and of those with single runs, which are drawn below the dot. */
const [ROW, LOW_ROW, ROW_WITH_MARKS] = [22, 17, 27]
const MANY_BARS = 40
/** Of the numbers at the right. */
const NUMBER_WIDTH = 62
const LONGEST_NAME = 240

/** One row per name: a dot, its interval, and its value as a number; groups by symbol and colour. Panels share one range. */
export function drawBars(
  {panels, x}: BarsChart,
  styles: ReadonlyMap<string, SeriesStyle>,
  columns: number,
  width: number
): PicturePart {
  const all = panels.flatMap(({bars}) => bars)
  const hasMarks = all.some(({marks = []}) => marks.length > 0)
  const row = hasMarks ? ROW_WITH_MARKS : all.length > MANY_BARS ? LOW_ROW : ROW
  // Panels with the same names show them once, at the left of the line.
  const lists = new Set(panels.map(({bars}) => JSON.stringify(bars.map(({name}) => name))))
  const areShared = columns > 1 && lists.size === 1
  const longest = areShared ? LONGEST_NAME : Math.min(LONGEST_NAME, 0.42 * width)
  const nameWidth = Math.max(40, ...all.map(({name}) => Math.min(longest, textWidth(name, textSize.body))))
  const marginLeft = 10 + nameWidth
  const names = areShared ? marginLeft / columns : marginLeft
  const length = Math.max(1, ...panels.map(({bars}) => bars.length))
  const grid: PanelGrid = {
    count: panels.length,
    columns,
    width: width - names - NUMBER_WIDTH,
    height: row * length,
    marginLeft,
    marginRight: NUMBER_WIDTH,
    between: NUMBER_WIDTH + (areShared ? 0 : marginLeft),
    marginTop: panels.every(({title}) => title === '') ? 12 : 30,
    marginBottom: 46
  }
  const text = x.percent ? percentText : numberText
  const rows = panels.flatMap(({bars}, panel) =>
    bars.map(({name, group, value, low, high, marks}, at) => {
      const interval = low === undefined || high === undefined ? '' : ` (${text(low)} to ${text(high)})`
      const shown = fitText(name, nameWidth, textSize.body)
      const title = `${name}: ${text(value)}${interval}`
      const number = (x.percent ? shareText : numberText)(value)
      const whole = shown === name ? '' : name
      return {...facetOf(panel, grid), ...styles.get(group), at, value, low, high, marks, shown, whole, title, number}
    })
  )
  const values = all.flatMap(({value, low = value, high = value, marks = []}) => [value, low, high, ...marks])
  // The axis starts at 0 unless all values are far from it.
  const isFromZero = Math.min(...values) >= 0 && Math.min(...values) < 0.5 * Math.max(...values)
  const placed = {...FACETS, y: 'at'} as const
  const ticks = {tickSpacing: tickSpacing(x)}
  return plotPanels(grid, {
    x: scaleOf(x, isFromZero ? [0, ...values] : values),
    y: {type: 'point', domain: [...Array(length).keys()], axis: null, padding: 0.5},
    marks: [
      Plot.gridX({stroke: palette.grid, strokeOpacity: 1, facetAnchor: null, ...ticks}),
      bottomAxis(x, width, ticks),
      panelTexts(
        panels.map(({title, bars}) => ({title, isEmpty: bars.length === 0})),
        grid,
        areShared ? 0 : 4 - marginLeft
      ),
      Plot.ruleY(rows, {...placed, stroke: palette.grid, strokeDasharray: '1 3'}),
      Plot.text(areShared ? rows.filter(({fx}) => fx === 0) : rows, {
        ...placed,
        ...{text: 'shown', title: 'whole', fontSize: textSize.body},
        ...{frameAnchor: 'left', textAnchor: 'end', dx: -8}
      }),
      Plot.dot(
        rows.flatMap(({marks = [], ...one}) => marks.map(mark => ({...one, mark}))),
        {...placed, x: 'mark', ...DOTS, r: 2.2, strokeOpacity: 0.4, fillOpacity: 0.4, dy: 8}
      ),
      Plot.link(
        rows.filter(({low}) => low !== undefined),
        {...FACETS, x1: 'low', x2: 'high', y1: 'at', y2: 'at', stroke: 'colour', strokeWidth: 1.6}
      ),
      Plot.dot(rows, {...placed, x: 'value', title: 'title', ...DOTS, r: 4}),
      Plot.text(rows, {
        ...placed,
        ...{text: 'number', fontSize: textSize.body, fill: palette.quietInk},
        ...{frameAnchor: 'right', textAnchor: 'start', dx: 8}
      })
    ]
  })
}
