import {type BayesNetwork, type NetworkEdge, networkTable} from '../../../base/network/index.ts'
import type {CorpusDocument} from '../../../read/data/index.ts'
import {significant} from '../significant.ts'

/**
 * A v-structure of two parents that no edge links and that both make their child likelier. Once the child is seen, does
 * the `known` parent make the `other` less likely? Of the two ways to ask, the one with the larger fall.
 */
export type ExplainingAway = {
  readonly child: number
  readonly known: number
  readonly other: number
  /** P(other), P(other | child) and P(other | child, known) in the network. */
  readonly chance: number
  readonly givenChild: number
  readonly givenBoth: number
  /** The same by the tags: documents with the child, those of them with `other`; with child and `known`, and with all. */
  readonly tagged: readonly [child: number, childOther: number, childKnown: number, all: number]
}

/** Largest fall first. `edges` are those of the network, in the order of the children. */
export function explainingAway(
  network: BayesNetwork,
  edges: readonly (Pick<NetworkEdge, 'sign'> & {readonly parent: number; readonly child: number})[],
  documents: readonly CorpusDocument[]
): ExplainingAway[] {
  const raises = new Set(edges.filter(({sign}) => sign === 'positive').map(({parent, child}) => `${parent},${child}`))
  const found = network.parents.flatMap((list, child) => {
    const raising = list.filter(parent => raises.has(`${parent},${child}`))
    return pairsOf(raising)
      .filter(([a, b]) => !network.parents[a].includes(b) && !network.parents[b].includes(a))
      .map(pair => strongerWay(network, child, pair))
  })
  return found
    .map(each => ({...each, tagged: tagCounts(each, documents)}))
    .sort((a, b) => fallOf(b) - fallOf(a) || a.child - b.child)
}

/** How much less likely the other parent becomes; below 0, how much likelier. */
export function fallOf({givenChild, givenBoth}: Pick<ExplainingAway, 'givenChild' | 'givenBoth'>): number {
  return givenChild - givenBoth
}

function pairsOf(list: readonly number[]): (readonly [number, number])[] {
  return list.flatMap((a, at) => list.slice(at + 1).map(b => [a, b] as const))
}

function strongerWay(network: BayesNetwork, child: number, [a, b]: readonly [number, number]) {
  const ways = [
    {child, known: a, other: b},
    {child, known: b, other: a}
  ].map(way => ({...way, ...chances(network, way)}))
  return fallOf(ways[1]) > fallOf(ways[0]) ? ways[1] : ways[0]
}

function chances(network: BayesNetwork, {child, known, other}: Pick<ExplainingAway, 'child' | 'known' | 'other'>) {
  // Cell 4 child + 2 known + other.
  const p = networkTable(network, [child, known, other])
  return {
    chance: significant(p[1] + p[3] + p[5] + p[7]),
    givenChild: significant((p[5] + p[7]) / (p[4] + p[5] + p[6] + p[7])),
    givenBoth: significant(p[7] / (p[6] + p[7]))
  }
}

function tagCounts(
  {child, known, other}: Pick<ExplainingAway, 'child' | 'known' | 'other'>,
  documents: readonly CorpusDocument[]
): ExplainingAway['tagged'] {
  const having = (all: readonly CorpusDocument[], i: number) => all.filter(({truth}) => truth?.[i] === 1)
  const children = having(documents, child)
  const both = having(children, known)
  return [children.length, having(children, other).length, both.length, having(both, other).length]
}
