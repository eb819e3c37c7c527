import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {
  type BayesNetwork,
  edgeList,
  type NetworkEdge,
  networkMarginals,
  networkToDot
} from '../../base/network/index.ts'
import {edgeInWords, shareInWords} from './edge-words.ts'
import {loneConceptsDot} from './lone-concepts.ts'
import {fontFamily, palette} from './palette.ts'
import {escapeXml} from './svg-markup.ts'
import {fitText} from './text-size.ts'

/** Graphviz, as `instance()` of `@viz-js/viz` gives it. */
export interface Graphviz {
  renderString(dot: string, options: {format: string}): string
}

export interface NetworkPictureOptions {
  /** What the ids of concepts and edges begin with: two networks on one page need two. */
  readonly id: string
  readonly title: string
  /** Shown under each name; the network's own marginals when it is not given. */
  readonly prevalences: ArrayLike<number> | undefined
  /** For a page whose script makes concepts answer: they are then objects of their own for screen readers too. */
  readonly isInteractive: boolean
}

export const networkPictureDefaults: NetworkPictureOptions = {
  id: 'network',
  title: 'Network of the concepts',
  prevalences: undefined,
  isInteractive: false
}

/**
 * The network as SVG that stands by itself: what `networkToDot` writes, drawn by Graphviz in layers from the left, which
 * stays readable up to 200 concepts; those without links stand in a block of their own. Same network, same text.
 *
 * Concept i is `<g class="node" id="ID-concept-i" data-concept="i">`, an edge
 * `<g class="edge" id="ID-edge-p-c" data-parent="p" data-child="c">`; a title in each says in words what it shows.
 */
export function drawNetwork(
  network: BayesNetwork,
  names: readonly string[],
  viz: Graphviz,
  options?: Partial<NetworkPictureOptions>
): string {
  const {id, title, prevalences, isInteractive} = withDefaults('drawNetwork', networkPictureDefaults, options)
  if (!/^[A-Za-z][\w-]*$/.test(id))
    throw new AdfaError(
      'bad-option',
      `drawNetwork: id begins with a letter and goes on with letters, digits, - or _; got ${JSON.stringify(id)}`
    )
  const edges = edgeList(network, names)
  const shares = prevalences ?? networkMarginals(network)
  const dot = networkToDot(network, shortNames(names), {prevalences: shares})
  const drawn = viz.renderString(dot.replace(/\}\s*$/, `${loneConceptsDot(network)}}\n`), {format: 'svg'})
  const pairs = network.parents.flatMap((list, child) => list.map(parent => `${parent}-${child}`))
  const edgeTitles = new Map(edges.map((edge, at) => [pairs[at], edgeInWords(edge)]))
  return framed(drawn, {title, description: describe(names.length, edges), isInteractive})
    .replaceAll(/<g id="node\d+" class="node">\n<title>(\d+)<\/title>/g, (_, i) => {
      const text = `${names[i]}: in ${shareInWords(shares[i])} of documents`
      return `<g id="${id}-concept-${i}" class="node" data-concept="${i}">\n<title>${escapeXml(text)}</title>`
    })
    .replaceAll(/<g id="edge\d+" class="edge">\n<title>(\d+)-&gt;(\d+)<\/title>/g, (_, parent, child) => {
      const text = escapeXml(edgeTitles.get(`${parent}-${child}`) ?? '')
      return `<g id="${id}-edge-${parent}-${child}" class="edge" data-parent="${parent}" data-child="${child}">\n<title>${text}</title>`
    })
}

const WIDEST_NAME = 190

/** Names that make their boxes too wide are cut; those that would then be alike get their number. */
function shortNames(names: readonly string[]): readonly string[] {
  const short = names.map(name => fitText(name, WIDEST_NAME, 11))
  const uses = new Map<string, number>()
  for (const name of short) uses.set(name, (uses.get(name) ?? 0) + 1)
  const different = short.map((name, i) => (uses.get(name) === 1 ? name : `${name} (${i + 1})`))
  return new Set(different).size === names.length ? different : names
}

const TOLD = 5

function describe(conceptCount: number, edges: readonly NetworkEdge[]): string {
  const strongest = edges.toSorted((a, b) => Math.abs(b.strength) - Math.abs(a.strength)).slice(0, TOLD)
  const told = strongest.map(edge => ` ${edgeInWords(edge)}.`).join('')
  return `${conceptCount} concepts, ${edges.length} links.${edges.length > TOLD ? ' The strongest:' : ''}${told}`
}

interface Frame {
  readonly title: string
  readonly description: string
  readonly isInteractive: boolean
}

/** Without Graphviz's comments and its links (tooltips are titles here); what all texts have in common is said once. */
function framed(drawn: string, {title, description, isInteractive}: Frame): string {
  const inside = drawn
    .slice(drawn.indexOf('<g id="graph0"'))
    .replaceAll(/<!--.*?-->\n?/gs, '')
    .replaceAll('&#45;', '-')
    .replaceAll(/<g id="a_edge[^>]*><a [^>]*>\n|<\/a>\n<\/g>\n/g, '')
    .replaceAll(' xml:space="preserve" text-anchor="middle"', '')
    .replaceAll(' font-family="Helvetica,Arial,sans-serif"', '')
    .replaceAll(' font-size="11.00"', '')
    .replace(/<g id="graph0" class="graph"/, '<g class="graph"')
    .replace(/<g id="clust1" class="cluster">\n<title>.*?<\/title>/, '<g class="cluster">')
  const [, width, height] = drawn.match(/viewBox="0\.00 0\.00 ([\d.]+) ([\d.]+)"/) ?? []
  if (width === undefined) throw new Error('internal error: Graphviz wrote an SVG without a size')
  const role = isInteractive ? 'group' : 'img'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels(width)}" height="${pixels(height)}" viewBox="0 0 ${Number(width)} ${Number(height)}" role="${role}" aria-label="${escapeXml(title)}" font-family="${fontFamily}" font-size="11" text-anchor="middle" fill="${palette.ink}">
<title>${escapeXml(title)}</title>
<desc>${escapeXml(description)}</desc>
${inside}`
}

/** Graphviz counts in points. */
function pixels(points: string): number {
  return Math.round((Number(points) * 4) / 3)
}
