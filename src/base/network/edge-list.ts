import {log, mutualInformation} from '../numeric/index.ts'
import {type BayesNetwork, checkNames, networkEdges} from './bayes-network.ts'
import {exactTree, knownWeights} from './network-table.ts'

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
 * Cost: one propagation through the junction tree, where each family shares a table; see there for the width it can take.
 */
export function edgeList(network: BayesNetwork, names: readonly string[]): NetworkEdge[] {
  checkNames('edgeList', network, names)
  const tree = exactTree(network)
  tree.propagate(knownWeights(network, undefined), new Float64Array(names.length))
  return network.parents.flatMap((list, child) => {
    const family = tree.table([...list, child])
    return list.map((parent, at) => {
      const {pair, childWithout, childWith} = edgeChances(family, network.cpt[child], list.length - 1 - at)
      return {
        parent: names[parent],
        child: names[child],
        sign: childWith > childWithout ? 'positive' : childWith < childWithout ? 'negative' : 'none',
        mutualInformation: mutualInformation(pair),
        strength: childWith === childWithout ? 0 : logOdds(childWith) - logOdds(childWithout),
        childWithout,
        childWith
      }
    })
  })
}

/** `family` is P(parents, child), the child its lowest bit; the parent is bit `shift` of a row of `chances`. */
function edgeChances(family: Float64Array, chances: Float64Array, shift: number) {
  const pair = new Float64Array(4)
  let total = 0
  let childWithout = 0
  let childWith = 0
  for (let row = 0; row < chances.length; row++) {
    if ((row >> shift) & 1) continue
    // One setting of the other parents.
    const other = row + 2 ** shift
    const cells = [family[2 * row], family[2 * row + 1], family[2 * other], family[2 * other + 1]]
    for (let cell = 0; cell < 4; cell++) pair[cell] += cells[cell]
    const share = cells[0] + cells[1] + cells[2] + cells[3]
    if (share === 0) continue
    total += share
    // A running mean stays what all its terms are, which a sum over shares need not: certainty remains 1.
    childWithout += (chances[row] - childWithout) * (share / total)
    childWith += (chances[other] - childWith) * (share / total)
  }
  return {pair, childWithout, childWith}
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

/** How often the replicates have an edge. In a tree the direction is only the choice of a root, and means nothing. */
export interface EdgeConfidence {
  /** As in the network of all documents, or, of edges it does not have, the commoner direction. */
  readonly parent: string
  readonly child: string
  /** The share of the replicate networks that join the two, in either direction. */
  readonly confidence: number
  /** The share of those with just this direction. */
  readonly directed: number
  /** Whether the network of all documents joins the two. */
  readonly fitted: boolean
}

/** Every edge of the fitted network or of a replicate, the surest first. */
export function edgeConfidence(
  concepts: readonly string[],
  fitted: BayesNetwork,
  replicates: readonly BayesNetwork[]
): EdgeConfidence[] {
  const m = concepts.length
  const [times, inFit] = [new Float64Array(m * m), new Uint8Array(m * m)]
  for (const network of replicates) for (const [parent, child] of networkEdges(network)) times[parent * m + child]++
  for (const [parent, child] of networkEdges(fitted)) inFit[parent * m + child] = 1
  const edges: EdgeConfidence[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const [there, back] = [i * m + k, k * m + i]
      const isFitted = inFit[there] + inFit[back] > 0
      if (!isFitted && times[there] + times[back] === 0) continue
      const isThere = isFitted ? inFit[there] === 1 : times[there] >= times[back]
      const [parent, child] = isThere ? [i, k] : [k, i]
      edges.push({
        parent: concepts[parent],
        child: concepts[child],
        confidence: (times[there] + times[back]) / replicates.length,
        directed: times[parent * m + child] / replicates.length,
        fitted: isFitted
      })
    }
  return edges.sort((a, b) => b.confidence - a.confidence)
}
