import {escapeXml} from './svg-markup.ts'

/** Graphviz, as `instance()` of `@viz-js/viz` gives it. */
export interface Graphviz {
  renderString(dot: string, options: {format: string}): string
}

/** A concept: the lines of its name and of what is below, and its size in pixels, which are points of Graphviz. */
export interface Box {
  readonly name: readonly string[]
  readonly notes: readonly string[]
  readonly width: number
  readonly height: number
}

export interface Line {
  readonly from: number
  readonly to: number
  /** Shapes of Graphviz. */
  readonly head: string
  readonly tail: string
  readonly title: string
  readonly class: string
  readonly look: {readonly colour: string; readonly style: string; readonly width: number}
}

/** The centres of the boxes of a picture, by the number of the concept. */
export type NetworkPlaces = ReadonlyMap<number, readonly [x: number, y: number]>

/** Pixels: the width of a page of text without its margins, to which networks are laid out. */
const PAGE = 884
const GAP = 8
const TALLEST = 1400

/** In layers from top to bottom or from left to right, where arrows lead from layer to layer. */
const LAYERS = ['TB', 'LR'].map(direction => `layout=dot, rankdir=${direction}, ranksep=0.35, nodesep=0.12, pack=20`)
/** By forces, where no end of an edge comes first. The same seed gives the same places. */
const FREE = 'layout=neato, mode=major, start=7, overlap=vpsc, sep="+14,12", pack=20'

/**
 * Places boxes: those that lines join first, in `inLayers` if that fits a page and by forces otherwise, and those without a
 * line in rows below.
 */
export function placeBoxes(
  boxes: ReadonlyMap<number, Box>,
  lines: readonly Line[],
  inLayers: boolean,
  viz: Graphviz
): NetworkPlaces {
  const joined = new Set(lines.flatMap(({from, to}) => [from, to]))
  const places = new Map<number, readonly [number, number]>()
  let bottom = 0
  if (joined.size > 0) {
    const parts = [
      ...[...boxes].filter(([i]) => joined.has(i)).map(([i, box]) => boxText(i, box)),
      ...lines.map(({from, to}) => `${from} -> ${to}\n`)
    ]
    const layouts = (inLayers ? [...LAYERS, FREE] : [FREE]).map(way => layoutOf(way, parts, viz))
    const layout = layouts.find(({width, height}) => width <= PAGE && height <= TALLEST) ?? layouts[layouts.length - 1]
    for (const {name, pos} of layout.objects) {
      const [x, y] = pos.split(',').map(Number)
      places.set(Number(name), [x, layout.height - y])
    }
    bottom = layout.height + 4 * GAP
  }
  let [x, rowHeight] = [0, 0]
  for (const [i, {width, height}] of boxes) {
    if (joined.has(i)) continue
    if (x > 0 && x + width > PAGE) {
      bottom += rowHeight + GAP
      x = 0
      rowHeight = 0
    }
    places.set(i, [x + width / 2, bottom + height / 2])
    x += width + GAP
    rowHeight = Math.max(rowHeight, height)
  }
  return places
}

interface Layout {
  readonly width: number
  readonly height: number
  readonly objects: readonly {readonly name: string; readonly pos: string}[]
}

function layoutOf(way: string, parts: readonly string[], viz: Graphviz): Layout {
  const dot = `digraph {\ngraph [${way}]\nnode [shape=box, fixedsize=true, label=""]\nedge [dir=none]\n${parts.join('')}}`
  const {bb, objects} = JSON.parse(viz.renderString(dot, {format: 'json0'}))
  const [, , width, height] = String(bb).split(',').map(Number)
  return {width, height, objects}
}

/** Boxes in their places and the lines between them, around other boxes, as elements of SVG: box i is `node{i}`, line k is `edge{k}`. */
export function graphSvg(
  boxes: ReadonlyMap<number, Box>,
  places: NetworkPlaces,
  lines: readonly Line[],
  viz: Graphviz
): {
  readonly marks: string
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
} {
  const nodes = [...boxes].map(([i, box]) => {
    const [x, y] = places.get(i) ?? [0, 0]
    // Graphviz interprets backslashes, quotes and entities.
    const label = [...box.name, ...box.notes].map(line => escapeXml(line).replaceAll('\\', '\\\\')).join('\\n')
    return boxText(i, box, `id=node${i}, pos="${x.toFixed(2)},${(-y).toFixed(2)}", label="${label}"`)
  })
  const edges = lines.map(({from, to, head, tail, class: sign, look: {colour, style, width}}, k) => {
    const ends = `arrowhead=${head}, arrowtail=${tail}`
    return `${from} -> ${to} [id=edge${k}, class=${sign}, color="${colour}", style=${style}, penwidth=${width}, ${ends}]\n`
  })
  const svg = viz.renderString(
    `digraph {
graph [layout=nop2, splines=true, outputorder=edgesfirst, bgcolor=transparent, pad=0.11]
node [shape=box, fixedsize=true, style="rounded,filled", fillcolor="#f6f8fa", color="#d0d7de", fontsize=13, fontname=Helvetica]
edge [dir=both, arrowsize=0.7]
${nodes.join('')}${edges.join('')}}`,
    {format: 'svg_inline'}
  )
  const [, width, height, x, y, marks] =
    /viewBox="\S+ \S+ (\S+) (\S+)".*?translate\((\S+) (\S+)\)">\n(.*)<\/g>\n<\/svg>/s.exec(svg) ?? []
  const bare = marks
    .replaceAll(/<!--.*?-->\n/g, '')
    .replaceAll(/ xml:space="preserve" text-anchor="middle"| font-family="[^"]*" font-size="13.00"/g, '')
  return {marks: bare, left: -x, top: -y, width: Number(width), height: Number(height)}
}

/** One unit is one pixel: a point of Graphviz, which takes sizes in inches. */
function boxText(i: number, {width, height}: Box, more = ''): string {
  return `${i} [width=${(width / 72).toFixed(4)}, height=${(height / 72).toFixed(4)}, ${more}]\n`
}
