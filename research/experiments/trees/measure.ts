import {AdfaError} from '../../../src/base/checks/index.ts'
import {
  type BayesNetwork,
  edgeList,
  isPairNetwork,
  type NetworkEdge,
  networkEdges,
  networkTable
} from '../../../src/base/network/index.ts'
import {fit} from '../../../src/learn/fit.ts'
import type {FitOptions} from '../../../src/learn/options.ts'
import {countCorpus} from '../../../src/read/counts/index.ts'
import type {Corpus, CorpusDocument} from '../../../src/read/data/index.ts'
import {significant} from '../experiment.ts'
import {anchorsWithTagRates, type Material} from '../material.ts'

export const networkKinds = ['tree', 'two-parents', 'forest'] as const
export type NetworkKind = (typeof networkKinds)[number]

export type TreesCell = {
  readonly network: NetworkKind
  /** Tags: the same learner with every tag as its own perfect anchor. */
  readonly source: 'anchors' | 'tags'
  readonly seed: number
  readonly gap?: number
}

/** An edge by the numbers of its concepts. */
export type TreesEdge = {
  readonly parent: number
  readonly child: number
  readonly sign: NetworkEdge['sign']
  readonly mutualInformation: number
  readonly strength: number
  readonly childWithout: number
  readonly childWith: number
  /** Documents by their tags: neither, child only, parent only, both. */
  readonly tagged: readonly [number, number, number, number]
}

export type TreesRun = {readonly cell: TreesCell; readonly result: TreesResult}

export type TreesResult = {
  readonly documents: number
  readonly parents: readonly (readonly number[])[]
  /** P(concept | parents), the first parent the most significant bit. */
  readonly cpt: readonly (readonly number[])[]
  readonly edges: readonly TreesEdge[]
  readonly explaining: readonly ExplainingAway[]
  readonly search: {
    readonly method: string
    readonly status: string
    readonly score: number
    readonly gap: number | null
    readonly steps: number | null
    readonly bic: number
  }
  readonly moments: {
    readonly status: string
    readonly objective: number
    readonly gap: number
    readonly steps: number
  }
}

/** There are no words; the options for words only avoid preparing for them. */
const learners: Readonly<Record<NetworkKind, FitOptions>> = {
  tree: {preset: 'paper', polytope: 'marginal'},
  'two-parents': {preset: 'paper', network: 'indegree:2'},
  forest: {preset: 'robust', noise: 'given', network: 'indegree:1', words: 'noisy-or'}
}

/** Learn one network from all documents. */
export async function measureNetwork(
  material: Material,
  {network: kind, source, seed, gap}: TreesCell
): Promise<TreesResult> {
  const corpus = source === 'anchors' ? anchorCorpus(material) : tagCorpus(material)
  const {
    network,
    concepts,
    certificate: {structure, moments}
  } = await fit(countCorpus(corpus), {...learners[kind], seed, ...(gap && {gap})})
  if (isPairNetwork(network) || !('bic' in structure)) throw new Error('internal error: not a directed network')
  const names = concepts.map(({name}) => name)
  const list = edgeList(network, names)
  const edges = networkEdges(network).map(([parent, child], at) =>
    edgeResult(parent, child, list[at], material.documents)
  )
  return {
    documents: corpus.documents.length,
    parents: network.parents,
    cpt: network.cpt.map(chances => Array.from(chances, p => significant(p))),
    edges,
    explaining: explainingAway(network, edges, material.documents),
    search: {
      method: structure.method,
      status: structure.status,
      score: significant(structure.score),
      gap: structure.gap === undefined ? null : significant(structure.gap, 4),
      steps: structure.steps ?? null,
      bic: significant(structure.bic)
    },
    moments: {
      status: moments.status,
      objective: significant(moments.objective),
      gap: significant(moments.gap, 4),
      steps: moments.steps
    }
  }
}

function edgeResult(parent: number, child: number, edge: NetworkEdge, documents: readonly CorpusDocument[]): TreesEdge {
  return {
    parent,
    child,
    sign: edge.sign,
    mutualInformation: significant(edge.mutualInformation),
    strength: significant(edge.strength),
    childWithout: significant(edge.childWithout),
    childWith: significant(edge.childWith),
    tagged: tagTable(parent, child, documents)
  }
}

/** Without documents in which one of the two tags is unknown. */
function tagTable(parent: number, child: number, documents: readonly CorpusDocument[]): TreesEdge['tagged'] {
  const table: [number, number, number, number] = [0, 0, 0, 0]
  for (const {labels} of documents)
    if (labels !== undefined && labels[parent] >= 0 && labels[child] >= 0) table[2 * labels[parent] + labels[child]]++
  return table
}

/** A rate of exactly 0 or 1 is refused; at this distance, moments differ from counting by less than 1e-8. */
const NEARLY_NEVER = 1e-9

/** All documents with their anchors alone, and the rates given by the tags: what a network is learned from. */
function anchorCorpus({lexicon, documents}: Material): Corpus {
  return {
    lexicon: {...lexicon, words: [], anchors: anchorsWithTagRates(lexicon, documents)},
    documents: documents.map(document => ({...document, words: []}))
  }
}

/** The same with every tag as its own perfect anchor, without documents whose tags are not all known. */
export function tagCorpus({name, lexicon, documents}: Material): Corpus {
  const anchors = lexicon.anchors.map(({concept}) => ({
    concept,
    any: [concept],
    not: [],
    rates: {kind: 'rates', truePositive: 1 - NEARLY_NEVER, falsePositive: NEARLY_NEVER} as const
  }))
  const tagged = documents.flatMap(({key, labels}): CorpusDocument[] => {
    if (labels === undefined || labels.includes(-1)) return []
    const tags = [...labels.keys()].filter(i => labels[i] === 1)
    return [{key, labels, words: [], anchors: tags, members: tags}]
  })
  if (tagged.length === 0)
    throw new AdfaError(
      'bad-document',
      `${name}: no document has all its tags known, which learning a network from tags needs; give documents with "tags", not "labels" of some concepts`
    )
  return {lexicon: {...lexicon, words: [], anchors}, documents: tagged}
}

/**
 * A v-structure of two unlinked parents that both make their child likelier. Given the child, does the `known` parent make
 * the `other` less likely? Of the two ways to ask, the one with the larger drop.
 */
export type ExplainingAway = {
  readonly child: number
  readonly known: number
  readonly other: number
  /** P(other), P(other | child) and P(other | child, known) in the network. */
  readonly chance: number
  readonly givenChild: number
  readonly givenBoth: number
  /** Numbers of documents by their tags: with the child; with child and `other`; with child and `known`; with all three. */
  readonly tagged: readonly [child: number, childOther: number, childKnown: number, all: number]
}

/** Largest drop first. `edges` are those of the network, in order of the children. */
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
  const having = (all: readonly CorpusDocument[], i: number) => all.filter(({labels}) => labels?.[i] === 1)
  const children = having(documents, child)
  const both = having(children, known)
  return [children.length, having(children, other).length, both.length, having(both, other).length]
}
