import {type Chart, checkChart} from './chart.ts'
import {drawBars} from './draw-bars.ts'
import {diagonalStyle, drawLines} from './draw-lines.ts'
import {fontFamily, palette, stylesByName, textSize} from './palette.ts'
import {drawLegend, type LegendEntry, type PicturePart} from './plot-part.ts'
import {escapeXml, rounded} from './svg-markup.ts'
import {wrapText} from './text-size.ts'

/** As wide as text in a report or on a page of paper. */
const FULL_WIDTH = 930
const MARGIN = 16
/** On phones every pixel counts. */
const NARROW_MARGIN = 2
const TITLE_LINE = 21

/**
 * A chart as self-contained SVG: no style, font or script from elsewhere, and a title and a description for screen
 * readers. Drawn by Observable Plot; the same chart gives the same text in Node and in browsers, except on
 * low-resolution screens, where Plot moves marks by half a pixel. It fits into `width` pixels, by default those of a page.
 */
export function drawChart(chart: Chart, width = FULL_WIDTH + 2 * MARGIN): string {
  checkChart(chart)
  const margin = width < FULL_WIDTH ? NARROW_MARGIN : MARGIN
  return svgFrame(chart, parts(chart, width - 2 * margin), margin)
}

/** The legend, and the panels below it in at most `room` pixels: side by side on a page, one below the other on a phone. */
function parts(chart: Chart, room: number): PicturePart[] {
  const count = chart.panels.length
  const columns = count <= 1 || room < FULL_WIDTH ? 1 : count === 2 || count === 4 ? 2 : 3
  const alone = chart.kind === 'bars' ? 680 : chart.diagonal ? 400 : 620
  const width = Math.min(alone, room / columns)
  const names =
    chart.kind === 'bars'
      ? chart.panels.flatMap(({bars}) => bars.map(({group}) => group))
      : chart.panels.flatMap(({series}) => series.map(({name}) => name))
  const styles = stylesByName(names)
  const shows = chart.kind === 'bars' ? 'symbol' : 'both'
  const entries = [...styles].map(([name, style]): LegendEntry => ({name, style, shows}))
  if (chart.kind === 'lines' && chart.diagonal)
    entries.push({name: chart.diagonal, style: diagonalStyle, shows: 'line'})
  const body =
    chart.kind === 'bars' ? drawBars(chart, styles, columns, width) : drawLines(chart, styles, columns, width)
  return [drawLegend(entries, columns * width), body]
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
  const size = `${rounded(inner + 2 * margin)} ${rounded(top + margin)}`
  const [width, height] = size.split(' ')
  const heading = lines.map(
    (line, at) => `<text x="${margin}" y="${margin + 14 + TITLE_LINE * at}">${escapeXml(line)}</text>\n`
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${size}" role="img" aria-label="${escapeXml(title)}" font-family="${fontFamily}" font-size="${textSize.small}" fill="${palette.ink}">
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
