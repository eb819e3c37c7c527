import {
  type Curve,
  type Graphviz,
  type LayoutEdge,
  layoutConnected,
  type Point,
  pack,
  type ShapedLayout,
  type Size
} from './layout-network.ts'
import {type Box, NOTE_SIZE} from './network-marks.ts'
import {type PlacedBox, routeEdges} from './route-edges.ts'

/** Pixels: the width of a page of text, to which networks are laid out. */
const PAGE = 900
export const MARGIN = 8
export const PART_GAP = 26
const BOX_GAP = 8

/** Where everything is. */
export interface Drawing extends Size {
  readonly boxes: readonly ArrangedBox[]
  readonly curves: readonly Curve[]
  /** Of the words "without edges". */
  readonly loneAt: Point | undefined
}

interface ArrangedBox extends PlacedBox {
  readonly box: Box
  /** The number of its shape. */
  readonly shape: number
}

/** Where a picture has its concepts, and every edge that one of them had, for other pictures of the same concepts. */
export type NetworkPlaces = Drawing

/** The parts, packed; below them the concepts without edges. */
export function arranged(
  edges: readonly LayoutEdge[],
  shown: readonly number[],
  shapes: readonly (readonly Box[])[],
  viz: Graphviz
): Drawing {
  const room = PAGE - 2 * MARGIN
  const isShown = new Set(shown)
  const groups = connectedParts(shapes[0]?.length ?? 0, edges).filter(([first]) => isShown.has(first))
  const laid = layoutParts(edges, groups, shapes, viz)
  const places = pack(laid, room, PART_GAP)
  const moved = laid.map((layout, at) =>
    shifted(layout, shapes[layout.shape], [MARGIN + places[at][0], MARGIN + places[at][1]])
  )
  let bottom = Math.max(0, ...laid.map(({height}, at) => MARGIN + places[at][1] + height))
  let loneAt: Point | undefined
  const lone = groups.filter(group => group.length === 1).flat()
  if (lone.length > 0) {
    if (laid.length > 0) {
      bottom += PART_GAP + NOTE_SIZE
      loneAt = [MARGIN, bottom]
    }
    const sizes = lone.map(i => shapes[0][i])
    const corners = pack(sizes, room, BOX_GAP)
    const centres = new Map(
      lone.map((i, at): [number, Point] => [
        i,
        [corners[at][0] + sizes[at].width / 2, corners[at][1] + sizes[at].height / 2]
      ])
    )
    moved.push(shifted({centres, curves: [], shape: 0}, shapes[0], [MARGIN, bottom + MARGIN]))
    bottom += MARGIN + Math.max(...corners.map(([, y], at) => y + sizes[at].height))
  }
  const boxes = moved.flatMap(part => part.boxes)
  // Edges may reach beyond the boxes of their part.
  const right = Math.max(
    ...boxes.map(({box, centre}) => centre[0] + box.width / 2),
    ...laid.map(({width}, at) => MARGIN + places[at][0] + width),
    0
  )
  return {width: right, height: bottom, boxes, curves: moved.flatMap(part => part.curves), loneAt}
}

/** The concepts stay where another picture has them, whatever the edges; so do the edges that it had. */
export function keptDrawing(
  before: NetworkPlaces,
  edges: readonly LayoutEdge[],
  shapes: readonly (readonly Box[])[],
  viz: Graphviz
): Drawing {
  // Breaking texts in another way may have become the same.
  const boxes = before.boxes.map(({i, shape, centre}) => {
    const known = Math.min(shape, shapes.length - 1)
    return {i, shape: known, centre, box: shapes[known][i]}
  })
  const known = new Map(before.curves.map(curve => [curveKey(curve.edge), curve]))
  const routed = routeEdges(
    boxes,
    edges.filter(edge => !known.has(curveKey(edge))),
    viz
  )
  for (const curve of routed) known.set(curveKey(curve.edge), curve)
  const wanted = new Map(edges.map(edge => [curveKey(edge), edge]))
  const curves = [...known].flatMap(([key, curve]) => {
    const edge = wanted.get(key)
    return edge === undefined ? [] : [{...curve, edge}]
  })
  return {
    ...sizeWith(before, curves),
    boxes,
    curves,
    loneAt: isWithoutEdges(before, edges) ? before.loneAt : undefined
  }
}

/** The size of a picture with more curves, which may reach beyond it. */
export function sizeWith({width, height}: Size, curves: readonly Curve[]): Size {
  const points = curves.flatMap(curve => curve.points)
  return {
    width: Math.max(width, ...points.map(([x]) => x)),
    height: Math.max(height, ...points.map(([, y]) => y))
  }
}

/** For later pictures: with the edges that only earlier ones have, should they come back. */
export function withEarlier(now: Drawing, before: NetworkPlaces): NetworkPlaces {
  const {curves} = before
  const known = new Set(curves.map(({edge}) => curveKey(edge)))
  return {
    ...before,
    boxes: now.boxes,
    curves: [...curves, ...now.curves.filter(({edge}) => !known.has(curveKey(edge)))]
  }
}

function curveKey({from, to, isDirected}: LayoutEdge): string {
  return `${from} ${to} ${isDirected}`
}

/** Whether the concepts below the words "without edges" have none. */
function isWithoutEdges({boxes, loneAt}: NetworkPlaces, edges: readonly LayoutEdge[]): boolean {
  const joined = new Set(edges.flatMap(({from, to}) => [from, to]))
  return !boxes.some(({i, centre: [, y]}) => loneAt !== undefined && y > loneAt[1] && joined.has(i))
}

/** A layout for each connected part, tallest first. */
function layoutParts(
  edges: readonly LayoutEdge[],
  groups: readonly (readonly number[])[],
  shapes: readonly (readonly Box[])[],
  viz: Graphviz
): ShapedLayout[] {
  const groupOf = new Map(groups.flatMap((group, at) => group.map(i => [i, at])))
  const within: LayoutEdge[][] = groups.map(() => [])
  for (const edge of edges) within[groupOf.get(edge.from) ?? 0].push(edge)
  return groups
    .flatMap((group, at) => {
      if (group.length === 1) return []
      const sizes = shapes.map(box => new Map(group.map(i => [i, box[i]])))
      return [layoutConnected(sizes, within[at], viz, PAGE - 2 * MARGIN)]
    })
    .sort((a, b) => b.height - a.height)
}

function shifted(
  {centres, curves, shape}: Pick<ShapedLayout, 'centres' | 'curves' | 'shape'>,
  box: readonly Box[],
  [dx, dy]: Point
): Pick<Drawing, 'boxes' | 'curves'> {
  const move = ([x, y]: Point): Point => [x + dx, y + dy]
  return {
    boxes: [...centres].map(([i, centre]) => ({i, shape, box: box[i], centre: move(centre)})),
    curves: curves.map(({edge, points, tip}) => ({edge, points: points.map(move), tip: tip && move(tip)}))
  }
}

/** The connected parts of a graph of `size` concepts, each as its concepts, in order of their first. */
export function connectedParts(size: number, edges: readonly Pick<LayoutEdge, 'from' | 'to'>[]): number[][] {
  const neighbours: number[][] = Array.from({length: size}, () => [])
  for (const {from, to} of edges) {
    neighbours[from].push(to)
    neighbours[to].push(from)
  }
  const isSeen = neighbours.map(() => false)
  return neighbours.flatMap((_, start) => {
    if (isSeen[start]) return []
    isSeen[start] = true
    const part = [start]
    for (const i of part)
      for (const k of neighbours[i]) {
        if (isSeen[k]) continue
        isSeen[k] = true
        part.push(k)
      }
    return [part.sort((a, b) => a - b)]
  })
}
