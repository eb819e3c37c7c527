import {badOption, withDefaults} from '../../base/checks/index.ts'
import {
  completedGraph,
  edgeLook,
  isPairNetwork,
  type Network,
  networkMarginals,
  withoutGuesses
} from '../../base/network/index.ts'
import {counted, percent} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {
  certificateFacts,
  type DrawnEdges,
  drawnEdges,
  edgeInWords,
  isDrawable,
  type LinkRules,
  linkRules,
  type PlacedEdge,
  shownRates
} from '../../use/facts/index.ts'
import {type Box, type Graphviz, graphSvg, type Line, type NetworkPlaces, placeBoxes} from './graphviz.ts'
import {fontFamily, palette} from './palette.ts'
import {escapeXml} from './svg-markup.ts'
import {fitText, textWidth, wrapText} from './text-size.ts'

/** Options of a picture, with their defaults. */
const networkPictureDefaults = {
  /** Prefix of the ids of concepts and edges: two networks on one page need two. */
  id: 'network',
  title: 'Network of the concepts',
  /** Shown under each name; the network's own marginals unless given. Undefined for a concept whose prevalence nobody measured. */
  prevalences: undefined as ArrayLike<number | undefined> | undefined,
  /** Shown under each name instead of its prevalence. */
  notes: undefined as readonly string[] | undefined,
  /** For a page whose script makes concepts interactive: screen readers then see them as objects too. */
  isInteractive: false,
  /** Where each concept leads, in a page. */
  addresses: undefined as readonly string[] | undefined,
  /** The number of a concept: it and its neighbours alone are drawn. */
  around: undefined as number | undefined,
  /** Links that the network had to have, or not to have, which are marked. */
  rules: undefined as LinkRules | undefined
}

export type NetworkPictureOptions = Readonly<typeof networkPictureDefaults>

/**
 * The network as self-contained SVG, laid out for a page of 900 pixels: a directed one in layers where that fits, and pairs by forces,
 * since a layer would look like a cause; concepts without edges follow in rows. Of pairs only the strongest edges (`drawnEdges`),
 * without arrow heads. Same network, same text.
 *
 * Concept i is `<g class="node" id="ID-concept-i" data-concept="i">`, an edge
 * `<g class="edge SIGN" id="ID-edge-p-c" data-parent="p" data-child="c">`; each has a title in words.
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
  const full: NetworkPictureOptions = withDefaults('drawNetwork', networkPictureDefaults, options)
  const {id, prevalences, addresses, notes, around, rules} = full
  if (!/^[A-Za-z][\w-]*$/.test(id))
    throw badOption('drawNetwork', 'id', 'a letter followed by letters, digits, - or _', id)
  const edges = drawnEdges(network, names, around, rules)
  const shares = prevalences ?? (isPairNetwork(network) ? network.prevalence : networkMarginals(network))
  const unmeasured = new Set(names.filter((_, i) => shares[i] === undefined))
  const boxes = new Map(edges.shown.map(i => [i, boxOf(names[i], notes?.[i] ?? shareText(shares[i], percent))]))
  const drawn = edges.drawn.map((edge): PlacedEdge => withoutGuesses(edge, unmeasured))
  const lines = linesOf(network, {...edges, drawn}, names)
  const isKept = places !== undefined && edges.shown.every(i => places.has(i))
  const isFree = (line: Line) => line.look !== FORBIDDEN
  const centres = isKept ? places : placeBoxes(boxes, lines.filter(isFree), !isPairNetwork(network), viz)
  const picture = graphSvg(boxes, centres, lines, viz)
  // Titles and numbers of concepts are what Graphviz has no attributes for.
  const marks = picture.marks.replaceAll(
    /<g id="(node|edge)(\d+)" class="([^"]*)">\n<title>.*?<\/title>\n(.*?)<\/g>/gs,
    (_, kind, at, look, inside) => {
      const group = (name: string, data: string, title: string, body: string) =>
        `<g id="${id}-${name}" class="${look}" ${data}>\n<title>${escapeXml(title)}</title>\n${body}</g>`
      if (kind === 'edge') {
        const {from, to, title} = lines[at]
        return group(`edge-${from}-${to}`, `data-parent="${from}" data-child="${to}"`, title, inside)
      }
      const address = addresses?.[at]
      const title = `${names[at]}: ${shareText(shares[at], share => `in ${percent(share)} of documents`) || 'share unknown'}`
      const text = withNote(inside, boxes.get(Number(at))?.name.length ?? 0)
      const body = address === undefined ? text : `<a href="${escapeXml(address)}">\n${text}</a>\n`
      return group(`concept-${at}`, `data-concept="${at}"`, title, body)
    }
  )
  return {svg: framed({...picture, marks}, full, {...edges, drawn}), places: centres}
}

/** The network with the prevalences that people are shown; undefined if it is too dense for exact sums. */
export function networkPicture(
  model: Model,
  viz: Graphviz,
  {around, places, addresses}: NetworkRequest = {}
): ReturnType<typeof placedNetwork> | undefined {
  if (!isDrawable(model)) return undefined
  const certificate = certificateFacts(model)
  const {network, concepts} = model
  const names = concepts.map(({name}) => name)
  const at = around === undefined ? -1 : names.indexOf(around)
  const options = {
    prevalences: concepts.map(concept => shownRates(certificate, concept)?.prevalence.value),
    isInteractive: true,
    addresses,
    around: at < 0 ? undefined : at,
    rules: linkRules(model)
  }
  return placedNetwork(network, names, viz, options, places)
}

/** A part of a network `around` a concept, or its concepts in the places of another picture. */
interface NetworkRequest extends Pick<Partial<NetworkPictureOptions>, 'addresses'> {
  readonly around?: string | undefined
  readonly places?: NetworkPlaces | undefined
}

/** Pixels. */
const [NAME_SIZE, NOTE_SIZE, LINE] = [13, 11, 15.6]
const [SIDE, ABOVE] = [10, 4]

/** Names are broken at this width, unless a piece needs more, and cut after so many lines. */
const [NAME_WIDTH, WIDEST] = [130, 190]
const NAME_LINES = 4

function boxOf(name: string, note: string): Box {
  const pieces = name.split(/\s+|(?<=\S[-/_])(?=[^\s\d])/)
  const widest = Math.max(...pieces.map(piece => textWidth(piece, NAME_SIZE)))
  const room = Math.min(Math.max(NAME_WIDTH, widest), WIDEST)
  const all = wrapText(name, room, NAME_SIZE)
  const cut = fitText(all.slice(NAME_LINES - 1).join(' '), room, NAME_SIZE)
  const lines = all.length <= NAME_LINES ? all : [...all.slice(0, NAME_LINES - 1), cut]
  const notes = note === '' ? [] : wrapText(note, NAME_WIDTH, NOTE_SIZE)
  const widths = [...lines.map(line => textWidth(line, NAME_SIZE)), ...notes.map(line => textWidth(line, NOTE_SIZE))]
  return {
    name: lines,
    notes,
    width: Math.ceil(Math.max(...widths)) + 2 * SIDE,
    height: (lines.length + notes.length) * LINE + 2 * ABOVE
  }
}

function shareText(share: number | undefined, text: (share: number) => string): string {
  return share === undefined ? '' : text(share)
}

/** What is below the lines of a name is smaller and grey. */
function withNote(inside: string, lines: number): string {
  let at = 0
  return inside.replaceAll('<text', tag =>
    at++ < lines ? tag : `${tag} class="soft" font-size="${NOTE_SIZE}" fill="${palette.quietInk}"`
  )
}

const FORBIDDEN = {colour: palette.quietInk, style: 'dotted', width: 1.4}

/** Arrow heads are drawn where every equivalent network has the same one; required links have a diamond, forbidden ones bars at their ends. */
function linesOf(network: Network, {drawn, forbidden}: DrawnEdges, names: readonly string[]): Line[] {
  const directed = isPairNetwork(network) ? [] : completedGraph(network.parents).directed
  const fixed = new Set(directed.map(edge => edge.join()))
  return [
    ...drawn.map((edge): Line => {
      const {from, to, isRequired, sign} = edge
      const title = `${edgeInWords(edge)}${isRequired ? '; this link is required' : ''}`
      const tail = isRequired ? 'diamond' : 'none'
      const head = fixed.has(`${from},${to}`) ? 'normal' : tail
      return {from, to, head, tail, title, class: sign, look: edgeLook(edge)}
    }),
    ...forbidden.map(([from, to]): Line => {
      const title = `${names[from]} and ${names[to]}: this link is forbidden`
      return {from, to, head: 'tee', tail: 'tee', title, class: 'forbidden', look: FORBIDDEN}
    })
  ]
}

const DESCRIBED = 5

function describe({shown, drawn, left}: DrawnEdges): string {
  const strongest = drawn.toSorted((a, b) => Math.abs(b.strength) - Math.abs(a.strength)).slice(0, DESCRIBED)
  const described = strongest.map(edge => ` ${edgeInWords(edge)}.`).join('')
  const more = left === 0 ? '' : ` ${leftText(left)}.`
  return `${counted(shown.length, 'concept')}, ${counted(drawn.length + left, 'edge')}.${more}${drawn.length > DESCRIBED ? ' The strongest:' : ''}${described}`
}

function leftText(left: number): string {
  return `${counted(left, 'weaker edge')} not drawn`
}

/** What the lines mean, and which rules there are. */
function legendOf({drawn, left, forbidden}: DrawnEdges): (readonly [text: string, sign?: 'positive' | 'negative'])[] {
  if (drawn.length + forbidden.length === 0) return []
  return [
    ['━━━', 'positive'],
    [' likelier together\u2003'],
    ['━\u2009━', 'negative'],
    [' rarer together\u2003'],
    [drawn.some(({isRequired}) => isRequired) ? '◆ required\u2003' : ''],
    [forbidden.length > 0 ? '⊢\u2009\u2009⊣ forbidden\u2003' : ''],
    [`wider line: stronger${left === 0 ? '' : `; ${leftText(left)}`}`]
  ]
}

const LEGEND_HEIGHT = 26

function framed(
  {marks, left, top, width: inner, height}: ReturnType<typeof graphSvg>,
  {title, isInteractive}: NetworkPictureOptions,
  edges: DrawnEdges
): string {
  const words = legendOf(edges)
  const legend = words.map(([text, sign]) =>
    sign ? `<tspan class="${sign}" fill="${edgeLook({sign, strength: 0}).colour}">${text}</tspan>` : escapeXml(text)
  )
  const room = textWidth(words.map(([text]) => text).join(''), NOTE_SIZE) + 2 * SIDE
  const width = Math.ceil(Math.max(inner, room))
  const whole = Math.ceil(height + (words.length === 0 ? 0 : LEGEND_HEIGHT))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${whole}" viewBox="${left} ${top} ${width} ${whole}" role="${isInteractive ? 'group' : 'img'}" aria-label="${escapeXml(title)}" font-family="${fontFamily}" font-size="${NAME_SIZE}" text-anchor="middle" fill="${palette.ink}">
<title>${escapeXml(title)}</title>
<desc>${escapeXml(describe(edges))}</desc>
<rect class="paper" x="${left}" y="${top}" width="${width}" height="${whole}" fill="${palette.paper}"/>
${marks}${words.length === 0 ? '' : `<text class="soft" text-anchor="start" x="${left + SIDE}" y="${top + whole - SIDE}" font-size="${NOTE_SIZE}" fill="${palette.quietInk}">${legend.join('')}</text>\n`}</svg>
`
}
