import {logit, mutualInformation} from '../numeric/index.ts'
import {csvText} from '../text/index.ts'
import {type BayesNetwork, checkNames} from './bayes-network.ts'
import {propagateTree} from './network-table.ts'
import {isPairNetwork, jointTable, type Network, networkEdges, networkSize, type PairNetwork} from './pair-network.ts'

export interface NetworkEdge {
  readonly parent: string
  readonly child: string
  readonly sign: 'positive' | 'negative' | 'none'
  /** The mutual information of parent and child in nats, which includes the effect of all other paths between them. */
  readonly mutualInformation: number
  /** The log odds ratio of `childWith` to `childWithout`, which is infinite if one of these probabilities is 0 or 1. */
  readonly strength: number
  /** P(child | parent absent) and P(child | parent present), averaged over the child's other parents. */
  readonly childWithout: number
  readonly childWith: number
}

/**
 * Returns the edges of a network with their signs and strengths, ordered by child.
 *
 * `childWith` and `childWithout` average over the child's other parents by P(other parents), not by P(other parents | parent), so
 * their difference is the effect of the edge alone. With one parent both are the same. Cost: one propagation through the junction tree, which must not be too large.
 */
export function edgeList(network: Network, names: readonly string[]): NetworkEdge[] {
  checkNames('edgeList', networkSize(network), names)
  return isPairNetwork(network) ? pairEdges(network, names) : directedEdges(network, names)
}

function pairEdges(network: PairNetwork, names: readonly string[]): NetworkEdge[] {
  const {prevalence: p, couplings} = network
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
      childWith: table[3] / p[parent]
    }
  })
}

function directedEdges(network: BayesNetwork, names: readonly string[]): NetworkEdge[] {
  const {tree} = propagateTree(network)
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

/** Measures the effect on the child of the parent at bit `shift` of a configuration. `family` is P(parents, child), child lowest. */
function edgeEffect(family: Float64Array, cpt: Float64Array, shift: number) {
  const pair = new Float64Array(4)
  let total = 0
  let childWithout = 0
  let childWith = 0
  for (let absent = 0; absent < cpt.length; absent++) {
    if ((absent >> shift) & 1) continue
    // The configurations `absent` and `present` differ in this parent alone.
    const present = absent + 2 ** shift
    const cells = [family[2 * absent], family[2 * absent + 1], family[2 * present], family[2 * present + 1]]
    for (let cell = 0; cell < 4; cell++) pair[cell] += cells[cell]
    const weight = cells[0] + cells[1] + cells[2] + cells[3]
    if (weight === 0) continue
    total += weight
    // A running mean of equal terms has exactly their value, so a probability of 1 stays 1; a weighted sum may round it.
    childWithout += (cpt[absent] - childWithout) * (weight / total)
    childWith += (cpt[present] - childWith) * (weight / total)
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
  'childWith'
] as const satisfies (keyof NetworkEdge)[]

/** The columns that need the prevalences of both concepts. */
const NEED_SHARES: ReadonlySet<string> = new Set(['mutualInformation', 'childWithout', 'childWith'])

/** An edge without the shares that need a prevalence which nobody measured. */
export type ShownEdge = Omit<NetworkEdge, 'childWithout' | 'childWith'> & Partial<NetworkEdge>

export function withoutGuesses<T extends ShownEdge>(edge: T, unmeasured: ReadonlySet<string>) {
  return isGuessed(edge, unmeasured) ? {...edge, childWithout: undefined, childWith: undefined} : edge
}

function isGuessed({parent, child}: ShownEdge, unmeasured: ReadonlySet<string>): boolean {
  return unmeasured.has(parent) || unmeasured.has(child)
}

/** Writes the edges as CSV with a header line, and numbers with all their digits; what relies on guesses is left out. */
export function edgesToCsv(edges: readonly NetworkEdge[], unmeasured: ReadonlySet<string> = new Set()): string {
  const isHidden = (edge: NetworkEdge, column: string) => NEED_SHARES.has(column) && isGuessed(edge, unmeasured)
  const rows = edges.map(edge => csvColumns.map(column => (isHidden(edge, column) ? '' : edge[column])))
  return csvText([csvColumns, ...rows])
}

/** How often an edge occurs in the networks of bootstrap replicates. In a tree the direction depends only on the choice of a root. */
export interface EdgeConfidence {
  /** The direction is that of the fitted network or, if it lacks the edge, the more frequent one among the replicates. */
  readonly parent: string
  readonly child: string
  /** The share of replicates with this edge in either direction; even a required pair needs an interval that excludes 1. */
  readonly confidence: number
  /** The share of replicates with this edge in this direction. */
  readonly directed: number
  /** Whether the fitted network has this edge. */
  readonly fitted: boolean
}

/** Lists every edge that the fitted network or a replicate has, the most frequent among the replicates first. */
export function edgeConfidence(
  names: readonly string[],
  fitted: Network,
  replicates: readonly Network[]
): EdgeConfidence[] {
  const m = names.length
  const [counts, inFit] = [new Float64Array(m * m), new Uint8Array(m * m)]
  for (const network of replicates)
    for (const [parent, child] of networkEdges({...network, required: []})) counts[parent * m + child]++
  for (const [parent, child] of networkEdges(fitted)) inFit[parent * m + child] = 1
  const edges: EdgeConfidence[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const [forward, backward] = [i * m + k, k * m + i]
      const isFitted = inFit[forward] + inFit[backward] > 0
      if (!isFitted && counts[forward] + counts[backward] === 0) continue
      const isForward = isFitted ? inFit[forward] === 1 : counts[forward] >= counts[backward]
      const [parent, child] = isForward ? [i, k] : [k, i]
      edges.push({
        parent: names[parent],
        child: names[child],
        confidence: (counts[forward] + counts[backward]) / replicates.length,
        directed: counts[parent * m + child] / replicates.length,
        fitted: isFitted
      })
    }
  return edges.sort((a, b) => b.confidence - a.confidence)
}
