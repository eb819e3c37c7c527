import {
  type BayesNetwork,
  edgeList,
  isPairNetwork,
  type NetworkEdge,
  networkEdges,
  networkTable
} from '../../src/base/network/index.ts'
import {counted, percent} from '../../src/base/text/index.ts'
import {fit} from '../../src/learn/fit.ts'
import type {FitOptions} from '../../src/learn/options.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import type {CorpusDocument} from '../../src/read/data/index.ts'
import {edgeInWords} from '../../src/use/facts/index.ts'
import {
  type Experiment,
  type Results,
  type Row,
  type ShownTable,
  short,
  significant,
  type Tables
} from './experiment.ts'
import {anchorCorpus, type Material, tagCorpus} from './material.ts'

type NetworkKind = 'tree' | 'two-parents' | 'forest'

export type TreesCell = {
  readonly network: NetworkKind
  /** Tags: the same learner with every tag as its own perfect anchor. */
  readonly source: 'anchors' | 'tags'
  readonly seed: number
  readonly gap?: number
}

/** Names in pictures and tables. */
const kinds: Readonly<Record<NetworkKind, string>> = {
  tree: 'tree (paper)',
  'two-parents': 'network of two parents (paper)',
  forest: 'forest (robust)'
}

/** Relative cost: seconds for 24,000 documents and 50 concepts. The slowest come first. */
const COSTS: Readonly<Record<NetworkKind, number>> = {'two-parents': 20, tree: 2, forest: 0.2}

/** There are no words; the options for words only avoid preparing for them. */
const learners: Readonly<Record<NetworkKind, FitOptions>> = {
  tree: {preset: 'paper', polytope: 'marginal'},
  'two-parents': {preset: 'paper', network: 'indegree:2'},
  forest: {preset: 'robust', noise: 'given', network: 'indegree:1', words: 'noisy-or'}
}

/** Section 5.3 and the supplement: trees, and networks with two parents per concept. A cell learns one network. */
export const trees: Experiment<TreesCell> = {
  name: 'trees',
  title: 'Networks of the concepts',
  about:
    'Section 5.3 of the paper shows a tree over its concepts and parts of a network with two parents per concept; the supplement shows both in full. It finds edges between related concepts, although the learner uses anchors alone. Here every network is also learned from the tags themselves, by the same method.',
  claims: [
    {
      where: '5.3',
      says: 'The tree links concepts that occur together, though only anchors are observed.',
      rule: 'Holds: at least half of its edges are also in the tree learned from the tags; partly: more than three times as many as by chance. Shown: edges in both, of all (by chance).',
      judge(results) {
        if (results.rows('networks').length === 0) return undefined
        const {edges, shared, byChance} = agreementOf(results, 'tree')
        return {
          verdict: 2 * shared >= edges ? 'holds' : shared > 3 * byChance ? 'partly' : 'not',
          shown: `${shared} of ${edges} (${byChance.toFixed(1)})`
        }
      }
    },
    {
      where: '5.3',
      says: 'With two parents per concept, the network shows explaining away.',
      rule: 'Holds: one parent makes the other rarer in most pairs of unlinked parents, and the tags agree in most of them. Shown: pairs with explaining away, of all; tags agree.',
      judge(results) {
        const pairs = results.rows('explaining-away', {network: 'two-parents', source: 'anchors'})
        if (pairs.length === 0) return undefined
        const falls = pairs.filter(each => fallOf(each) > 0)
        const told = falls.filter(({tagsChildKnown}) => Number(tagsChildKnown) > 0)
        const agree = told.filter(
          ({tagsChild, tagsChildOther, tagsChildKnown, tagsAll}) =>
            Number(tagsAll) / Number(tagsChildKnown) < Number(tagsChildOther) / Number(tagsChild)
        )
        return {
          verdict: 2 * falls.length <= pairs.length ? 'not' : 2 * agree.length > told.length ? 'holds' : 'partly',
          shown: `${falls.length} of ${pairs.length}; ${agree.length} of ${told.length}`
        }
      }
    }
  ],
  cells: (_, {seed, gap}) =>
    (Object.keys(COSTS) as NetworkKind[]).flatMap(network =>
      (['anchors', 'tags'] as const).map(source => ({network, source, seed, ...(gap && {gap})}))
    ),
  cost: ({network}) => COSTS[network],
  measure: measureNetwork,
  figures: (results, {lexicon}) =>
    (['tree', 'two-parents'] as const).map(network => {
      const where = {network, source: 'anchors'}
      const learned = networkOf(results, lexicon.anchors, where)
      const [{documents, edges}] = results.rows('networks', where)
      const caption = `The ${kinds[network]}, learned from the anchors of ${counted(Number(documents), 'document')}: ${counted(Number(edges), 'edge')} between ${counted(learned.parents.length, 'concept')}.`
      return {name: network, caption, network: learned}
    }),
  tables: results => [networksTable(results), strongestTable(results), explainingTable(results)],
  notes: () => [
    'The tree has the most mutual information, from moments on the marginal polytope; no edge of it has a direction. The network of two parents comes from moments of three concepts at a time, with the score printed in the paper; arrow heads show where the data determine the direction. The forest has at most one parent per concept, and no edge that the noise of the anchors could explain.'
  ]
}

/** Learns one network from all documents. */
export async function measureNetwork(
  material: Material,
  {network: kind, source, seed, gap}: TreesCell
): Promise<Tables> {
  const corpus = source === 'anchors' ? anchorCorpus(material) : tagCorpus(material, material.name)
  const {
    network,
    concepts,
    certificate: {structure, moments}
  } = await fit(countCorpus(corpus), {...learners[kind], seed, ...(gap && {gap})})
  if (isPairNetwork(network) || !('bic' in structure)) throw new Error('internal error: not a directed network')
  const names = concepts.map(({name}) => name)
  const list = edgeList(network, names)
  const ends = networkEdges(network)
  const facts = {
    documents: corpus.documents.length,
    edges: ends.length,
    searchMethod: structure.method,
    searchStatus: structure.status,
    score: significant(structure.score),
    scoreGap: structure.gap === undefined ? null : significant(structure.gap, 4),
    searchSteps: structure.steps ?? null,
    bic: significant(structure.bic),
    momentStatus: moments.status,
    momentObjective: significant(moments.objective),
    momentGap: significant(moments.gap, 4),
    momentSteps: moments.steps
  }
  const edges = ends.map(([parent, child], at): Row => {
    const {sign, mutualInformation, strength, childWithout, childWith} = list[at]
    const [neither, childOnly, parentOnly, both] = tagTable(parent, child, material.documents)
    return {
      ...{parent: names[parent], child: names[child], sign, mutualInformation: significant(mutualInformation)},
      ...{strength: significant(strength), childWithout: significant(childWithout), childWith: significant(childWith)},
      ...{tagsNeither: neither, tagsChildOnly: childOnly, tagsParentOnly: parentOnly, tagsBoth: both}
    }
  })
  // The states of the parents as digits, in the order of the edges.
  const probabilities = network.cpt.flatMap((chances, i) =>
    Array.from(chances, (chance, state): Row => {
      const {length} = network.parents[i]
      const parentStates = length === 0 ? '' : state.toString(2).padStart(length, '0')
      return {concept: names[i], parentStates, probability: significant(chance)}
    })
  )
  const positive = new Set(list.flatMap(({sign}, at) => (sign === 'positive' ? [ends[at].join()] : [])))
  const explaining = explainingAway(network, positive, material.documents).map(
    ({child, known, other, ...rest}): Row => ({
      ...{child: names[child], known: names[known], other: names[other]},
      ...rest
    })
  )
  return {networks: [facts], edges, probabilities, 'explaining-away': explaining}
}

/** Without documents in which one of the two tags is unknown. */
function tagTable(parent: number, child: number, documents: readonly CorpusDocument[]): number[] {
  const table = [0, 0, 0, 0]
  for (const {labels} of documents)
    if (labels !== undefined && labels[parent] >= 0 && labels[child] >= 0) table[2 * labels[parent] + labels[child]]++
  return table
}

/**
 * The v-structures of two unlinked parents that both make their child likelier (`positive` has those edges as "parent,child"), the
 * largest drop first. Given the child, does the `known` parent make the `other` less likely? Of the two ways to ask, the one with the
 * larger drop: P(other), P(other | child) and P(other | child, known) in the network, and numbers of documents by their tags.
 */
export function explainingAway(
  network: BayesNetwork,
  positive: ReadonlySet<string>,
  documents: readonly CorpusDocument[]
) {
  const having = (some: readonly CorpusDocument[], i: number) => some.filter(({labels}) => labels?.[i] === 1)
  const found = network.parents.flatMap((list, child) => {
    const raising = list.filter(parent => positive.has(`${parent},${child}`))
    const pairs = raising.flatMap((a, at) => raising.slice(at + 1).map(b => [a, b]))
    return pairs
      .filter(([a, b]) => !network.parents[a].includes(b) && !network.parents[b].includes(a))
      .map(([a, b]) => {
        const [one, two] = [chances(network, child, a, b), chances(network, child, b, a)]
        return fallOf(two) > fallOf(one) ? two : one
      })
  })
  return found
    .map(each => {
      const children = having(documents, each.child)
      const both = having(children, each.known)
      return {
        ...each,
        tagsChild: children.length,
        tagsChildOther: having(children, each.other).length,
        tagsChildKnown: both.length,
        tagsAll: having(both, each.other).length
      }
    })
    .sort((a, b) => fallOf(b) - fallOf(a) || a.child - b.child)
}

function chances(network: BayesNetwork, child: number, known: number, other: number) {
  // Cell 4 child + 2 known + other.
  const p = networkTable(network, [child, known, other])
  return {
    ...{child, known, other},
    chance: significant(p[1] + p[3] + p[5] + p[7]),
    givenChild: significant((p[5] + p[7]) / (p[4] + p[5] + p[6] + p[7])),
    givenBoth: significant(p[7] / (p[6] + p[7]))
  }
}

/** How much less likely the other parent becomes; below 0, how much likelier. */
function fallOf({givenChild, givenBoth}: Row): number {
  return Number(givenChild) - Number(givenBoth)
}

/** The network that was measured, from its rows. */
function networkOf(
  results: Results,
  anchors: readonly {readonly concept: string}[],
  where: Readonly<Record<string, string>>
): BayesNetwork {
  const numbers = new Map(anchors.map(({concept}, i) => [concept, i]))
  const edges = results.rows('edges', where)
  return {
    parents: anchors.map(({concept}) =>
      edges.flatMap(({parent, child}) => (child === concept ? (numbers.get(`${parent}`) ?? []) : []))
    ),
    cpt: anchors.map(({concept}) =>
      Float64Array.from(results.values('probabilities', 'probability', {...where, concept}))
    )
  }
}

/** The same for both directions. */
function pairKey({parent, child}: Row): string {
  return JSON.stringify([parent, child].sort())
}

/** How a network learned from anchors agrees with the one from the tags, and with how often two tags occur together. */
function agreementOf(results: Results, network: string) {
  const [found, fromTags] = ['anchors', 'tags'].map(source => results.rows('edges', {network, source}))
  const signs = new Map(fromTags.map(edge => [pairKey(edge), edge.sign]))
  const shared = found.filter(edge => signs.has(pairKey(edge)))
  const concepts = new Set(results.rows('probabilities', {network, source: 'anchors'}).map(({concept}) => concept)).size
  const tagSign = ({tagsNeither, tagsChildOnly, tagsParentOnly, tagsBoth}: Row) => {
    const difference = Number(tagsBoth) * Number(tagsNeither) - Number(tagsChildOnly) * Number(tagsParentOnly)
    return difference > 0 ? 'positive' : difference < 0 ? 'negative' : 'none'
  }
  return {
    edges: found.length,
    positive: found.filter(({sign}) => sign === 'positive').length,
    fromTags: fromTags.length,
    shared: shared.length,
    /** How many would be shared if as many edges were drawn at random. */
    byChance: concepts < 2 ? 0 : (found.length * fromTags.length) / ((concepts * (concepts - 1)) / 2),
    sharedSigns: shared.filter(edge => signs.get(pairKey(edge)) === edge.sign).length,
    tagSigns: found.filter(edge => edge.sign === tagSign(edge)).length
  }
}

function networksTable(results: Results): ShownTable {
  const rows = Object.entries(kinds).map(([network, name]) => {
    const {edges, positive, fromTags, shared, byChance, sharedSigns, tagSigns} = agreementOf(results, network)
    const [{searchStatus, scoreGap, momentGap}] = results.rows('networks', {network, source: 'anchors'})
    const proof = searchStatus === 'optimal' ? 'best' : `${searchStatus}, within ${short(Number(scoreGap))}`
    return [
      ...[name, edges, positive, fromTags, `${shared} of ${edges} (${byChance.toFixed(1)})`],
      ...[`${sharedSigns} of ${shared}`, `${tagSigns} of ${edges}`, proof, short(Number(momentGap))]
    ]
  })
  return {
    name: 'networks',
    caption:
      'Networks learned from anchors: edges that are also learned from the tags (expected by chance), their signs, what is proven of their score, and the gap of their moments in nats',
    head: [
      ...['network', 'edges', 'together', 'edges from tags', 'edges in both', 'same sign in both'],
      ...['sign as in the tags', 'score', 'gap of moments']
    ],
    rows
  }
}

const STRONGEST = 10

function strongestTable(results: Results): ShownTable {
  const rows = Object.entries(kinds).flatMap(([network, name]) => {
    const fromTags = new Set(results.rows('edges', {network, source: 'tags'}).map(pairKey))
    return results
      .rows('edges', {network, source: 'anchors'})
      .toSorted((a, b) => Number(b.mutualInformation) - Number(a.mutualInformation))
      .slice(0, STRONGEST)
      .map(edge => [
        name,
        edgeInWords(edge as unknown as NetworkEdge),
        `${share(edge.tagsBoth, edge.tagsParentOnly)} with, ${share(edge.tagsChildOnly, edge.tagsNeither)} without`,
        Number(edge.mutualInformation).toFixed(4),
        fromTags.has(pairKey(edge)) ? 'yes' : 'no'
      ])
  })
  return {
    name: 'strongest',
    caption: 'The edges with the most mutual information in each network, averaged over other parents',
    head: ['network', 'edge', 'according to the tags', 'mutual information (nats)', 'edge from tags too'],
    rows
  }
}

/** The share of `some` among both. */
function share(some: Row[string], rest: Row[string]): string {
  const all = Number(some) + Number(rest)
  return all === 0 ? 'no document' : percent(Number(some) / all)
}

const SHOWN_DROPS = 3

function explainingTable(results: Results): ShownTable {
  const drops = results
    .rows('explaining-away', {network: 'two-parents', source: 'anchors'})
    .filter(each => fallOf(each) > 0)
    .slice(0, SHOWN_DROPS)
  return {
    name: 'explaining',
    caption:
      'Explaining away in the network with two parents: the probability of a parent, given its child, and given the other parent too; then according to the tags. The example of the paper: cellulitis and pneumonia can both cause septic shock, and once one of them is known, the other becomes less likely',
    head: ['child', 'parent', 'known parent', 'alone', 'given the child', 'given both', 'tags: child', 'tags: both'],
    rows: drops.map(({child, other, known, chance, givenChild, givenBoth, ...tags}) => [
      ...[`${child}`, `${other}`, `${known}`, ...[chance, givenChild, givenBoth].map(p => percent(Number(p)))],
      share(tags.tagsChildOther, Number(tags.tagsChild) - Number(tags.tagsChildOther)),
      share(tags.tagsAll, Number(tags.tagsChildKnown) - Number(tags.tagsAll))
    ])
  }
}
