import {log, mutualInformation} from '../numeric/index.ts'
import {type LatentNetwork, networkEdges} from './latent-network.ts'
import {checkNames} from './network-names.ts'
import {networkTable} from './network-table.ts'

/** One edge of a network and what it does. */
export interface NetworkEdge {
  readonly parent: string
  readonly child: string
  readonly sign: 'positive' | 'negative' | 'none'
  /** Of parent and child, in nats, whatever paths connect them. */
  readonly mutualInformation: number
  /** The log odds ratio of the two chances below; infinite where one of them is 0 or 1. */
  readonly strength: number
  /** P(child) when the parent is absent and when it is present, averaged over the child's other parents. */
  readonly childWithout: number
  readonly childWith: number
}

/**
 * The edges of a network with their signs and strengths, in the order of the children.
 *
 * Other parents of the child are averaged over with P(other parents), not with P(other parents | parent): what an edge
 * does on its own, rather than what its two ends have in common. With one parent both are the same.
 * Cost: two exact tables an edge, see networkTable.
 */
export function edgeList(network: LatentNetwork, names: readonly string[]): NetworkEdge[] {
  checkNames('edgeList', network, names)
  return networkEdges(network).map(([parent, child]) => {
    const [childWithout, childWith] = adjustedChances(network, parent, child)
    return {
      parent: names[parent],
      child: names[child],
      sign: childWith > childWithout ? 'positive' : childWith < childWithout ? 'negative' : 'none',
      mutualInformation: mutualInformation(networkTable(network, [parent, child])),
      strength: childWith === childWithout ? 0 : logOdds(childWith) - logOdds(childWithout),
      childWithout,
      childWith
    }
  })
}

/** Sum over the other parents' settings of their chance times P(child | parent = 0 or 1, setting). */
function adjustedChances({parents, cpt}: LatentNetwork, parent: number, child: number): [number, number] {
  const list = parents[child]
  const others = list.filter(k => k !== parent)
  const weights = networkTable({parents, cpt}, others)
  const shift = list.length - 1 - list.indexOf(parent)
  const low = 2 ** shift
  let without = 0
  let present = 0
  for (let s = 0; s < weights.length; s++) {
    const row = Math.floor(s / low) * 2 * low + (s % low)
    without += weights[s] * cpt[child][row]
    present += weights[s] * cpt[child][row + low]
  }
  // Weights that sum to 1 only up to rounding must not make a chance of more than 1.
  return [Math.min(1, without), Math.min(1, present)]
}

function logOdds(p: number): number {
  return log(p / (1 - p))
}

/** The edges as CSV with a header line; numbers read back the same. */
export function edgesToCsv(edges: readonly NetworkEdge[]): string {
  const rows = edges.map(edge =>
    [
      csvField(edge.parent),
      csvField(edge.child),
      edge.sign,
      edge.mutualInformation,
      edge.strength,
      edge.childWithout,
      edge.childWith
    ].join(',')
  )
  return `${['parent,child,sign,mutualInformation,strength,childWithout,childWith', ...rows].join('\n')}\n`
}

function csvField(text: string): string {
  return /[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
