/** Graphviz, as `instance()` of `@viz-js/viz` gives it. */
export interface Graphviz {
  renderString(dot: string, options: {format: string}): string
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface LayoutEdge {
  readonly from: number
  readonly to: number
  /** With an arrow head. */
  readonly isDirected: boolean
}

export type Point = readonly [x: number, y: number]

/** The centres of the boxes of a picture, by the number of the concept. */
export type NetworkPlaces = ReadonlyMap<number, Point>

export interface Curve {
  /** Of cubic Bézier curves, one after the other. */
  readonly points: readonly Point[]
  /** The point of the arrow head. */
  readonly tip: Point | undefined
}

/** Pixels: the width of a page of text without its margins, to which networks are laid out. */
const PAGE = 884
const GAP = 8
const TALLEST = 1400

/** In layers from top to bottom or from left to right, where arrows lead from layer to layer. */
const LAYERS = ['TB', 'LR'].map(direction => `layout=dot, rankdir=${direction}, ranksep=0.35, nodesep=0.12, pack=20`)
/** By forces, where no end of an edge comes first. The same seed gives the same places. */
const FREE = 'layout=neato, mode=major, start=7, overlap=vpsc, sep="+14,12", pack=20'

/**
 * Places boxes: those that edges join first, in `inLayers` if that fits a page and by forces otherwise, and those without an
 * edge in rows below.
 */
export function placeBoxes(
  sizes: ReadonlyMap<number, Size>,
  edges: readonly LayoutEdge[],
  inLayers: boolean,
  viz: Graphviz
): NetworkPlaces {
  const joined = new Set(edges.flatMap(({from, to}) => [from, to]))
  const isJoined = (i: number) => joined.has(i)
  const places = new Map<number, Point>()
  let bottom = 0
  if (joined.size > 0) {
    const boxes = [...sizes].filter(([i]) => isJoined(i)).map(([i, size]) => boxText(i, size))
    const layouts = (inLayers ? [...LAYERS, FREE] : [FREE]).map(way => drawnBy(way, boxes, edges, viz))
    const layout = layouts.find(({width, height}) => width <= PAGE && height <= TALLEST) ?? layouts[layouts.length - 1]
    for (const {name, pos} of layout.objects) places.set(Number(name), flipped(pointOf(pos), layout.height))
    bottom = layout.height + 4 * GAP
  }
  let [x, rowHeight] = [0, 0]
  for (const [i, {width, height}] of sizes) {
    if (isJoined(i)) continue
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

/** Curves between boxes in their places, around other boxes, in the order of the edges. */
export function routeEdges(
  sizes: ReadonlyMap<number, Size>,
  places: NetworkPlaces,
  edges: readonly LayoutEdge[],
  viz: Graphviz
): Curve[] {
  if (edges.length === 0) return []
  const boxes = [...sizes].map(([i, size]) => {
    const [x, y] = places.get(i) ?? [0, 0]
    return boxText(i, size, `, pos="${x.toFixed(2)},${(-y).toFixed(2)}"`)
  })
  const drawn = drawnBy('layout=nop2, splines=true', boxes, edges, viz)
  // Graphviz moves the whole so that it begins at 0.
  const [{name, pos}] = drawn.objects
  const [x, y] = pointOf(pos)
  const [left, top] = places.get(Number(name)) ?? [0, 0]
  const moved = ([px, py]: Point): Point => [px - x + left, y - py + top]
  const curves = new Map(drawn.edges.map(({id, pos}) => [Number(id), curveOf(pos, moved)]))
  return edges.map((_, at) => curves.get(at) ?? {points: [], tip: undefined})
}

interface Drawn extends Size {
  readonly objects: readonly {readonly name: string; readonly pos: string}[]
  readonly edges: readonly {readonly id: string; readonly pos: string}[]
}

function drawnBy(way: string, boxes: readonly string[], edges: readonly LayoutEdge[], viz: Graphviz): Drawn {
  const lines = edges.map(
    ({from, to, isDirected}, at) => `  ${from} -> ${to} [id=${at}${isDirected ? '' : ', dir=none'}]\n`
  )
  const dot = `digraph {
  graph [${way}]
  node [shape=box, fixedsize=true, label=""]
  edge [arrowsize=0.7]
${boxes.join('')}${lines.join('')}}
`
  const {bb, objects, edges: drawn = []} = JSON.parse(viz.renderString(dot, {format: 'json0'}))
  const [, , width, height] = String(bb).split(',').map(Number)
  return {width, height, objects, edges: drawn}
}

/** One unit is one pixel: a point of Graphviz, which takes sizes in inches. */
function boxText(i: number, {width, height}: Size, more = ''): string {
  return `  ${i} [width=${(width / 72).toFixed(4)}, height=${(height / 72).toFixed(4)}${more}]\n`
}

function flipped([x, y]: Point, height: number): Point {
  return [x, height - y]
}

function pointOf(text: string): Point {
  const [x, y] = text.split(',').slice(-2).map(Number)
  return [x, y]
}

function curveOf(pos: string, move: (point: Point) => Point): Curve {
  const parts = pos.split(' ')
  const tip = parts.find(part => part.startsWith('e,'))
  const points = parts.filter(part => !part.startsWith('e,')).map(part => move(pointOf(part)))
  return {points, tip: tip === undefined ? undefined : move(pointOf(tip))}
}
