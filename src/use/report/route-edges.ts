import {
  type Curve,
  dotBox,
  type Graphviz,
  type GraphvizJson,
  type LayoutEdge,
  type Point,
  readCurves,
  type Size
} from './layout-network.ts'

/** A box that stays where it is. */
export interface PlacedBox {
  readonly i: number
  readonly box: Size
  readonly centre: Point
}

/** Curves between boxes in their places, around other boxes. */
export function routeEdges(boxes: readonly PlacedBox[], edges: readonly LayoutEdge[], viz: Graphviz): Curve[] {
  if (edges.length === 0) return []
  const nodes = boxes.map(({i, box, centre: [x, y]}) => dotBox(i, box, `, pos="${x.toFixed(2)},${(-y).toFixed(2)}"`))
  const lines = edges.map(
    ({from, to, isDirected}, at) => `  ${from} -> ${to} [id=${at}${isDirected ? '' : ', dir=none'}]\n`
  )
  const dot = `digraph {
  graph [layout=nop2, splines=true]
  node [shape=box, fixedsize=true, label=""]
  edge [arrowsize=0.7]
${nodes.join('')}${lines.join('')}}
`
  const drawn = JSON.parse(viz.renderString(dot, {format: 'json0'})) as GraphvizJson
  // Graphviz moves the whole so that it begins at 0.
  const [x, y] = drawn.objects[0].pos.split(',').map(Number)
  const [left, top] = [boxes[0].centre[0] - x, boxes[0].centre[1] + y]
  return readCurves(drawn, edges, ([px, py]) => [px + left, top - py])
}
