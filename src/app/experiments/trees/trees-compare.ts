import type {TreesEdge, TreesResult} from './trees-measure.ts'

/** How far a network learned from anchors agrees with the tags. */
export interface NetworkAgreement {
  readonly edges: number
  readonly positive: number
  readonly negative: number
  /** Pairs that are linked, in whichever direction, in the network of the tags too. */
  readonly shared: number
  /** How many would be, were as many pairs linked at random. */
  readonly byChance: number
  /** Of the shared, those with the same sign in both networks. */
  readonly sharedSigns: number
  /** Of all edges, those whose tags occur together more, or less, often than by chance, as the edge says. */
  readonly tagSigns: number
}

export function compareNetworks(found: TreesResult, fromTags: TreesResult): NetworkAgreement {
  const signs = new Map(fromTags.edges.map(edge => [pairKey(edge), edge.sign]))
  const shared = found.edges.filter(edge => signs.has(pairKey(edge)))
  const m = found.parents.length
  const pairs = (m * (m - 1)) / 2
  return {
    edges: found.edges.length,
    positive: found.edges.filter(({sign}) => sign === 'positive').length,
    negative: found.edges.filter(({sign}) => sign === 'negative').length,
    shared: shared.length,
    byChance: pairs === 0 ? 0 : (found.edges.length * fromTags.edges.length) / pairs,
    sharedSigns: shared.filter(edge => signs.get(pairKey(edge)) === edge.sign).length,
    tagSigns: found.edges.filter(edge => edge.sign === tagSign(edge)).length
  }
}

/** Names a pair whatever the direction. */
export function pairKey({parent, child}: Pick<TreesEdge, 'parent' | 'child'>): string {
  return parent < child ? `${parent},${child}` : `${child},${parent}`
}

/** The sign of the log odds ratio of two tags. */
export function tagSign({tagged: [neither, child, parent, both]}: Pick<TreesEdge, 'tagged'>): TreesEdge['sign'] {
  const difference = both * neither - child * parent
  return difference > 0 ? 'positive' : difference < 0 ? 'negative' : 'none'
}

/** The edges of most mutual information. */
export function strongestEdges({edges}: TreesResult, count: number): TreesEdge[] {
  return edges
    .toSorted((a, b) => b.mutualInformation - a.mutualInformation || a.child - b.child || a.parent - b.parent)
    .slice(0, count)
}
