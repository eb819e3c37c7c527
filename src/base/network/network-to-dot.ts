import {percent, replaceControls} from '../text/index.ts'
import {checkNames} from './bayes-network.ts'
import {edgeList, type NetworkEdge, withoutGuesses} from './edge-list.ts'
import {completedGraph} from './markov-equivalence.ts'
import {networkMarginals} from './network-table.ts'
import {isPairNetwork, type Network, networkSize} from './pair-network.ts'

/**
 * Writes the network for Graphviz. An edge is green and solid if the parent makes the child likelier, red and dashed if rarer; the
 * larger the absolute log odds ratio, the wider the edge. The same network gives the same text.
 *
 * An edge has an arrowhead if it has the same direction in all equivalent networks; a tree has none, since any variable could be its
 * root. Unconnected parts are packed beside each other, and a legend is below.
 * Shares that need the prevalence of an `unmeasured` concept are left out.
 * This differs from the paper, where the captions of the figures swap the colours and the line style does not show the sign.
 */
export function networkToDot(
  network: Network,
  names: readonly string[],
  unmeasured: ReadonlySet<string> = new Set()
): string {
  checkNames('networkToDot', networkSize(network), names)
  const prevalence = isPairNetwork(network) ? network.prevalence : networkMarginals(network)
  const index = new Map(names.map((name, i) => [name, i]))
  const directed = isPairNetwork(network) ? [] : completedGraph(network.parents).directed
  const hasArrow = new Set(directed.map(edge => edge.join()))
  const nodes = names.map((name, i) => {
    const share = unmeasured.has(name) ? '' : `\\n${percent(prevalence[i])}`
    return `  ${i} [label="${escapeLabel(name)}${share}"]\n`
  })
  const edges = edgeList(network, names).map(edge => {
    const [parent, child] = [index.get(edge.parent), index.get(edge.child)]
    return `  ${parent} -> ${child} [${edgeAttributes(edge, unmeasured)}${hasArrow.has(`${parent},${child}`) ? '' : ', dir=none'}]\n`
  })
  return `digraph {
  graph [layout=dot, rankdir=LR, ranksep=${directed.length === 0 ? 0.4 : 0.5}, nodesep=0.1, pack=12, packmode="node", bgcolor=white${edges.length === 0 ? '' : legend}]
  node [shape=box, style="rounded,filled", fillcolor="#f6f8fa", color="#d0d7de", fontname="Helvetica,Arial,sans-serif",
    fontsize=11, height=0.3, margin="0.16,0.03"]
  edge [arrowsize=0.7]
${nodes.join('')}${edges.join('')}}
`
}

const legend = `, fontname="Helvetica,Arial,sans-serif", fontsize=10, fontcolor="#57606a",
    label="green, solid: likelier together; red, dashed: rarer together; wider: stronger"`

/** Returns how an edge is drawn: the colour and line style show its sign, the width its strength. */
export function edgeLook({sign, strength}: Pick<NetworkEdge, 'sign' | 'strength'>): {
  readonly colour: string
  readonly style: string
  readonly width: number
} {
  // The width stops growing at a log odds ratio of 6, which raises 1% to 80%: wider lines would hide others.
  return {...looks[sign], width: Number((0.8 + 0.5 * Math.min(6, Math.abs(strength))).toFixed(2))}
}

const looks = {
  positive: {colour: '#1a7f37', style: 'solid'},
  negative: {colour: '#b42318', style: 'dashed'},
  none: {colour: '#6e7781', style: 'dotted'}
} as const

function edgeAttributes(edge: NetworkEdge, unmeasured: ReadonlySet<string>): string {
  const {colour, style, width} = edgeLook(edge)
  const {childWithout, childWith} = withoutGuesses(edge, unmeasured)
  const shares =
    childWithout === undefined || childWith === undefined
      ? ''
      : `: ${percent(childWithout)} without, ${percent(childWith)} with`
  const tooltip = `${edge.parent} to ${edge.child}${shares}`
  return `color="${colour}"${style === 'solid' ? '' : `, style=${style}`}, penwidth=${width.toFixed(2)}, tooltip="${escapeLabel(tooltip)}"`
}

/**
 * Escapes text for a quoted label, in which Graphviz interprets backslashes, quotes and HTML entities. Control characters are not
 * allowed in SVG and become blanks. HTML labels would interpret backslashes too, and be off centre if the viewer's font has another
 * width.
 */
function escapeLabel(text: string): string {
  return replaceControls(text, () => ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
}
