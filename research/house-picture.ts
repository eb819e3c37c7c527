/** Draws docs/figures/house.svg, the wings and rooms, from the table in docs/ARCHITECTURE.md: `npx tsx research/house-picture.ts`. */
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {root} from '../lint/read-sources.ts'
import {wrapText} from '../src/use/report/text-size.ts'

const WINGS: Readonly<Record<string, string>> = {
  base: 'mathematics',
  read: 'from files to counts',
  learn: 'from counts to a model: the paper',
  use: 'applying a model',
  app: 'programs'
}
const [WIDTH, GAP, ROW, TOP, PAD, INSET] = [164, 16, 60, 84, 8, 9]

interface Room {
  readonly name: string
  readonly holds: string
}

/** The rooms of each wing, in the order of the table. */
export function roomsByWing(page: string): Map<string, Room[]> {
  const wings = new Map<string, Room[]>()
  for (const line of page.split('\n')) {
    const [, room = '', , holds = ''] = line.split('|').map(cell => cell.trim())
    const [wing, name] = room.split('/')
    if (!Object.hasOwn(WINGS, wing) || name === undefined) continue
    const list = wings.get(wing) ?? []
    wings.set(wing, [...list, {name, holds: holds.replaceAll('`', '')}])
  }
  return wings
}

export function housePicture(page: string): string {
  const wings = [...roomsByWing(page)]
  const rows = Math.max(...wings.map(([, rooms]) => rooms.length))
  const [width, height] = [wings.length * (WIDTH + GAP) - GAP + 2 * PAD, TOP + rows * ROW + PAD]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Five wings and their rooms" font-family="system-ui, sans-serif">
<style>text{fill:#1c2126}.wing{font-size:20px;font-weight:650}.note,.holds{font-size:11.5px;fill:#55606b}.room{font-size:13.5px;font-weight:600}
@media screen and (prefers-color-scheme:dark){text{fill:#e4e7ea}.note,.holds{fill:#a9b3bc}rect{fill:#23282d;stroke:#4c555d}.paper,.file{fill:#15181b}path{stroke:#7fc0ee}}</style>
<rect class="paper" width="${width}" height="${height}" fill="#ffffff"/>
${wings.map(([wing, rooms], at) => drawWing(wing, rooms, PAD + at * (WIDTH + GAP), at < wings.length - 1)).join('\n')}
</svg>
`
}

function drawWing(wing: string, rooms: readonly Room[], x: number, hasNext: boolean): string {
  const boxes = rooms.map(({name, holds}, row) => {
    const y = TOP + row * ROW
    const look = name.endsWith('.ts') ? 'class="file" fill="#ffffff"' : 'fill="#f6f7f8"'
    const lines = inBox(holds).map(
      (line, at) => `<text class="holds" x="${x + INSET}" y="${y + 32 + 14 * at}">${escaped(line)}</text>`
    )
    return `<rect x="${x}" y="${y}" width="${WIDTH}" height="${ROW - 6}" rx="5" ${look} stroke="#d9dde1"/>
<text class="room" x="${x + INSET}" y="${y + 16}">${escaped(name)}</text>${lines.join('')}`
  })
  const arrow = hasNext
    ? `<path d="M${x + WIDTH + 3} ${TOP - 53}h${GAP - 9}m-5 -4l5 4l-5 4" fill="none" stroke="#0a5c8f" stroke-width="1.8"/>`
    : ''
  const notes = inBox(WINGS[wing]).map(
    (line, at) => `<text class="note" x="${x}" y="${TOP - 28 + 14 * at}">${line}</text>`
  )
  return `<text class="wing" x="${x}" y="${TOP - 46}">${wing}</text>${notes.join('')}${arrow}
${boxes.join('\n')}`
}

/** In at most two lines, which is what a box holds. */
function inBox(text: string): string[] {
  const lines = wrapText(text, WIDTH - 2 * INSET, 11.5)
  if (lines.length > 2) throw new Error(`"${text}" is too long for its box; shorten it`)
  return lines
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

if (process.argv[1]?.endsWith('house-picture.ts')) {
  const page = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8')
  writeFileSync(join(root, 'docs/figures/house.svg'), housePicture(page))
}
