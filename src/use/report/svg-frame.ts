import {fontFamily, palette, textSize} from './palette.ts'
import {escapeXml, rounded} from './svg-markup.ts'
import {wrapText} from './text-size.ts'

const MARGIN = 16
const TITLE_LINE = 21

export interface FrameText {
  readonly title: string
  readonly description: string
}

/**
 * A picture that stands by itself: a title, and below it what `parts` hold. `parts` are pieces of SVG and how far their
 * contents reach; they are laid out from the top down.
 */
export function svgFrame(
  {title, description}: FrameText,
  parts: readonly {readonly markup: string; readonly width: number; readonly height: number}[]
): string {
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
