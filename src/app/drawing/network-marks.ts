import {edgeLook, type NetworkEdge} from '../../base/network/index.ts'
import {edgeInWords, type PlacedEdge} from '../../use/facts/index.ts'
import type {Curve, Point, Size} from './layout-network.ts'
import {fontFamily, palette} from './palette.ts'
import {escapeXml} from './svg-markup.ts'
import {fitText, textWidth, wrapText} from './text-size.ts'

/** A concept as drawn: its name in lines, and smaller lines below. */
export interface Box extends Size {
  readonly name: readonly string[]
  readonly note: readonly string[]
}

/** Pixels. */
const NAME_SIZE = 13
const NOTE_SIZE = 11
const [NAME_LINE, NOTE_LINE] = [16, 14]
const [SIDE, ABOVE] = [10, 5]

/** Names are broken at this width, unless a piece needs more, and cut after so many lines. */
const [NAME_WIDTH, WIDEST] = [130, 190]
const NAME_LINES = 4

/** The boxes of all concepts. */
export function boxesOf(names: readonly string[], notes: readonly string[]): Box[] {
  const lines = distinct(names.map(brokenName))
  return names.map((_, i): Box => {
    const note = notes[i] === '' ? [] : wrapText(notes[i], NAME_WIDTH, NOTE_SIZE)
    const widest = Math.max(
      ...lines[i].map(line => textWidth(line, NAME_SIZE)),
      ...note.map(line => textWidth(line, NOTE_SIZE))
    )
    const height = lines[i].length * NAME_LINE + note.length * NOTE_LINE + 2 * ABOVE
    return {name: lines[i], note, width: Math.ceil(widest) + 2 * SIDE, height}
  })
}

/** In lines, broken at blanks and after hyphens, slashes and underscores. */
function brokenName(name: string): string[] {
  const pieces = name.split(/\s+|(?<=\S[-/_])(?=[^\s\d])/)
  const widest = Math.max(...pieces.map(piece => textWidth(piece, NAME_SIZE)))
  const room = Math.min(Math.max(NAME_WIDTH, widest), WIDEST)
  if (textWidth(name, NAME_SIZE) <= room) return [name]
  const lines = wrapText(name, room, NAME_SIZE)
  const kept = lines.slice(0, NAME_LINES - 1)
  return lines.length <= NAME_LINES ? lines : [...kept, fitText(lines.slice(kept.length).join(' '), room, NAME_SIZE)]
}

/** Names that coincide once they are cut get their numbers. */
function distinct(names: readonly (readonly string[])[]): (readonly string[])[] {
  const uses = new Map<string, number>()
  for (const lines of names) uses.set(lines.join(' '), (uses.get(lines.join(' ')) ?? 0) + 1)
  return names.map((lines, i) =>
    uses.get(lines.join(' ')) === 1 ? lines : [...lines.slice(0, -1), `${lines[lines.length - 1]} (${i + 1})`]
  )
}

export function drawBox({name, note, width, height}: Box, [x, y]: Point): string {
  const [left, top, right, bottom, r] = [x - width / 2, y - height / 2, x + width / 2, y + height / 2, 6]
  const corner = (from: Point, over: Point, to: Point) => `${at(from)}Q${at(over)} ${at(to)}`
  const outline = [
    corner([right - r, top], [right, top], [right, top + r]),
    corner([right, bottom - r], [right, bottom], [right - r, bottom]),
    corner([left + r, bottom], [left, bottom], [left, bottom - r]),
    corner([left, top + r], [left, top], [left + r, top])
  ]
  // Baselines: about four fifths of a line.
  const first = top + ABOVE + 0.8 * NAME_LINE
  const second = top + ABOVE + name.length * NAME_LINE + 0.78 * NOTE_LINE
  const lines = [
    ...name.map((line, k) => `<text x="${n(x)}" y="${n(first + k * NAME_LINE)}">${escapeXml(line)}</text>\n`),
    ...note.map(
      (line, k) =>
        `<text x="${n(x)}" y="${n(second + k * NOTE_LINE)}" class="soft" font-size="${NOTE_SIZE}" fill="${palette.quietInk}">${escapeXml(line)}</text>\n`
    )
  ]
  return `<path fill="${BOX.fill}" stroke="${BOX.stroke}" d="M${outline.join('L')}Z"/>\n${lines.join('')}`
}

const BOX = {fill: '#f6f8fa', stroke: '#d0d7de'} as const
const DASHES: Readonly<Record<string, string>> = {
  solid: '',
  dashed: ' stroke-dasharray="5 3"',
  dotted: ' stroke-dasharray="1.5 3"'
}

/** A required one has a diamond at its middle. */
export function drawEdge(edge: PlacedEdge, {points, tip}: Curve, id: string): string {
  const {from, to} = edge
  const {colour, style, width} = edgeLook(edge)
  const end = points[points.length - 1]
  const head = tip === undefined ? '' : `<polygon class="${edge.sign}" fill="${colour}" points="${arrow(end, tip)}"/>\n`
  return `<g id="${id}-edge-${from}-${to}" class="edge" data-parent="${from}" data-child="${to}">
<title>${escapeXml(edgeInWords(edge))}${edge.isRequired ? '; this link is required' : ''}</title>
<path class="${edge.sign}" fill="none" stroke="${colour}" stroke-width="${width}"${DASHES[style]} d="${curvePath(points)}"/>
${head}${edge.isRequired ? diamond(middleOf(points), edge.sign, colour) : ''}</g>
`
}

/** A link that must not be: a thin dotted line with a cross at its middle. */
export function drawForbidden(
  names: readonly string[],
  [from, to]: readonly [number, number],
  {points}: Curve,
  id: string
): string {
  const words = `${names[from]} and ${names[to]}: this link is forbidden`
  return `<g id="${id}-edge-${from}-${to}" class="edge" data-parent="${from}" data-child="${to}">
<title>${escapeXml(words)}</title>
<path class="forbidden" fill="none" stroke="${palette.quietInk}"${DASHES.dotted} d="${curvePath(points)}"/>
${cross(middleOf(points))}</g>
`
}

function curvePath([first, ...rest]: readonly Point[]): string {
  return `M${at(first)}C${rest.map(at).join(' ')}`
}

/** Of cubic Bézier curves, one after the other. */
function middleOf(points: readonly Point[]): Point {
  const count = (points.length - 1) / 3
  const from = 3 * Math.floor((count - 1) / 2)
  if (count % 2 === 0) return points[from + 3]
  const [a, b, c, d] = points.slice(from, from + 4)
  const middle = (k: 0 | 1) => (a[k] + 3 * b[k] + 3 * c[k] + d[k]) / 8
  return [middle(0), middle(1)]
}

const MARK = 5

function diamond([x, y]: Point, sign: NetworkEdge['sign'], colour: string): string {
  const corners: readonly Point[] = [
    [x, y - MARK],
    [x + MARK, y],
    [x, y + MARK],
    [x - MARK, y]
  ]
  return `<polygon class="${sign}" fill="${colour}" points="${corners.map(at).join(' ')}"/>\n`
}

function cross([x, y]: Point): string {
  const [left, top, side] = [x - MARK + 1, y - MARK + 1, 2 * MARK - 2]
  return `<path class="forbidden" fill="none" stroke="${palette.quietInk}" stroke-width="2" d="M${at([left, top])}l${side},${side}m0,${-side}l${-side},${side}"/>\n`
}

function arrow([x, y]: Point, tip: Point): string {
  const [dx, dy] = [(tip[0] - x) / 2, (tip[1] - y) / 2]
  return [tip, [x - dy, y + dx] as const, [x + dy, y - dx] as const].map(at).join(' ')
}

function at([x, y]: Point): string {
  return `${n(x)},${n(y)}`
}

function n(value: number): string {
  return String(Number(value.toFixed(1)) + 0)
}

export function softText(text: string, x: number, y: number): string {
  return `<text class="soft" text-anchor="start" x="${n(x)}" y="${n(y)}" font-size="${NOTE_SIZE}" fill="${palette.quietInk}">${escapeXml(text)}</text>\n`
}

const MEANINGS = [
  {sign: 'positive', words: 'likelier together'},
  {sign: 'negative', words: 'rarer together'}
] as const
const [SAMPLE, LEGEND_GAP] = [26, 18]
const STRONGER = 'wider line: stronger'

/** What the lines mean, which rules there are, and a note, from the left margin on. */
export function legend(
  margin: number,
  y: number,
  note: string,
  rules: {readonly isRequired: boolean; readonly isForbidden: boolean}
): {readonly width: number; readonly markup: string} {
  let x = margin
  const sample = (words: string, marks: (x: number, y: number) => string) => {
    const markup = marks(x, y - 4) + softText(words, x + SAMPLE + 6, y)
    x += SAMPLE + 6 + textWidth(words, NOTE_SIZE) + LEGEND_GAP
    return markup
  }
  const line = (kind: string, look: string) => (left: number, middle: number) =>
    `<path class="${kind}" fill="none" ${look} d="M${n(left)},${n(middle)}h${SAMPLE}"/>\n`
  const parts = MEANINGS.map(({sign, words}) => {
    const {colour, style} = edgeLook({sign, strength: 0})
    return sample(words, line(sign, `stroke="${colour}" stroke-width="2"${DASHES[style]}`))
  })
  const {colour} = edgeLook({sign: 'positive', strength: 0})
  if (rules.isRequired)
    parts.push(sample('required', (left, middle) => diamond([left + SAMPLE / 2, middle], 'positive', colour)))
  const dotted = line('forbidden', `stroke="${palette.quietInk}"${DASHES.dotted}`)
  if (rules.isForbidden)
    parts.push(sample('forbidden', (left, middle) => dotted(left, middle) + cross([left + SAMPLE / 2, middle])))
  const last = note === '' ? STRONGER : `${STRONGER}; ${note}`
  return {width: x + textWidth(last, NOTE_SIZE), markup: parts.join('') + softText(last, x, y)}
}

/** Colours on a dark ground, of a picture that is a file of its own: pages decide about the pictures that are part of them. */
const DARK = `@media screen and (prefers-color-scheme: dark) {
svg:root .paper { fill: #15181b; }
svg:root text { fill: #e4e7ea; }
svg:root text.soft { fill: #a9b3bc; }
svg:root .node path { fill: #23282d; stroke: #4c555d; }
svg:root path.positive { stroke: #4fbf7a; } svg:root polygon.positive { fill: #4fbf7a; }
svg:root path.negative { stroke: #f2917a; } svg:root polygon.negative { fill: #f2917a; }
svg:root path.forbidden { stroke: #a9b3bc; }
svg:root path.none { stroke: #98a2ab; } svg:root polygon.none { fill: #98a2ab; }
}`

/** A picture: its upper left corner and size, and what it says of itself. */
export interface Frame extends Size {
  readonly left: number
  readonly top: number
  readonly title: string
  readonly description: string
  readonly isInteractive: boolean
}

export function framed(marks: string, {title, description, isInteractive, ...frame}: Frame): string {
  const [width, height] = [Math.ceil(frame.width), Math.ceil(frame.height)]
  const [left, top] = [n(frame.left), n(frame.top)]
  const role = isInteractive ? 'group' : 'img'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}" role="${role}" aria-label="${escapeXml(title)}" font-family="${fontFamily}" font-size="${NAME_SIZE}" text-anchor="middle" fill="${palette.ink}">
<title>${escapeXml(title)}</title>
<desc>${escapeXml(description)}</desc>
<style>${DARK}</style>
<rect class="paper" x="${left}" y="${top}" width="${width}" height="${height}" fill="${palette.paper}"/>
${marks}</svg>
`
}
