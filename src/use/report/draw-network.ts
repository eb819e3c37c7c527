import {badOption, withDefaults} from '../../base/checks/index.ts'
import {
  type BayesNetwork,
  edgeList,
  type NetworkEdge,
  networkEdges,
  networkMarginals,
  networkToDot
} from '../../base/network/index.ts'
import {counted, percent} from '../../base/text/index.ts'
import {edgeInWords} from './network-edges.ts'
import {fontFamily, palette} from './palette.ts'
import {escapeXml} from './svg-markup.ts'
import {fitText} from './text-size.ts'

/** Graphviz, as `instance()` of `@viz-js/viz` gives it. */
export interface Graphviz {
  renderString(dot: string, options: {format: string}): string
}

export interface NetworkPictureOptions {
  /** Prefix of the ids of concepts and edges: two networks on one page need two. */
  readonly id: string
  readonly title: string
  /** Shown under each name; the network's own marginals unless given. */
  readonly prevalences: ArrayLike<number> | undefined
  /** For a page whose script makes concepts interactive: screen readers then see them as objects too. */
  readonly isInteractive: boolean
}

const networkPictureDefaults: NetworkPictureOptions = {
  id: 'network',
  title: 'Network of the concepts',
  prevalences: undefined,
  isInteractive: false
}

/**
 * The network as self-contained SVG: Graphviz draws what `networkToDot` writes, in layers from the left, readable up to 200
 * concepts; those without edges are in a separate block. Same network, same text.
 *
 * Concept i is `<g class="node" id="ID-concept-i" data-concept="i">`, an edge
 * `<g class="edge" id="ID-edge-p-c" data-parent="p" data-child="c">`; each has a title in words.
 */
export function drawNetwork(
  network: BayesNetwork,
  names: readonly string[],
  viz: Graphviz,
  options?: Partial<NetworkPictureOptions>
): string {
  const full = withDefaults('drawNetwork', networkPictureDefaults, options)
  const {id, prevalences} = full
  if (!/^[A-Za-z][\w-]*$/.test(id))
    throw badOption('drawNetwork', 'id', 'a letter followed by letters, digits, - or _', id)
  const edges = edgeList(network, names)
  const shares = prevalences ?? networkMarginals(network)
  const dot = networkToDot(network, shortNames(names), {prevalences: shares})
  const drawn = viz.renderString(dot.replace(/\}\s*$/, `${loneConceptsDot(network)}}\n`), {format: 'svg'})
  const edgeTitles = new Map(networkEdges(network).map((pair, at) => [pair.join('-'), edgeInWords(edges[at])]))
  return framed(drawn, describe(names.length, edges), full)
    .replaceAll(/<g id="node\d+" class="node">\n<title>(\d+)<\/title>/g, (_, i) => {
      const text = `${names[i]}: in ${percent(shares[i])} of documents`
      return `<g id="${id}-concept-${i}" class="node" data-concept="${i}">\n<title>${escapeXml(text)}</title>`
    })
    .replaceAll(/<g id="edge\d+" class="edge">\n<title>(\d+)-&gt;(\d+)<\/title>/g, (_, parent, child) => {
      const text = escapeXml(edgeTitles.get(`${parent}-${child}`) ?? '')
      return `<g id="${id}-edge-${parent}-${child}" class="edge" data-parent="${parent}" data-child="${child}">\n<title>${text}</title>`
    })
}

const WIDEST_NAME = 190

/** Names that make their boxes too wide are cut; if two then coincide, they get their numbers. */
function shortNames(names: readonly string[]): readonly string[] {
  const short = names.map(name => fitText(name, WIDEST_NAME, 11))
  const uses = new Map<string, number>()
  for (const name of short) uses.set(name, (uses.get(name) ?? 0) + 1)
  const different = short.map((name, i) => (uses.get(name) === 1 ? name : `${name} (${i + 1})`))
  return new Set(different).size === names.length ? different : names
}

const DESCRIBED = 5

function describe(conceptCount: number, edges: readonly NetworkEdge[]): string {
  const strongest = edges.toSorted((a, b) => Math.abs(b.strength) - Math.abs(a.strength)).slice(0, DESCRIBED)
  const described = strongest.map(edge => ` ${edgeInWords(edge)}.`).join('')
  return `${counted(conceptCount, 'concept')}, ${counted(edges.length, 'edge')}.${edges.length > DESCRIBED ? ' The strongest:' : ''}${described}`
}

/** Without Graphviz's comments and links (tooltips are titles here), and with the common text attributes stated once. */
function framed(drawn: string, description: string, {title, isInteractive}: NetworkPictureOptions): string {
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

/** Graphviz measures in points. */
function pixels(points: string): number {
  return Math.round((Number(points) * 4) / 3)
}

/** The connected parts of the network, each as its concepts, in order of their first. */
export function connectedParts(network: BayesNetwork): number[][] {
  const neighbours: number[][] = network.parents.map(list => [...list])
  for (const [parent, child] of networkEdges(network)) neighbours[parent].push(child)
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

/** Up to so many parts are stacked; more are packed like tiles. */
const FEW_PARTS = 3

/**
 * An addition to the text of `networkToDot` that packs the parts and puts concepts without edges into one block, in rows.
 */
export function loneConceptsDot(network: BayesNetwork): string {
  const parts = connectedParts(network)
  const lone = parts.filter(part => part.length === 1).flat()
  const packing = parts.length - lone.length <= FEW_PARTS ? 'pack=12, packmode=array_c1' : 'pack=4, packmode=clust'
  if (lone.length === 0) return `  graph [${packing}]\n`
  const columns = Math.max(5, Math.min(10, Math.ceil(0.75 * Math.sqrt(lone.length))))
  const rows = Array.from({length: Math.ceil(lone.length / columns)}, (_, row) =>
    lone.slice(row * columns, (row + 1) * columns)
  )
  // Invisible edges order a row from the left, and the rows from the bottom, where dot begins.
  return `  graph [${packing}]
  subgraph cluster_lone {
    graph [label="without edges", color="${palette.grid}", fontcolor="${palette.quietInk}", fontname="Helvetica,Arial,sans-serif", fontsize=10]
${rows.map(chain).join('')}    {
      rank=same
${chain(rows.map(([first]) => first).reverse())}    }
  }
`
}

function chain(concepts: readonly number[]): string {
  return `      ${concepts.join(' -> ')}${concepts.length > 1 ? ' [style=invis]' : ''}\n`
}
