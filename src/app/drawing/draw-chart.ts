import * as Plot from '@observablehq/plot'
import {grouped} from '../../base/text/index.ts'
import {type BarsChart, type Chart, type ChartAxis, checkChart, type LinesChart} from './chart.ts'
import {fontFamily, palette, type SeriesStyle, stylesByName, textSize} from './palette.ts'
import {DrawingDocument, escapeXml, rounded} from './svg-markup.ts'
import {fitText, textWidth, wrapText} from './text-size.ts'

/** As wide as text in a report or on a page of paper. */
const FULL_WIDTH = 930
const MARGIN = 16
/** On phones every pixel counts. */
const NARROW_MARGIN = 2
const TITLE_LINE = 21

/** A piece of a picture and its size. */
interface PicturePart {
  readonly markup: string
  readonly width: number
  readonly height: number
}

/** Panels in columns, each of them so wide. */
interface Grid {
  readonly columns: number
  readonly width: number
}

/**
 * A chart as self-contained SVG: no style, font or script from elsewhere, and a title and a description for screen
 * readers. Drawn by Observable Plot; the same chart gives the same text in Node and in browsers, except on
 * low-resolution screens, where Plot moves marks by half a pixel. It fits into `width` pixels, by default those of a page:
 * panels are side by side on a page, one below the other on a phone.
 */
export function drawChart(chart: Chart, width = FULL_WIDTH + 2 * MARGIN): string {
  checkChart(chart)
  const margin = width < FULL_WIDTH ? NARROW_MARGIN : MARGIN
  const room = width - 2 * margin
  const count = chart.panels.length
  const columns = count <= 1 || room < FULL_WIDTH ? 1 : count === 2 || count === 4 ? 2 : 3
  const alone = chart.kind === 'bars' ? 680 : chart.diagonal ? 400 : 620
  const grid = {columns, width: Math.min(alone, room / columns)}
  const names =
    chart.kind === 'bars'
      ? chart.panels.flatMap(({bars}) => bars.map(({group}) => group))
      : chart.panels.flatMap(({series}) => series.map(({name}) => name))
  const styles = stylesByName(names)
  const body = chart.kind === 'bars' ? drawBars(chart, styles, grid) : drawLines(chart, styles, grid)
  const entries = [...styles].map(([name, style]) => ({name, style, isLine: chart.kind === 'lines', isDot: true}))
  if (chart.kind === 'lines' && chart.diagonal)
    entries.push({name: chart.diagonal, style: diagonalStyle, isLine: true, isDot: false})
  return svgFrame(chart, [drawLegend(entries, columns * grid.width), body], margin)
}

/** A self-contained picture: the title and, below it, the `parts` from the top down. */
function svgFrame({title, description}: Chart, parts: readonly PicturePart[], margin: number): string {
  const inner = Math.max(margin === MARGIN ? 300 : 0, ...parts.map(part => part.width))
  // Bold, and in most fonts wider than measured.
  const lines = wrapText(title, 0.85 * inner, textSize.title)
  let top = margin + TITLE_LINE * lines.length + 6
  const placed = parts.map(({markup, height}) => {
    const piece = `<g transform="translate(${margin},${rounded(top)})">\n${markup}</g>\n`
    top += height
    return piece
  })
  const [width, height] = [rounded(inner + 2 * margin), rounded(top + margin)]
  const heading = lines.map(
    (line, at) => `<text x="${margin}" y="${margin + 14 + TITLE_LINE * at}">${escapeXml(line)}</text>\n`
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}" font-family="${fontFamily}" font-size="${textSize.small}" fill="${palette.ink}">
<title>${escapeXml(title)}</title>
<desc>${escapeXml(description)}</desc>
<rect width="${width}" height="${height}" fill="${palette.paper}"/>
<g font-size="${textSize.title}" font-weight="bold">
${heading.join('')}</g>
<g text-anchor="middle">
${placed.join('')}</g>
</svg>
`
}

/** One plot of Observable Plot as a piece of SVG, its size as asked for. */
function plotPart(options: Plot.PlotOptions & Pick<PicturePart, 'width' | 'height'>): PicturePart {
  // Plot asks for a whole document and uses the few calls that this one has.
  const document = new DrawingDocument() as unknown as NonNullable<Plot.PlotOptions['document']>
  const drawn = Plot.plot({...options, document, className: 'adfa'})
  return {markup: drawn.innerHTML, width: options.width, height: options.height}
}

/** Marks are in the facet that their data name. */
const FACETS = {fx: 'fx', fy: 'fy'} as const

interface PanelOptions extends Omit<Plot.PlotOptions, 'grid'> {
  readonly grid: Grid
  /** The height of the plot inside a panel. */
  readonly height: number
  readonly marginLeft: number
  readonly marginRight: number
  /** The space above the plot, without that of a title. */
  readonly above: number
  readonly titles: readonly {readonly title: string; readonly isEmpty: boolean}[]
  /** Where titles begin, from the left of the plot. */
  readonly titleAt: number
}

/** All panels of a chart as facets of one plot, with a title above each, and "no values" in those without any. */
function plotPanels({grid, height, above, titles, titleAt, marks = [], ...options}: PanelOptions): PicturePart {
  const {columns, width} = grid
  const rows = Math.ceil(titles.length / columns)
  if (rows === 0) return {markup: '', width: 0, height: 0}
  const {marginLeft, marginRight} = options
  const [marginTop, marginBottom] = [titles.every(({title}) => title === '') ? above : above + 18, 46]
  const room = width - marginLeft - marginRight - titleAt - 4
  const texts = titles.map(({title, isEmpty}, at) => {
    return {...facetOf(at, grid), title: fitText(title, room, textSize.heading), isEmpty}
  })
  const facets = (length: number, between: number, whole: number) => {
    return {domain: [...Array(length).keys()], padding: length === 1 ? 0 : between / whole, round: false, axis: null}
  }
  const rowHeight = marginTop + height + marginBottom
  return plotPart({
    ...options,
    ...{marginTop, marginBottom, facet: {margin: 0}, width: columns * width, height: rows * rowHeight},
    fx: facets(columns, marginLeft + marginRight, width),
    fy: facets(rows, marginTop + marginBottom, rowHeight),
    marks: [
      ...marks,
      Plot.text(texts, {
        ...{...FACETS, text: 'title', fontSize: textSize.heading, fontWeight: 'bold'},
        ...{frameAnchor: 'top-left', lineAnchor: 'bottom', dy: -10, dx: titleAt}
      }),
      Plot.text(
        texts.filter(panel => panel.isEmpty),
        {...FACETS, text: () => 'no values', frameAnchor: 'middle', fill: palette.quietInk}
      )
    ]
  })
}

/** The column and row of a panel. */
function facetOf(panel: number, {columns}: Grid): {readonly fx: number; readonly fy: number} {
  return {fx: panel % columns, fy: Math.floor(panel / columns)}
}

/** Numbers below each panel, as Plot chooses them unless given, and a label below all. */
function bottomAxis(
  {label, percent}: ChartAxis,
  {width}: Grid,
  ticks: Pick<Plot.AxisXOptions, 'ticks' | 'tickSpacing'>
): Plot.Markish {
  return Plot.axisX({
    ...ticks,
    ...{tickFormat: percent ? percentText : numberText, tickSize: 4, facetAnchor: null},
    ...{label: fitText(label, width - 6, textSize.small), labelAnchor: 'right', labelArrow: 'none'},
    ...{stroke: palette.rule, fill: palette.ink, textStroke: 'none'}
  })
}

/** The heights of a row among a few bars, among many, and with single runs, which are drawn below the dot. */
const [ROW, LOW_ROW, ROW_WITH_MARKS] = [22, 17, 27]
const MANY_BARS = 40
/** The width of the numbers at the right. */
const NUMBER_WIDTH = 62

/** One row per name: a dot, its interval, and its value as a number; groups by symbol and colour. Shares begin at 0. */
function drawBars({panels, x}: BarsChart, styles: ReadonlyMap<string, SeriesStyle>, grid: Grid): PicturePart {
  const all = panels.flatMap(({bars}) => bars)
  const hasMarks = all.some(({marks = []}) => marks.length > 0)
  const row = hasMarks ? ROW_WITH_MARKS : all.length > MANY_BARS ? LOW_ROW : ROW
  const nameWidth = Math.max(40, ...all.map(({name}) => Math.min(0.42 * grid.width, textWidth(name, textSize.body))))
  const length = Math.max(1, ...panels.map(({bars}) => bars.length))
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
  const placed = {...FACETS, y: 'at'} as const
  const ticks = {tickSpacing: x.percent ? 50 : 60}
  return plotPanels({
    grid,
    height: row * length,
    above: 12,
    ...{marginLeft: 10 + nameWidth, marginRight: NUMBER_WIDTH},
    titles: panels.map(({title, bars}) => ({title, isEmpty: bars.length === 0})),
    titleAt: -6 - nameWidth,
    x: {type: x.log ? 'log' : 'linear', nice: 5, zero: x.percent ?? false},
    y: {type: 'point', domain: [...Array(length).keys()], axis: null, padding: 0.5},
    marks: [
      Plot.gridX({stroke: palette.grid, strokeOpacity: 1, facetAnchor: null, ...ticks}),
      bottomAxis(x, grid, ticks),
      Plot.ruleY(rows, {...placed, stroke: palette.grid, strokeDasharray: '1 3'}),
      Plot.text(rows, {
        ...{...placed, text: 'shown', title: 'whole', fontSize: textSize.body},
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
        ...{...placed, text: 'number', fontSize: textSize.body, fill: palette.quietInk},
        ...{frameAnchor: 'right', textAnchor: 'start', dx: 8}
      })
    ]
  })
}

/** How the line y = x looks. */
const diagonalStyle: SeriesStyle = {colour: palette.rule, symbol: 'circle', isHollow: false, dash: '3 3'}

/** Lines of means with intervals over faint single runs. Panels share their ranges. */
function drawLines(
  {panels, x, y, diagonal}: LinesChart,
  styles: ReadonlyMap<string, SeriesStyle>,
  grid: Grid
): PicturePart {
  const [marginLeft, marginRight] = [y.percent ? 44 : 58, 18]
  const inside = grid.width - marginLeft - marginRight
  const all = panels.flatMap(({series}, panel) => series.map(one => ({...one, facet: facetOf(panel, grid)})))
  const isCrowded = all.some(({points, marks = []}) => marks.length > 0 || points.some(({low}) => low !== undefined))
  const xs = [...new Set(all.flatMap(({points, marks = []}) => [...points, ...marks].map(point => point.x)))]
  // A few whole numbers, such as sizes, are marked themselves.
  const areTicks = xs.length > 0 && xs.length <= 12 && xs.every(Number.isInteger) && !diagonal
  const [xText, yText] = [x, y].map(({percent}) => (percent ? percentText : numberText))
  const scale = ({log}: ChartAxis, nice: number | false) =>
    diagonal ? {domain: [0, 1]} : {type: log ? ('log' as const) : ('linear' as const), nice: log ? false : nice}
  const placed = {...FACETS, x: 'x', y: 'y'} as const
  const insetX = diagonal ? 0 : 10
  const insetY = y.log ? 8 : 0
  return plotPanels({
    grid,
    height: diagonal ? inside : grid.columns === 1 ? 300 : 220,
    above: 28,
    ...{marginLeft, marginRight},
    titles: panels.map(({title, series}) => ({title, isEmpty: series.every(one => one.points.length === 0)})),
    titleAt: 0,
    x: scale(x, false),
    y: scale(y, 5),
    ...{insetLeft: insetX, insetRight: insetX, insetTop: insetY, insetBottom: insetY},
    marks: [
      Plot.gridY({stroke: palette.grid, strokeOpacity: 1, facetAnchor: null}),
      Plot.frame({anchor: 'bottom', stroke: palette.rule}),
      Plot.axisY({
        ...{tickFormat: yText, tickSize: 0, labelAnchor: 'top', labelArrow: 'none'},
        label: fitText(y.label, grid.width, textSize.small)
      }),
      bottomAxis(x, grid, areTicks ? {ticks: xs} : {tickSpacing: x.percent ? 50 : 60}),
      diagonal ? Plot.link([0], {x1: 0, y1: 0, x2: 1, y2: 1, ...lineLook(diagonalStyle)}) : null,
      [...styles].map(([name, style], k) => {
        const own = all.filter(series => series.name === name)
        const points = own.flatMap(({points, facet}) => points.map(point => ({...point, ...facet, ...style})))
        const runs = own.flatMap(({marks = [], facet}) => marks.map(mark => ({...mark, ...facet, ...style})))
        // Runs and intervals of several series at one x would hide each other: each series is shifted by some pixels.
        const dx = isCrowded ? 3 * (k - (styles.size - 1) / 2) : 0
        const title = (point: {x: number; y: number}) => `${name}: ${yText(point.y)} at ${xText(point.x)}`
        return [
          Plot.dot(runs, {...placed, ...DOTS, r: 2.4, strokeOpacity: 0.35, fillOpacity: 0.35, dx}),
          Plot.ruleX(
            points.filter(({low}) => low !== undefined),
            {...FACETS, x: 'x', y1: 'low', y2: 'high', stroke: style.colour, strokeWidth: 1.2, dx}
          ),
          Plot.line(points, {...placed, ...lineLook(style), sort: 'x', dx}),
          Plot.dot(points, {...placed, ...DOTS, r: 3.6, title, dx})
        ]
      })
    ]
  })
}

interface LegendEntry {
  readonly name: string
  readonly style: SeriesStyle
  readonly isLine: boolean
  readonly isDot: boolean
}

/** Pixels: a line of the legend, a sample of a line, and between two entries. */
const [LINE_HEIGHT, SAMPLE, GAP] = [20, 38, 22]

/** What each symbol and dash stands for, in as many lines as `width` requires. */
function drawLegend(entries: readonly LegendEntry[], width: number): PicturePart {
  let x = 0
  let line = 0
  const marks = entries.flatMap(({name, style, isLine, isDot}) => {
    const sample = isLine ? SAMPLE : 14
    const text = fitText(name, width - sample - 6, textSize.body)
    const needed = sample + 6 + textWidth(text, textSize.body)
    if (x > 0 && x + needed > width) {
      x = 0
      line++
    }
    const from = x
    const y = LINE_HEIGHT * (line + 0.5)
    x += needed + GAP
    return [
      isLine && Plot.ruleY([y], {x1: from, x2: from + sample, ...lineLook(style)}),
      isDot && Plot.dot([{...style, x: from + sample / 2, y}], {x: 'x', y: 'y', r: 3.6, ...DOTS}),
      Plot.text([text], {x: from + sample + 6, y, textAnchor: 'start', fontSize: textSize.body, fill: palette.ink})
    ].filter(mark => mark !== false)
  })
  const height = entries.length === 0 ? 0 : LINE_HEIGHT * (line + 1) + 8
  const inPixels = {type: 'identity', axis: null} as const
  return plotPart({margin: 0, x: inPixels, y: inPixels, width, height: Math.max(1, height), marks})
}

function lineLook({colour, dash}: SeriesStyle) {
  return {stroke: colour, strokeWidth: 1.6, strokeDasharray: dash || 'none'} as const
}

/** Points in the symbol and colour of the style that is part of their data. */
const DOTS = {
  symbol: 'symbol',
  stroke: 'colour',
  strokeWidth: 1.4,
  fill: ({isHollow, colour}: SeriesStyle) => (isHollow ? palette.paper : colour)
} as const

/** At most four significant digits below 1000, and commas between thousands; a true minus sign is as wide as a digit. */
function numberText(value: number): string {
  const text = Math.abs(value) >= 999.95 ? grouped(Math.round(value)) : String(Number(value.toPrecision(4)))
  return text.replace('-', '\u2212')
}

/** With one decimal, so that decimal points align: "12.0%", "3.4%"; two for very small shares: "0.05%". */
function shareText(share: number): string {
  return `${(100 * share).toFixed(share !== 0 && Math.abs(share) < 0.001 ? 2 : 1)}%`
}

/** At most three significant digits: "12%", "3.4%", "0.05%". */
function percentText(share: number): string {
  return `${Number((100 * share).toPrecision(3))}%`
}
