/** Graphviz, as `instance()` of `@viz-js/viz` gives it. */
export interface Graphviz {
  renderString(dot: string, options: {format: string}): string
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface LayoutEdge {
  /** Among all edges of the network. */
  readonly index: number
  readonly from: number
  readonly to: number
  /** With an arrow head; others may be laid out from either end. */
  readonly isDirected: boolean
}

export type Point = readonly [x: number, y: number]

export interface Curve {
  readonly edge: LayoutEdge
  /** Of cubic Bézier curves, one after the other. */
  readonly points: readonly Point[]
  /** The point of the arrow head. */
  readonly tip: Point | undefined
}

/** Where boxes have their centres, and edges their curves. */
export interface Layout extends Size {
  readonly centres: ReadonlyMap<number, Point>
  readonly curves: readonly Curve[]
}

export interface ShapedLayout extends Layout {
  /** The number of the shape that its boxes have. */
  readonly shape: number
}

interface Way {
  readonly direction: 'TB' | 'LR'
  /** Between layers, in pixels. */
  readonly gap: number
  /** Leaves below one box are set in so many rows. */
  readonly rows: number
}

const WAYS: readonly Way[] = [
  {direction: 'TB', gap: 22, rows: 1},
  {direction: 'LR', gap: 25, rows: 1},
  {direction: 'LR', gap: 14, rows: 1},
  {direction: 'TB', gap: 22, rows: 2},
  {direction: 'TB', gap: 22, rows: 3}
]

/**
 * The best of several layouts of connected boxes: no wider than `room`, or else the narrowest; among these the lowest
 * one. `dot` draws all of them, in layers: engines based on forces draw edges
 * across boxes. `shapes` has the boxes' sizes, once for every way to break their text.
 *
 * Edges without a direction lead away from the middle of the longest path, which halves the layers of a tree.
 */
export function layoutConnected(
  shapes: readonly ReadonlyMap<number, Size>[],
  edges: readonly LayoutEdge[],
  viz: Graphviz,
  room: number
): ShapedLayout {
  const turned = edges.some(({isDirected}) => isDirected) ? edges : fromTheMiddle(edges)
  const layouts = shapes.flatMap((sizes, shape) =>
    WAYS.map(way => ({shape, ...layoutOf(dotOf(sizes, turned, way), edges, viz)}))
  )
  const narrowest = Math.min(...layouts.map(({width}) => width))
  const fitting = layouts.filter(({width}) => width <= Math.max(room, narrowest))
  return fitting.reduce((best, layout) => (layout.height < best.height ? layout : best))
}

/** The edges, each leading away from the middle of a longest shortest path. */
function fromTheMiddle(edges: readonly LayoutEdge[]): LayoutEdge[] {
  const neighbours = new Map<number, number[]>(edges.flatMap(({from, to}) => [from, to]).map(i => [i, []]))
  for (const {from, to} of edges) {
    neighbours.get(from)?.push(to)
    neighbours.get(to)?.push(from)
  }
  const search = (start: number) => {
    const before = new Map([[start, start]])
    for (const i of before.keys()) for (const k of neighbours.get(i) ?? []) if (!before.has(k)) before.set(k, i)
    return before
  }
  const last = (of: ReadonlyMap<number, number>) => [...of.keys()][of.size - 1]
  const end = last(search(edges[0].from))
  const before = search(end)
  const path = [last(before)]
  while (path[path.length - 1] !== end) path.push(before.get(path[path.length - 1]) ?? end)
  const order = [...search(path[path.length >> 1]).keys()]
  const rank = new Map(order.map((i, at) => [i, at]))
  return edges.map(edge =>
    (rank.get(edge.from) ?? 0) <= (rank.get(edge.to) ?? 0) ? edge : {...edge, from: edge.to, to: edge.from}
  )
}

const inches = (value: number) => (value / 72).toFixed(4)

/** A line of `dot` for box i, with more attributes. One unit is one pixel: a point of Graphviz. */
export function dotBox(i: number, {width, height}: Size, more = ''): string {
  return `  ${i} [width=${inches(width)}, height=${inches(height)}${more}]\n`
}

function dotOf(sizes: ReadonlyMap<number, Size>, edges: readonly LayoutEdge[], {direction, gap, rows}: Way): string {
  const inner = new Set(edges.map(({from}) => from))
  const leaves = new Map<number, number>()
  const lengthOf = ({from, to}: LayoutEdge) => {
    if (rows === 1 || inner.has(to)) return 1
    const at = leaves.get(from) ?? 0
    leaves.set(from, at + 1)
    return 1 + (at % rows)
  }
  const nodes = [...sizes].map(([i, size]) => dotBox(i, size))
  const lines = edges.map(
    (edge, at) =>
      `  ${edge.from} -> ${edge.to} [id=${at}, minlen=${lengthOf(edge)}${edge.isDirected ? '' : ', dir=none'}]\n`
  )
  return `digraph {
  graph [layout=dot, rankdir=${direction}, ranksep=${inches(gap)}, nodesep=0.12]
  node [shape=box, fixedsize=true, label=""]
  edge [arrowsize=0.7]
${nodes.join('')}${lines.join('')}}
`
}

export interface GraphvizJson {
  readonly bb: string
  readonly objects: readonly {readonly name: string; readonly pos: string}[]
  readonly edges: readonly {readonly id: string; readonly pos: string}[]
}

function layoutOf(dot: string, edges: readonly LayoutEdge[], viz: Graphviz): Layout {
  const drawn = JSON.parse(viz.renderString(dot, {format: 'json0'})) as GraphvizJson
  const [, , width, height] = drawn.bb.split(',').map(Number)
  const turned = ([x, y]: Point): Point => [x, height - y]
  return {
    width,
    height,
    centres: new Map(drawn.objects.map(({name, pos}) => [Number(name), turned(pointOf(pos))])),
    curves: readCurves(drawn, edges, turned)
  }
}

function pointOf(text: string): Point {
  const [x, y] = text.split(',').slice(-2).map(Number)
  return [x, y]
}

/** The curves of edges that Graphviz knows by their places; `move` brings points to where they are drawn. */
export function readCurves(
  {edges: drawn}: GraphvizJson,
  edges: readonly LayoutEdge[],
  move: (point: Point) => Point
): Curve[] {
  return drawn.map(({id, pos}) => {
    const parts = pos.split(' ')
    const tip = parts.find(part => part.startsWith('e,'))
    const points = parts.filter(part => !part.startsWith('e,')).map(part => move(pointOf(part)))
    return {edge: edges[Number(id)], points, tip: tip === undefined ? undefined : move(pointOf(tip))}
  })
}

/** The upper left corners of boxes packed into a page of this width, each as high as it goes, in the order given. */
export function pack(boxes: readonly Size[], width: number, gap: number): Point[] {
  // The lower edge of what is placed, as steps from the left.
  let steps: {readonly from: number; readonly to: number; readonly y: number}[] = [{from: 0, to: width + gap, y: 0}]
  return boxes.map(({width: w, height: h}) => {
    const places = steps
      .map(({from}) => from)
      .filter((x, at) => at === 0 || x + w <= width)
      .map(x => ({x, y: Math.max(...steps.filter(({from, to}) => to > x && from < x + w + gap).map(({y}) => y))}))
    const {x, y} = places.reduce((best, place) => (place.y < best.y ? place : best))
    const end = x + w + gap
    steps = [
      ...steps.filter(({from}) => from < x).map(step => ({...step, to: Math.min(step.to, x)})),
      {from: x, to: end, y: y + h + gap},
      ...steps.filter(({to}) => to > end).map(step => ({...step, from: Math.max(step.from, end)}))
    ]
    return [x, y]
  })
}
