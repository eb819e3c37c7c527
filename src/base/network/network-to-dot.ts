import {percent, replaceControls} from '../text/index.ts'
import {checkNames} from './bayes-network.ts'
import {edgeList, type NetworkEdge} from './edge-list.ts'
import {completedGraph} from './markov-equivalence.ts'
import {networkMarginals} from './network-table.ts'
import {isPairNetwork, type Network, networkSize} from './pair-network.ts'

/**
 * Returns the network as Graphviz text, for `dot`: green and solid where the parent makes the child likelier, red and dashed
 * where it makes it rarer, wider with the log odds ratio. The same network gives the same text.
 *
 * An edge has an arrowhead where every equivalent network has the same one; a tree has none, since any variable could be
 * its root. Unconnected parts are packed beside each other. A legend stands below.
 * Differs from the paper: the captions of its figures swap the colours; here the line style also shows the sign.
 */
export function networkToDot(network: Network, names: readonly string[]): string {
  checkNames('networkToDot', networkSize(network), names)
  const shares = isPairNetwork(network) ? network.prevalence : networkMarginals(network)
  const index = new Map(names.map((name, i) => [name, i]))
  const directed = isPairNetwork(network) ? [] : completedGraph(network.parents).directed
  const fixed = new Set(directed.map(edge => edge.join()))
  const nodes = names.map((name, i) => `  ${i} [label="${quoted(name)}\\n${percent(shares[i])}"]\n`)
  const edges = edgeList(network, names).map(edge => {
    const [parent, child] = [index.get(edge.parent), index.get(edge.child)]
    return `  ${parent} -> ${child} [${edgeStyle(edge)}${fixed.has(`${parent},${child}`) ? '' : ', dir=none'}]\n`
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

/** Tells how an edge is drawn: by its sign, and wider with its strength. */
export function edgeLook({sign, strength}: Pick<NetworkEdge, 'sign' | 'strength'>): {
  readonly colour: string
  readonly style: string
  readonly width: number
} {
  // A log odds ratio of 6 turns 1% into 80%, as between rare concepts; wider lines would only hide others.
  return {...looks[sign], width: Number((0.8 + 0.5 * Math.min(6, Math.abs(strength))).toFixed(2))}
}

const looks = {
  positive: {colour: '#1a7f37', style: 'solid'},
  negative: {colour: '#b42318', style: 'dashed'},
  none: {colour: '#6e7781', style: 'dotted'}
} as const

function edgeStyle(edge: NetworkEdge): string {
  const {colour, style, width} = edgeLook(edge)
  const words = `${edge.parent} to ${edge.child}: ${percent(edge.childWithout)} without, ${percent(edge.childWith)} with`
  return `color="${colour}"${style === 'solid' ? '' : `, style=${style}`}, penwidth=${width.toFixed(2)}, tooltip="${quoted(words)}"`
}

/**
 * Returns text to stand between quotes, where Graphviz interprets backslashes, quotes and HTML entities; control characters are
 * not allowed in SVG and become blanks. HTML labels do not help: they interpret backslashes too, and their text is not
 * centred where the viewer's font has a different width.
 */
function quoted(text: string): string {
  return replaceControls(text, () => ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
}
