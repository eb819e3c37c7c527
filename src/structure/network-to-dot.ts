import {AdfaError, withDefaults} from '../numeric/index.ts'
import {edgeList, type NetworkEdge} from './edge-list.ts'
import type {LatentNetwork} from './latent-network.ts'
import {checkNames} from './network-names.ts'
import {networkMarginals} from './network-table.ts'

export interface DotOptions {
  /** Where ranks grow to: `right` reads best with words as labels, `down` suits few concepts. */
  readonly direction: 'right' | 'down'
  /** Shown under each name; the network's own marginals when it is not given. */
  readonly prevalences: ArrayLike<number> | undefined
}

export const dotDefaults: DotOptions = {direction: 'right', prevalences: undefined}

/**
 * The network as Graphviz text, for `dot`: green and solid where the parent makes the child likelier, red and dashed
 * where it makes it rarer, wider with the log odds ratio. The same network gives the same text.
 *
 * A network in which nobody has two parents is drawn without arrow heads: any concept of a tree could be its root.
 * Differs from the paper: the captions of its figures swap the colours; the line style tells the sign without them.
 */
export function networkToDot(network: LatentNetwork, names: readonly string[], options?: Partial<DotOptions>): string {
  const {direction, prevalences} = withDefaults('networkToDot', dotDefaults, options)
  checkNames('networkToDot', network, names)
  if (direction !== 'right' && direction !== 'down')
    throw new AdfaError('bad-option', `networkToDot: direction is 'right' or 'down'; got ${JSON.stringify(direction)}`)
  const shares = prevalences ?? networkMarginals(network)
  if (shares.length !== names.length)
    throw new AdfaError(
      'mismatch',
      `networkToDot: ${shares.length} prevalences for ${names.length} concepts; give one each`
    )
  const index = new Map(names.map((name, i) => [name, i]))
  const isForest = network.parents.every(list => list.length <= 1)
  const nodes = names.map((name, i) => `  ${i} [label="${quoted(name)}\\n${percent(shares[i])}"]\n`)
  const edges = edgeList(network, names).map(
    edge => `  ${index.get(edge.parent)} -> ${index.get(edge.child)} [${edgeStyle(edge)}]\n`
  )
  return `digraph {
  graph [layout=dot, rankdir=${direction === 'right' ? 'LR' : 'TB'}, ranksep=${isForest ? 0.4 : 0.5}, nodesep=0.1, bgcolor=white]
  node [shape=box, style="rounded,filled", fillcolor="#f6f8fa", color="#d0d7de", fontname="Helvetica,Arial,sans-serif",
    fontsize=11, height=0.3, margin="0.16,0.03"]
  edge [${isForest ? 'dir=none' : 'arrowsize=0.7'}]
${nodes.join('')}${edges.join('')}}
`
}

function edgeStyle(edge: NetworkEdge): string {
  const look = {
    positive: 'color="#1a7f37"',
    negative: 'color="#b42318", style=dashed',
    none: 'color="#6e7781", style=dotted'
  }[edge.sign]
  // A log odds ratio of 4 turns 5% into 75%; beyond that wider lines would only hide others.
  const width = 0.8 + 0.8 * Math.min(4, Math.abs(edge.strength))
  const words = `${edge.parent} to ${edge.child}: ${percent(edge.childWithout)} without, ${percent(edge.childWith)} with`
  return `${look}, penwidth=${width.toFixed(2)}, tooltip="${quoted(words)}"`
}

/** Two or three digits: "12%", "3.4%", "0.05%". */
function percent(share: number): string {
  const value = 100 * share
  if (value > 0 && value < 0.005) return '<0.01%'
  return `${value.toFixed(value >= 9.95 || value === 0 ? 0 : value >= 0.95 ? 1 : 2)}%`
}

/**
 * Text for between quotes, where Graphviz reads backslashes, quotes and HTML entities; control characters have no place
 * in SVG and show as blanks. Labels in its HTML are no way round: they too read backslashes, and their text is not
 * centred where the viewer's font has another width.
 */
function quoted(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
}
