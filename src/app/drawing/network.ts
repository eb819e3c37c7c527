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
import {drawnBy, type Graphviz, type Line, type Marks, type NetworkPlaces, placeBoxes} from './layout.ts'
import {fontFamily, palette} from './palette.ts'
import {escapeXml, rounded} from './svg-markup.ts'
import {fitText, textWidth, wrapText} from './text-size.ts'

export interface NetworkPictureOptions {
  /** Prefix of the ids of concepts and edges: two networks on one page need two. */
  readonly id: string
  readonly title: string
  /** Shown under each name; the network's own marginals unless given. Undefined for a concept whose prevalence nobody measured. */
  readonly prevalences: ArrayLike<number | undefined> | undefined
  /** Shown under each name instead of its prevalence. */
  readonly notes: readonly string[] | undefined
  /** For a page whose script makes concepts interactive: screen readers then see them as objects too. */
  readonly isInteractive: boolean
  /** Where each concept leads, in a page. */
  readonly addresses: readonly string[] | undefined
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
  addresses: undefined,
  around: undefined,
  rules: undefined
}

/**
 * The network as self-contained SVG, laid out for a page of 900 pixels: a directed one in layers where that fits, and pairs by forces,
 * since a layer would look like a cause; concepts without edges follow in rows. Of pairs only the strongest edges (`drawnEdges`),
 * without arrow heads. Light or dark by the reader's choice. Same network, same text.
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
  const full = withDefaults('drawNetwork', networkPictureDefaults, options)
  const {id, prevalences, around, rules} = full
  if (!/^[A-Za-z][\w-]*$/.test(id))
    throw badOption('drawNetwork', 'id', 'a letter followed by letters, digits, - or _', id)
  const edges = drawnEdges(network, names, around, rules)
  const shares = prevalences ?? (isPairNetwork(network) ? network.prevalence : networkMarginals(network))
  const unmeasured = new Set(names.filter((_, i) => shares[i] === undefined))
  const labels = distinct(names.map(brokenName))
  const boxes = new Map(edges.shown.map(i => [i, boxOf(labels[i], full.notes?.[i] ?? shareText(shares[i]))]))
  const drawn = edges.drawn.map((edge): PlacedEdge => withoutGuesses(edge, unmeasured))
  const lines = linesOf(network, {...edges, drawn}, names)
  const isKept = places !== undefined && edges.shown.every(i => places.has(i))
  const isFree = (line: Line) => line.look !== FORBIDDEN
  const centres = isKept ? places : placeBoxes(boxes, lines.filter(isFree), !isPairNetwork(network), viz)
  const picture = drawnBy(boxes, centres, lines, viz)
  const titles = edges.shown.map(
    i => `${names[i]}: ${shares[i] === undefined ? 'share unknown' : `in ${percent(shares[i])} of documents`}`
  )
  const marks = picture.marks.replaceAll(
    /<g id="(node|edge)(\d+)" class="([^"]*)">\n<title>.*?<\/title>\n(.*?)<\/g>/gs,
    (_, kind, at, look, inside) => {
      const head = (name: string, data: string, title: string) =>
        `<g id="${id}-${name}" class="${look}" ${data}>\n<title>${escapeXml(title)}</title>\n`
      if (kind === 'edge') {
        const {
          from,
          to,
          title,
          mark,
          look: {colour}
        } = lines[at]
        return `${head(`edge-${from}-${to}`, `data-parent="${from}" data-child="${to}"`, title)}${inside}${mark === '' ? '' : markAt(mark, colour, inside)}</g>`
      }
      const i = Number(at)
      const body = withNote(inside, labels[i].length)
      const address = full.addresses?.[i]
      const linked = address === undefined ? body : `<a href="${escapeXml(address)}">\n${body}</a>\n`
      return `${head(`concept-${i}`, `data-concept="${i}"`, titles[edges.shown.indexOf(i)])}${linked}</g>`
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

/** In lines, broken at blanks and after hyphens, slashes and underscores. */
function brokenName(name: string): string[] {
  const pieces = name.split(/\s+|(?<=\S[-/_])(?=[^\s\d])/)
  const widest = Math.max(...pieces.map(piece => textWidth(piece, NAME_SIZE)))
  const room = Math.min(Math.max(NAME_WIDTH, widest), WIDEST)
  if (textWidth(name, NAME_SIZE) <= room) return [name]
  const lines = wrapText(name, room, NAME_SIZE)
  const kept = lines.slice(0, NAME_LINES - 1)
  return lines.length <= NAME_LINES ? lines : [...kept, fitText(lines.slice(kept.length).join(' '), room, NAME_SIZE)]
}

/** Names that coincide once they are cut get their numbers. */
function distinct(names: readonly (readonly string[])[]): (readonly string[])[] {
  const uses = new Map<string, number>()
  for (const lines of names) uses.set(lines.join(' '), (uses.get(lines.join(' ')) ?? 0) + 1)
  return names.map((lines, i) =>
    uses.get(lines.join(' ')) === 1 ? lines : [...lines.slice(0, -1), `${lines[lines.length - 1]} (${i + 1})`]
  )
}

function boxOf(name: readonly string[], note: string) {
  const notes = note === '' ? [] : wrapText(note, NAME_WIDTH, NOTE_SIZE)
  const widths = [...name.map(line => textWidth(line, NAME_SIZE)), ...notes.map(line => textWidth(line, NOTE_SIZE))]
  const label = [...name, ...notes]
  return {label, width: Math.ceil(Math.max(...widths)) + 2 * SIDE, height: label.length * LINE + 2 * ABOVE}
}

function shareText(share: number | undefined): string {
  return share === undefined ? '' : percent(share)
}

/** A mark at the middle of a path of cubic Bézier curves, one after the other. */
function markAt(mark: string, colour: string, line: string): string {
  const [path] = / d="[^"]*"/.exec(line) ?? ['']
  const points = [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])
  const count = Math.floor((points.length - 1) / 3)
  const [a, b, c, d] = points.slice(3 * Math.floor((count - 1) / 2))
  const middle = (k: 0 | 1) => (count % 2 === 0 ? d[k] : (a[k] + 3 * b[k] + 3 * c[k] + d[k]) / 8)
  return `<text x="${rounded(middle(0))}" y="${rounded(middle(1) + 0.35 * NAME_SIZE)}" fill="${colour}">${mark}</text>\n`
}

/** What is below the lines of a name is smaller and grey. */
function withNote(inside: string, lines: number): string {
  let at = 0
  return inside.replaceAll('<text', tag =>
    at++ < lines ? tag : `${tag} class="soft" font-size="${NOTE_SIZE}" fill="${palette.quietInk}"`
  )
}

const FORBIDDEN = {colour: palette.quietInk, style: 'dotted', width: 1.4}
const [REQUIRED_MARK, FORBIDDEN_MARK] = ['◆', '×']

/** Arrow heads are drawn where every equivalent network has the same one; rules are marked at the middle of a line. */
function linesOf(network: Network, {drawn, forbidden}: DrawnEdges, names: readonly string[]): Line[] {
  const directed = isPairNetwork(network) ? [] : completedGraph(network.parents).directed
  const fixed = new Set(directed.map(edge => edge.join()))
  return [
    ...drawn.map(
      (edge): Line => ({
        from: edge.from,
        to: edge.to,
        isDirected: fixed.has(`${edge.from},${edge.to}`),
        title: `${edgeInWords(edge)}${edge.isRequired ? '; this link is required' : ''}`,
        class: edge.sign,
        look: edgeLook(edge),
        mark: edge.isRequired ? REQUIRED_MARK : ''
      })
    ),
    ...forbidden.map(([from, to]): Line => {
      const title = `${names[from]} and ${names[to]}: this link is forbidden`
      return {from, to, isDirected: false, title, class: 'forbidden', look: FORBIDDEN, mark: FORBIDDEN_MARK}
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
    ...(drawn.some(({isRequired}) => isRequired) ? ([[REQUIRED_MARK, 'positive'], [' required\u2003']] as const) : []),
    ...(forbidden.length > 0 ? ([[FORBIDDEN_MARK], [' forbidden\u2003']] as const) : []),
    [`wider line: stronger${left === 0 ? '' : `; ${leftText(left)}`}`]
  ]
}

/** Colours on a dark ground, of a picture that is a file of its own: pages decide about the pictures that are part of them. */
const DARK = [
  [palette.paper, '#15181b'],
  [palette.ink, '#e4e7ea'],
  [palette.quietInk, '#a9b3bc'],
  ['#f6f8fa', '#23282d'],
  ['#d0d7de', '#4c555d'],
  ['#1a7f37', '#4fbf7a'],
  ['#b42318', '#f2917a'],
  ['#6e7781', '#98a2ab']
]

const LEGEND_HEIGHT = 26

function framed(
  {marks, left, top, width: inner, height}: Marks,
  {title, isInteractive}: NetworkPictureOptions,
  edges: DrawnEdges
): string {
  const words = legendOf(edges)
  const legend = words.map(([text, sign]) =>
    sign ? `<tspan class="${sign}" fill="${edgeLook({sign, strength: 0}).colour}">${text}</tspan>` : escapeXml(text)
  )
  const room = textWidth(words.map(([text]) => text).join(''), NOTE_SIZE) + 2 * SIDE
  const [width, whole] = [
    Math.ceil(Math.max(inner, room)),
    Math.ceil(height + (words.length === 0 ? 0 : LEGEND_HEIGHT))
  ]
  const dark = DARK.map(([light, dark]) =>
    ['stroke', 'fill']
      .map(way => `svg:root[${way}='${light}'], svg:root [${way}='${light}'] { ${way}: ${dark}; }\n`)
      .join('')
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${whole}" viewBox="${left} ${top} ${width} ${whole}" role="${isInteractive ? 'group' : 'img'}" aria-label="${escapeXml(title)}" font-family="${fontFamily}" font-size="${NAME_SIZE}" text-anchor="middle" fill="${palette.ink}">
<title>${escapeXml(title)}</title>
<desc>${escapeXml(describe(edges))}</desc>
<style>@media screen and (prefers-color-scheme: dark) {
${dark.join('')}}</style>
<rect class="paper" x="${left}" y="${top}" width="${width}" height="${whole}" fill="${palette.paper}"/>
${marks}${words.length === 0 ? '' : `<text class="soft" text-anchor="start" x="${left + SIDE}" y="${top + whole - SIDE}" font-size="${NOTE_SIZE}" fill="${palette.quietInk}">${legend.join('')}</text>\n`}</svg>
`
}
