import {unreachable} from '../../base/checks/index.ts'
import {type Chart, checkChart, type LinesChart, type ReliabilityChart} from './chart.ts'
import {drawBars} from './draw-bars.ts'
import {drawIntervals, drawWeights} from './draw-concepts.ts'
import {drawLines} from './draw-lines.ts'
import {fontFamily, palette, textSize} from './palette.ts'
import type {DrawingDocument, PicturePart} from './plot-part.ts'
import {escapeXml, rounded} from './svg-markup.ts'
import {wrapText} from './text-size.ts'

/**
 * A chart as self-contained SVG: no style, font or script from elsewhere, and a title and a description for screen
 * readers. Observable Plot draws with `document`; the same chart gives the same text in Node and in browsers, except on
 * low-resolution screens, where Plot moves marks by half a pixel.
 */
export function drawChart(chart: Chart, document: DrawingDocument): string {
  checkChart(chart)
  return svgFrame(chart, parts(chart, document))
}

function parts(chart: Chart, document: DrawingDocument): PicturePart[] {
  switch (chart.kind) {
    case 'lines':
      return drawLines(chart, document)
    case 'reliability':
      return drawLines(reliabilityLines(chart), document, true)
    case 'bars':
      return drawBars(chart, document)
    case 'weights':
      return drawWeights(chart, document)
    case 'intervals':
      return drawIntervals(chart, document)
    default:
      return unreachable(chart)
  }
}

const WHOLE = [0, 0.2, 0.4, 0.6, 0.8, 1]

function reliabilityLines({title, description, series}: ReliabilityChart): LinesChart {
  return {
    kind: 'lines',
    title,
    description,
    x: {label: 'predicted probability', percent: true, ticks: WHOLE},
    y: {label: 'share that is true', percent: true, ticks: WHOLE},
    panels: [{title: '', series}]
  }
}

const MARGIN = 16
const TITLE_LINE = 21

/** A self-contained picture: the title and, below it, the `parts` from the top down. */
function svgFrame({title, description}: Chart, parts: readonly PicturePart[]): string {
  const inner = Math.max(300, ...parts.map(part => part.width))
  const lines = wrapText(title, inner, textSize.title)
  let top = MARGIN + TITLE_LINE * lines.length + 6
  const placed = parts.map(({markup, height}) => {
    const piece = `<g transform="translate(${MARGIN},${rounded(top)})">\n${markup}</g>\n`
    top += height
    return piece
  })
  const size = `${rounded(inner + 2 * MARGIN)} ${rounded(top + MARGIN)}`
  const [width, height] = size.split(' ')
  const heading = lines.map(
    (line, at) => `<text x="${MARGIN}" y="${MARGIN + 14 + TITLE_LINE * at}">${escapeXml(line)}</text>\n`
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
