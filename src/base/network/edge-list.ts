import {logit, mutualInformation} from '../numeric/index.ts'
import {csvText} from '../text/index.ts'
import {type BayesNetwork, checkNames} from './bayes-network.ts'
import {propagatedTree} from './network-table.ts'
import {isPairNetwork, jointTable, type Network, networkEdges, networkSize, type PairNetwork} from './pair-network.ts'

/** One edge of a network and its effect. */
export interface NetworkEdge {
  readonly parent: string
  readonly child: string
  readonly sign: 'positive' | 'negative' | 'none'
  /** It is between parent and child, in nats, through all paths that connect them. */
  readonly mutualInformation: number
  /** The log odds ratio of the two probabilities below; infinite where one of them is 0 or 1. */
  readonly strength: number
  /** P(child) when the parent is absent and when it is present, averaged over the child's other parents. */
  readonly childWithout: number
  readonly childWith: number
  /** Edges of pair networks have the 5% and 95% points of the odds ratio. */
  readonly low?: number
  readonly high?: number
}

/**
 * Returns the edges of a network with their signs and strengths, ordered by child.
 *
 * Other parents of the child are averaged over with P(other parents), not with P(other parents | parent): this measures
 * the effect of the edge alone, not all that its two ends have in common. With one parent both are the same.
 * Cost: one propagation through the junction tree, where each family shares a table; see there for its limits.
 */
export function edgeList(network: Network, names: readonly string[]): NetworkEdge[] {
  checkNames('edgeList', networkSize(network), names)
  return isPairNetwork(network) ? pairEdges(network, names) : directedEdges(network, names)
}

function pairEdges(network: PairNetwork, names: readonly string[]): NetworkEdge[] {
  const {prevalence: p, couplings, low, high} = network
  return networkEdges(network).map(([parent, child]) => {
    const at = parent * p.length + child
    const strength = couplings[at]
    const table = jointTable(p[parent], p[child], strength)
    return {
      parent: names[parent],
      child: names[child],
      sign: strength > 0 ? 'positive' : strength < 0 ? 'negative' : 'none',
      mutualInformation: mutualInformation(table),
      strength,
      childWithout: table[1] / (1 - p[parent]),
      childWith: table[3] / p[parent],
      low: low[at],
      high: high[at]
    }
  })
}

function directedEdges(network: BayesNetwork, names: readonly string[]): NetworkEdge[] {
  const tree = propagatedTree(network)
  return network.parents.flatMap((list, child) => {
    const family = tree.table([...list, child])
    return list.map((parent, at) => {
      const {pair, childWithout, childWith} = edgeEffect(family, network.cpt[child], list.length - 1 - at)
      return {
        parent: names[parent],
        child: names[child],
        sign: childWith > childWithout ? 'positive' : childWith < childWithout ? 'negative' : 'none',
        mutualInformation: mutualInformation(pair),
        strength: childWith === childWithout ? 0 : logit(childWith) - logit(childWithout),
        childWithout,
        childWith
      }
    })
  })
}

/** `family` is P(parents, child), the child its lowest bit; the parent is bit `shift` of a row of `cpt`. */
function edgeEffect(family: Float64Array, cpt: Float64Array, shift: number) {
  const pair = new Float64Array(4)
  let total = 0
  let childWithout = 0
  let childWith = 0
  for (let row = 0; row < cpt.length; row++) {
    if ((row >> shift) & 1) continue
    // One setting of the other parents.
    const other = row + 2 ** shift
    const cells = [family[2 * row], family[2 * row + 1], family[2 * other], family[2 * other + 1]]
    for (let cell = 0; cell < 4; cell++) pair[cell] += cells[cell]
    const share = cells[0] + cells[1] + cells[2] + cells[3]
    if (share === 0) continue
    total += share
    // A running mean of equal terms equals them exactly, which a weighted sum need not: a certainty stays 1.
    childWithout += (cpt[row] - childWithout) * (share / total)
    childWith += (cpt[other] - childWith) * (share / total)
  }
  return {pair, childWithout, childWith}
}

const csvColumns = [
  'parent',
  'child',
  'sign',
  'mutualInformation',
  'strength',
  'childWithout',
  'childWith',
  'low',
  'high'
] as const satisfies (keyof NetworkEdge)[]

/** Returns the edges as CSV with a header line; numbers read back the same. */
export function edgesToCsv(edges: readonly NetworkEdge[]): string {
  return csvText([csvColumns, ...edges.map(edge => csvColumns.map(column => edge[column] ?? ''))])
}

/** How often bootstrap replicates have an edge. In a tree the direction only reflects the choice of a root. */
export interface EdgeConfidence {
  /** As in the fitted network, or, for edges it does not have, the more frequent direction. */
  readonly parent: string
  readonly child: string
  /** The share of the replicates with this edge, in either direction; of a required pair, of those whose own interval excludes 1. */
  readonly confidence: number
  /** The share with exactly this direction. */
  readonly directed: number
  /** Whether the fitted network has this edge. */
  readonly fitted: boolean
}

/** Lists every edge of the fitted network or of a replicate, the most frequent first. */
export function edgeConfidence(
  names: readonly string[],
  fitted: Network,
  replicates: readonly Network[]
): EdgeConfidence[] {
  const m = names.length
  const [times, inFit] = [new Float64Array(m * m), new Uint8Array(m * m)]
  for (const network of replicates)
    for (const [parent, child] of networkEdges({...network, required: []})) times[parent * m + child]++
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
        parent: names[parent],
        child: names[child],
        confidence: (times[there] + times[back]) / replicates.length,
        directed: times[parent * m + child] / replicates.length,
        fitted: isFitted
      })
    }
  return edges.sort((a, b) => b.confidence - a.confidence)
}
