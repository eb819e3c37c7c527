import {badOption, withDefaults} from '../../base/checks/index.ts'
import {
  completedGraph,
  isPairNetwork,
  type Network,
  type NetworkEdge,
  networkMarginals
} from '../../base/network/index.ts'
import {counted, percent} from '../../base/text/index.ts'
import {
  type Curve,
  type Graphviz,
  type Layout,
  type LayoutEdge,
  layoutConnected,
  type Point,
  pack,
  type Size
} from './layout-network.ts'
import {drawnEdges, edgeInWords, type PlacedEdge} from './network-edges.ts'
import {type Box, boxShapes, drawBox, drawEdge, framed, legend, NOTE_SIZE, softText} from './network-marks.ts'
import {escapeXml} from './svg-markup.ts'

export interface NetworkPictureOptions {
  /** Prefix of the ids of concepts and edges: two networks on one page need two. */
  readonly id: string
  readonly title: string
  /** Shown under each name; the network's own marginals unless given. */
  readonly prevalences: ArrayLike<number> | undefined
  /** Shown under each name instead of its prevalence. */
  readonly notes: readonly string[] | undefined
  /** For a page whose script makes concepts interactive: screen readers then see them as objects too. */
  readonly isInteractive: boolean
  /** The number of a concept: it and its neighbours alone are drawn. */
  readonly around: number | undefined
}

const networkPictureDefaults: NetworkPictureOptions = {
  id: 'network',
  title: 'Network of the concepts',
  prevalences: undefined,
  notes: undefined,
  isInteractive: false,
  around: undefined
}

/** Pixels: the width of a page of text, to which networks are laid out. */
const PAGE = 900
const MARGIN = 8
const PART_GAP = 26
const BOX_GAP = 8

/**
 * The network as self-contained SVG, no wider than a page of 900 pixels as long as a layout fits (`layoutConnected` chooses one for each
 * connected part); concepts without edges follow in rows. Of pairs only the strongest edges (`drawnEdges`), without arrow heads. Light or dark
 * by the reader's choice. Same network, same text.
 *
 * Concept i is `<g class="node" id="ID-concept-i" data-concept="i">`, an edge
 * `<g class="edge" id="ID-edge-p-c" data-parent="p" data-child="c">`; each has a title in words.
 */
export function drawNetwork(
  network: Network,
  names: readonly string[],
  viz: Graphviz,
  options?: Partial<NetworkPictureOptions>
): string {
  const full = withDefaults('drawNetwork', networkPictureDefaults, options)
  const {id, prevalences} = full
  if (!/^[A-Za-z][\w-]*$/.test(id))
    throw badOption('drawNetwork', 'id', 'a letter followed by letters, digits, - or _', id)
  const {drawn, left, shown} = drawnEdges(network, names, full.around)
  const shares = prevalences ?? (isPairNetwork(network) ? network.prevalence : networkMarginals(network))
  const notes = full.notes ?? names.map((_, i) => percent(shares[i]))
  const drawing = arranged(layoutEdges(network, drawn), shown, boxShapes(names, notes), viz, leftText(left))
  const lines = drawing.curves.map(curve => drawEdge(drawn[curve.edge.index], curve, id))
  const nodes = drawing.boxes.map(({i, box, centre}) => {
    const text = `${names[i]}: in ${percent(shares[i])} of documents`
    return `<g id="${id}-concept-${i}" class="node" data-concept="${i}">\n<title>${escapeXml(text)}</title>\n${drawBox(box, centre)}</g>\n`
  })
  return framed([...lines, ...nodes, drawing.words].join(''), drawing, {
    ...full,
    description: describe(shown.length, drawn, left)
  })
}

const DESCRIBED = 5

function describe(conceptCount: number, edges: readonly NetworkEdge[], left: number): string {
  const strongest = edges.toSorted((a, b) => Math.abs(b.strength) - Math.abs(a.strength)).slice(0, DESCRIBED)
  const described = strongest.map(edge => ` ${edgeInWords(edge)}.`).join('')
  const more = left === 0 ? '' : ` ${leftText(left)}.`
  return `${counted(conceptCount, 'concept')}, ${counted(edges.length + left, 'edge')}.${more}${edges.length > DESCRIBED ? ' The strongest:' : ''}${described}`
}

function leftText(left: number): string {
  return left === 0 ? '' : `${counted(left, 'weaker edge')} not drawn`
}

/** With arrow heads where every equivalent network has the same one. */
function layoutEdges(network: Network, drawn: readonly PlacedEdge[]): LayoutEdge[] {
  const directed = isPairNetwork(network) ? [] : completedGraph(network.parents).directed
  const fixed = new Set(directed.map(edge => edge.join()))
  return drawn.map(({from, to}, index) => ({index, from, to, isDirected: fixed.has(`${from},${to}`)}))
}

interface Drawing extends Size {
  readonly boxes: readonly {readonly i: number; readonly box: Box; readonly centre: Point}[]
  readonly curves: readonly Curve[]
  /** Texts beside the network. */
  readonly words: string
}

/** Everything in its place: the parts, packed; below them the concepts without edges; below these the meaning of the lines. */
function arranged(
  edges: readonly LayoutEdge[],
  shown: readonly number[],
  shapes: readonly (readonly Box[])[],
  viz: Graphviz,
  note: string
): Drawing {
  const room = PAGE - 2 * MARGIN
  const isShown = new Set(shown)
  const groups = connectedParts(shapes[0]?.length ?? 0, edges).filter(([first]) => isShown.has(first))
  const laid = layoutParts(edges, groups, shapes, viz)
  const places = pack(
    laid.map(({layout}) => layout),
    room,
    PART_GAP
  )
  const moved = laid.map(({layout, box}, at) => shifted(layout, box, [MARGIN + places[at][0], MARGIN + places[at][1]]))
  let bottom = Math.max(0, ...laid.map(({layout}, at) => MARGIN + places[at][1] + layout.height))
  let words = ''
  const lone = groups.filter(group => group.length === 1).flat()
  if (lone.length > 0) {
    if (laid.length > 0) {
      bottom += PART_GAP + NOTE_SIZE
      words += softText('without edges', MARGIN, bottom)
    }
    const sizes = lone.map(i => shapes[0][i])
    const corners = pack(sizes, room, BOX_GAP)
    const centres = new Map(
      lone.map((i, at): [number, Point] => [
        i,
        [corners[at][0] + sizes[at].width / 2, corners[at][1] + sizes[at].height / 2]
      ])
    )
    moved.push(shifted({centres, curves: []}, shapes[0], [MARGIN, bottom + MARGIN]))
    bottom += MARGIN + Math.max(...corners.map(([, y], at) => y + sizes[at].height))
  }
  const boxes = moved.flatMap(part => part.boxes)
  // Edges may reach beyond the boxes of their part.
  const right = Math.max(
    ...boxes.map(({box, centre}) => centre[0] + box.width / 2),
    ...laid.map(({layout}, at) => MARGIN + places[at][0] + layout.width),
    0
  )
  let legendWidth = 0
  if (laid.length > 0) {
    bottom += PART_GAP
    const {width, markup} = legend(MARGIN, bottom, note)
    legendWidth = width
    words += markup
  }
  return {
    width: Math.max(right, legendWidth) + MARGIN,
    height: bottom + MARGIN,
    boxes,
    curves: moved.flatMap(part => part.curves),
    words
  }
}

/** A layout for each connected part, tallest first, and the boxes it is made for. */
function layoutParts(
  edges: readonly LayoutEdge[],
  groups: readonly (readonly number[])[],
  shapes: readonly (readonly Box[])[],
  viz: Graphviz
): {readonly layout: Layout; readonly box: readonly Box[]}[] {
  const groupOf = new Map(groups.flatMap((group, at) => group.map(i => [i, at])))
  const within: LayoutEdge[][] = groups.map(() => [])
  for (const edge of edges) within[groupOf.get(edge.from) ?? 0].push(edge)
  return groups
    .flatMap((group, at) => {
      if (group.length === 1) return []
      const sizes = shapes.map(box => new Map(group.map(i => [i, box[i]])))
      const layout = layoutConnected(sizes, within[at], viz, PAGE - 2 * MARGIN)
      return [{layout, box: shapes[layout.shape]}]
    })
    .sort((a, b) => b.layout.height - a.layout.height)
}

function shifted(
  {centres, curves}: Pick<Layout, 'centres' | 'curves'>,
  box: readonly Box[],
  [dx, dy]: Point
): Pick<Drawing, 'boxes' | 'curves'> {
  const move = ([x, y]: Point): Point => [x + dx, y + dy]
  return {
    boxes: [...centres].map(([i, centre]) => ({i, box: box[i], centre: move(centre)})),
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
