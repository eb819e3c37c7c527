import {counted, grouped, percent} from '../../../src/base/text/index.ts'
import {html, type Markup} from '../../../src/use/report/index.ts'
import {type ExplainingAway, fallOf, type NetworkKind, type TreesEdge, type TreesResult} from './measure.ts'

export const networkNames: Readonly<Record<NetworkKind, string>> = {
  tree: 'tree (paper)',
  'two-parents': 'network of two parents (paper)',
  forest: 'forest (robust)'
}

export const networkNotes: Readonly<Record<NetworkKind, string>> = {
  tree: 'The tree of most mutual information, from moments on the marginal polytope, as in the figure of the paper. No edge has a direction: any concept could be the root.',
  'two-parents':
    'At most two parents per concept, from moments of three concepts at a time, with the score printed in the paper. Arrow heads show where the data determine the direction.',
  forest:
    'The default of adfa: at most one parent per concept, and no edge that the noise of the anchors could explain.'
}

export function agreementText(kind: NetworkKind, agreement: NetworkAgreement): string {
  const {edges, shared, byChance, sharedSigns, tagSigns} = agreement
  const name = networkNames[kind]
  if (edges === 0) return `The ${name} has no edges.`
  const signs = shared === 0 ? '' : `, ${sharedSigns} of these with the same sign`
  return `Of ${counted(edges, 'edge')} of the ${name}, ${shared} are also learned from the tags themselves by the same method (${byChance.toFixed(1)} expected by chance)${signs}; ${tagSigns} of ${edges} have the sign found in the tags.`
}

/** What is proven about a network and the moments it comes from. */
export function proofText({search, moments}: Pick<TreesResult, 'search' | 'moments'>): string {
  const steps = search.steps === null ? '' : ` after ${counted(search.steps, 'step')}`
  const network =
    search.status === 'optimal'
      ? `The search is complete${steps}: no other network of this kind scores higher on these moments.`
      : `The search ended${steps} without proof (${search.status}): another network may score higher${search.gap === null ? '' : ` by up to ${nats(search.gap)}`}.`
  const recovery =
    moments.status === 'optimal'
      ? `The moments are within ${nats(moments.gap)} of the best in their polytope.`
      : `The recovery of the moments stopped (${moments.status}) within ${nats(moments.gap)} of the best in their polytope.`
  return `${network} ${recovery}`
}

function nats(gap: number): string {
  return gap < 0.001 ? '0.001 nats' : `${Number(gap.toPrecision(2))} nats`
}

/** The number of v-structures, and of those in which one parent explains the other away. */
export function explainingSummary(all: readonly ExplainingAway[]): string {
  if (all.length === 0)
    return 'In the network with two parents, no two concepts without an edge both make a third likelier, so there is nothing to explain away.'
  const falls = all.filter(each => fallOf(each) > 0)
  const seen = falls.filter(({tagged: [, , both]}) => both > 0)
  const agree = seen.filter(({tagged: [children, childOther, both, every]}) => every / both < childOther / children)
  const tags =
    seen.length === 0
      ? ''
      : ` According to the tags the other is rarer too in ${agree.length} of the ${seen.length} of these for which documents have both tags.`
  return `In the network with two parents, ${counted(all.length, 'pair')} of concepts without an edge both make a third likelier; in ${falls.length} of ${all.length} one parent explains the other away: once one of the parents is known, the other becomes less likely.${tags}`
}

/** One v-structure, according to the network and to the tags. */
export function explainingText({child, known, other, ...each}: ExplainingAway, names: readonly string[]): Markup {
  const [children, childOther, both, all] = each.tagged
  const change = (from: number, to: number) => (to > from ? 'raises' : to < from ? 'lowers' : 'leaves')
  const then =
    each.givenBoth < each.givenChild ? 'it falls to' : each.givenBoth > each.givenChild ? 'it rises to' : 'it stays at'
  const tags =
    children === 0 || both === 0
      ? `No document has ${children === 0 ? 'the tag of the first' : 'both tags'} to compare with.`
      : `According to the tags: ${percent(childOther / children)} of ${counted(children, 'document')} with ${names[child]}, ${percent(all / both)} of the ${grouped(both)} with ${names[known]} as well.`
  return html`Knowing <strong>${names[child]}</strong> ${change(each.chance, each.givenChild)} the chance of <strong>${names[other]}</strong> from ${percent(each.chance)} to ${percent(each.givenChild)}; once <strong>${names[known]}</strong> is known too, ${then} ${percent(each.givenBoth)}. ${tags}`
}

export interface NetworkAgreement {
  readonly edges: number
  readonly positive: number
  readonly negative: number
  /** Pairs that also have an edge, in either direction, in the network from the tags. */
  readonly shared: number
  /** How many would be if as many edges were drawn at random. */
  readonly byChance: number
  /** Shared pairs with the same sign in both networks. */
  readonly sharedSigns: number
  /** Edges whose sign agrees with how often the two tags occur together. */
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

/** The same for both directions. */
export function pairKey({parent, child}: Pick<TreesEdge, 'parent' | 'child'>): string {
  return parent < child ? `${parent},${child}` : `${child},${parent}`
}

/** The sign of the log odds ratio of two tags. */
function tagSign({tagged: [neither, child, parent, both]}: Pick<TreesEdge, 'tagged'>): TreesEdge['sign'] {
  const difference = both * neither - child * parent
  return difference > 0 ? 'positive' : difference < 0 ? 'negative' : 'none'
}

/** The edges with the most mutual information. */
export function strongestEdges({edges}: TreesResult, count: number): TreesEdge[] {
  return edges
    .toSorted((a, b) => b.mutualInformation - a.mutualInformation || a.child - b.child || a.parent - b.parent)
    .slice(0, count)
}
