import {badOption, withDefaults} from '../../base/checks/index.ts'
import {
  completedGraph,
  isPairNetwork,
  type Network,
  networkMarginals,
  withoutGuesses
} from '../../base/network/index.ts'
import {counted, percent} from '../../base/text/index.ts'
import {
  arranged,
  type Drawing,
  keptDrawing,
  MARGIN,
  type NetworkPlaces,
  PART_GAP,
  sizeWith,
  withEarlier
} from './arrange-network.ts'
import type {Curve, Graphviz, LayoutEdge} from './layout-network.ts'
import type {LinkRules} from './link-rules.ts'
import {type DrawnEdges, drawnEdges, edgeInWords, type PlacedEdge} from './network-edges.ts'
import {boxShapes, drawBox, drawEdge, drawForbidden, framed, legend, softText} from './network-marks.ts'
import {routeEdges} from './route-edges.ts'
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
  const {left, shown} = edges
  const shares = prevalences ?? (isPairNetwork(network) ? network.prevalence : networkMarginals(network))
  const unmeasured = new Set(names.filter((_, i) => shares[i] === undefined))
  const drawn = edges.drawn.map((edge): PlacedEdge => withoutGuesses(edge, unmeasured))
  const shapes = boxShapes(names, full.notes ?? names.map((_, i) => shareText(shares[i])))
  const laidOut = layoutEdges(network, drawn)
  const drawing =
    places === undefined ? arranged(laidOut, shown, shapes, viz) : keptDrawing(places, laidOut, shapes, viz)
  const lines = drawing.curves.map(curve => drawEdge(drawn[curve.edge.index], curve, id))
  const nodes = drawing.boxes.map(({i, box, centre}) => {
    const share = shares[i]
    const text = `${names[i]}: ${share === undefined ? 'share unknown' : `in ${percent(share)} of documents`}`
    return `<g id="${id}-concept-${i}" class="node" data-concept="${i}">\n<title>${escapeXml(text)}</title>\n${drawBox(box, centre)}</g>\n`
  })
  const forbidden = forbiddenCurves(edges, drawing, viz)
  const rules = forbidden.map(curve => drawForbidden(names, curve, id))
  const words = wordsBeside({...drawing, ...sizeWith(drawing, forbidden)}, edges)
  const svg = framed([...rules, ...lines, ...nodes, words.markup].join(''), words, {
    ...full,
    description: describe(shown.length, drawn, left)
  })
  return {svg, places: places === undefined ? drawing : withEarlier(drawing, places)}
}

function shareText(share: number | undefined): string {
  return share === undefined ? '' : percent(share)
}

/** Below everything else; the places of concepts do not depend on them. */
function forbiddenCurves({forbidden}: DrawnEdges, {boxes}: Drawing, viz: Graphviz): Curve[] {
  const edges = forbidden.map(([from, to], index): LayoutEdge => ({index, from, to, isDirected: false}))
  return routeEdges(boxes, edges, viz)
}

/** The words beside a network, and its size with them. */
function wordsBeside({width, height, loneAt, curves}: Drawing, {drawn, left, forbidden}: DrawnEdges) {
  const lone = loneAt === undefined ? '' : softText('without edges', ...loneAt)
  const isForbidden = forbidden.length > 0
  if (curves.length === 0 && !isForbidden) return {width: width + MARGIN, height: height + MARGIN, markup: lone}
  const bottom = height + PART_GAP
  const rules = {isRequired: drawn.some(({isRequired}) => isRequired), isForbidden}
  const meaning = legend(MARGIN, bottom, leftText(left), rules)
  return {width: Math.max(width, meaning.width) + MARGIN, height: bottom + MARGIN, markup: lone + meaning.markup}
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
  return drawn.map(({from, to}, index) => ({index, from, to, isDirected: fixed.has(`${from},${to}`)}))
}
