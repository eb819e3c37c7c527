import {badOption, withDefaults} from '../../base/checks/index.ts'
import {
  completedGraph,
  isPairNetwork,
  type Network,
  networkMarginals,
  withoutGuesses
} from '../../base/network/index.ts'
import {counted, percent} from '../../base/text/index.ts'
import type {LinkRules} from '../../use/facts/index.ts'
import {type DrawnEdges, drawnEdges, edgeInWords, type PlacedEdge} from '../../use/facts/index.ts'
import {
  type Curve,
  type Graphviz,
  type LayoutEdge,
  type NetworkPlaces,
  type Point,
  placeBoxes,
  routeEdges,
  type Size
} from './layout-network.ts'
import {boxesOf, drawBox, drawEdge, drawForbidden, framed, legend} from './network-marks.ts'
import {escapeXml} from './svg-markup.ts'

export interface NetworkPictureOptions {
  /** Prefix of the ids of concepts and edges: two networks on one page need two. */
  readonly id: string
  readonly title: string
  /** Shown under each name; the network's own marginals unless given. */
  /** Undefined for a concept whose prevalence nobody measured. */
  readonly prevalences: ArrayLike<number | undefined> | undefined
  /** Shown under each name instead of its prevalence. */
  readonly notes: readonly string[] | undefined
  /** For a page whose script makes concepts interactive: screen readers then see them as objects too. */
  readonly isInteractive: boolean
  /** The number of a concept: it and its neighbours alone are drawn. */
  readonly around: number | undefined
  /** Links that the network had to have, or not to have, which are marked. */
  readonly rules: LinkRules | undefined
}

const networkPictureDefaults: NetworkPictureOptions = {
  id: 'network',
  title: 'Network of the concepts',
  prevalences: undefined,
  notes: undefined,
  isInteractive: false,
  around: undefined,
  rules: undefined
}

/**
 * The network as self-contained SVG, laid out for a page of 900 pixels: a directed one in layers where that fits, and pairs by forces,
 * since a layer would look like a cause; concepts without edges follow in rows. Of pairs only the strongest edges (`drawnEdges`),
 * without arrow heads. Light or dark by the reader's choice. Same network, same text.
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
  return placedNetwork(network, names, viz, options).svg
}

/** The same, with where its concepts are; or with the concepts in the places of another picture of all of them. */
export function placedNetwork(
  network: Network,
  names: readonly string[],
  viz: Graphviz,
  options?: Partial<NetworkPictureOptions>,
  places?: NetworkPlaces
): {readonly svg: string; readonly places: NetworkPlaces} {
  const full = withDefaults('drawNetwork', networkPictureDefaults, options)
  const {id, prevalences} = full
  if (!/^[A-Za-z][\w-]*$/.test(id))
    throw badOption('drawNetwork', 'id', 'a letter followed by letters, digits, - or _', id)
  const edges = drawnEdges(network, names, full.around, full.rules)
  const {left, shown, forbidden} = edges
  const shares = prevalences ?? (isPairNetwork(network) ? network.prevalence : networkMarginals(network))
  const unmeasured = new Set(names.filter((_, i) => shares[i] === undefined))
  const drawn = edges.drawn.map((edge): PlacedEdge => withoutGuesses(edge, unmeasured))
  const boxes = boxesOf(names, full.notes ?? names.map((_, i) => shareText(shares[i])))
  const sizes = new Map(shown.map(i => [i, boxes[i]]))
  const lines = layoutEdges(network, drawn)
  const isKept = places !== undefined && shown.every(i => places.has(i))
  const centres = isKept ? places : placeBoxes(sizes, lines, !isPairNetwork(network), viz)
  const ruledOut = forbidden.map(([from, to]): LayoutEdge => ({from, to, isDirected: false}))
  const curves = routeEdges(sizes, centres, [...lines, ...ruledOut], viz)
  const marks = curves.map((curve, at) =>
    at < drawn.length ? drawEdge(drawn[at], curve, id) : drawForbidden(names, forbidden[at - drawn.length], curve, id)
  )
  const nodes = shown.map(i => {
    const share = shares[i]
    const text = `${names[i]}: ${share === undefined ? 'share unknown' : `in ${percent(share)} of documents`}`
    return `<g id="${id}-concept-${i}" class="node" data-concept="${i}">\n<title>${escapeXml(text)}</title>\n${drawBox(boxes[i], centres.get(i) ?? [0, 0])}</g>\n`
  })
  const extent = extentOf(sizes, centres, curves)
  const words = legendBelow(extent.bottom, extent.left, edges)
  const frame = {
    ...full,
    left: extent.left - MARGIN,
    top: extent.top - MARGIN,
    width: Math.max(extent.right - extent.left, words.width) + 2 * MARGIN,
    height: extent.bottom - extent.top + words.height + 2 * MARGIN,
    description: describe(shown.length, drawn, left)
  }
  return {svg: framed([...marks, ...nodes, words.markup].join(''), frame), places: centres}
}

/** Pixels around everything, and above the legend. */
const [MARGIN, LEGEND_GAP] = [8, 26]

/** The rectangle of boxes and curves. */
function extentOf(sizes: ReadonlyMap<number, Size>, centres: NetworkPlaces, curves: readonly Curve[]) {
  const corners = [...sizes].flatMap(([i, {width, height}]): Point[] => {
    const [x, y] = centres.get(i) ?? [0, 0]
    return [
      [x - width / 2, y - height / 2],
      [x + width / 2, y + height / 2]
    ]
  })
  const points = [...corners, ...curves.flatMap(curve => curve.points)]
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return {left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys)}
}

function legendBelow(bottom: number, left: number, {drawn, left: more, forbidden}: DrawnEdges) {
  if (drawn.length + forbidden.length === 0) return {width: 0, height: 0, markup: ''}
  const rules = {isRequired: drawn.some(({isRequired}) => isRequired), isForbidden: forbidden.length > 0}
  return {height: LEGEND_GAP, ...legend(left, bottom + LEGEND_GAP, leftText(more), rules)}
}

function shareText(share: number | undefined): string {
  return share === undefined ? '' : percent(share)
}

const DESCRIBED = 5

function describe(conceptCount: number, edges: readonly PlacedEdge[], left: number): string {
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
  return drawn.map(({from, to}) => ({from, to, isDirected: fixed.has(`${from},${to}`)}))
}
