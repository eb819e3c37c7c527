import {
  type BayesNetwork,
  edgeList,
  isPairNetwork,
  junctionTree,
  type Network,
  type NetworkEdge,
  networkEdges,
  type ShownEdge
} from '../../base/network/index.ts'
import {exp, logit} from '../../base/numeric/index.ts'
import {factorText, percent} from '../../base/text/index.ts'
import type {IntervalEnds} from '../../learn/bootstrap.ts'
import type {Model} from '../../learn/model/index.ts'
import {measuredConcepts} from '../prediction/index.ts'
import {edgeKey} from './certificate-facts.ts'
import {hasRule, type LinkRules} from './link-rules.ts'

/** A concept joined to another by an edge, seen from that other. */
export interface Neighbour {
  readonly index: number
  /** P(neighbour) in documents that have the concept, and in those that do not. */
  readonly shareWith: number
  readonly shareWithout: number
  /** The log odds ratio of the edge, the same from both of its ends; infinite where one chance is 0 or 1. */
  readonly strength: number
}

/** Whether the edges of a network can be described as its picture needs: of a directed one by exact sums. */
export function isDrawable({network}: Pick<Model, 'network'>): boolean {
  return isPairNetwork(network) || junctionTree(network) !== undefined
}

/** An edge with the numbers of its ends. */
export type PlacedEdge = ShownEdge & {
  readonly from: number
  readonly to: number
  readonly isRequired: boolean
}

/** Of a concept in a network of pairs, which has too many edges for one picture. */
const EDGES_DRAWN = 2

/** What a picture shows. */
export interface DrawnEdges {
  readonly drawn: readonly PlacedEdge[]
  /** How many others there are between the concepts shown. */
  readonly left: number
  /** The concepts shown, in order. */
  readonly shown: readonly number[]
  /** Concepts shown that must not be joined, and are not. */
  readonly forbidden: readonly (readonly [from: number, to: number])[]
}

/**
 * The edges of a picture: of pairs, the two of each concept with the greatest mutual information, and those that are required. `around` a
 * concept: its own edges, and those between its neighbours.
 */
export function drawnEdges(
  network: Network,
  names: readonly string[],
  around?: number,
  rules: LinkRules = {require: [], forbid: []}
): DrawnEdges {
  const described = edgeList(network, names)
  const all = networkEdges(network).map(
    ([from, to], at): PlacedEdge => ({
      ...described[at],
      from,
      to,
      isRequired: hasRule(rules.require, names[from], names[to])
    })
  )
  const isOwn = ({from, to}: PlacedEdge) => from === around || to === around
  const near = new Set([around, ...all.filter(isOwn).flatMap(({from, to}) => [from, to])])
  const shown = [...names.keys()].filter(i => around === undefined || near.has(i))
  const edges = around === undefined ? all : all.filter(({from, to}) => near.has(from) && near.has(to))
  const isJoined = new Set(all.flatMap(({from, to}) => [`${from} ${to}`, `${to} ${from}`]))
  const forbidden = rules.forbid
    .map(([a, b]) => [names.indexOf(a), names.indexOf(b)] as const)
    .filter(([from, to]) => shown.includes(from) && shown.includes(to) && !isJoined.has(`${from} ${to}`))
  if (!isPairNetwork(network)) return {drawn: edges, left: 0, shown, forbidden}
  const times = names.map(() => 0)
  const isFree = ({from, to}: PlacedEdge) => Math.min(times[from]++, times[to]++) < EDGES_DRAWN
  const chosen = new Set(
    edges
      .toSorted((a, b) => b.mutualInformation - a.mutualInformation)
      .filter(edge => isFree(edge) || isOwn(edge) || edge.isRequired)
  )
  return {drawn: edges.filter(edge => chosen.has(edge)), left: edges.length - chosen.size, shown, forbidden}
}

/**
 * The neighbours of every concept, strongest first: how likely each is with and without that concept. From a child's
 * side that is Bayes' rule with the parent's prevalence. In networks too dense for exact sums the other parents of a child
 * are taken as independent.
 */
export function networkNeighbours(model: Pick<Model, 'network' | 'concepts'>): Neighbour[][] {
  const neighbours: Neighbour[][] = model.concepts.map(() => [])
  const chances = edgeChances(model)
  networkEdges(model.network).forEach(([parent, child], at) => {
    const {childWithout, childWith} = chances[at]
    const p = model.concepts[parent].prevalence
    const strength = childWith === childWithout ? 0 : logit(childWith) - logit(childWithout)
    const parentGiven = (chanceWith: number, chanceWithout: number) => {
      const both = p * chanceWith
      return both === 0 ? 0 : both / (both + (1 - p) * chanceWithout)
    }
    neighbours[parent].push({index: child, shareWith: childWith, shareWithout: childWithout, strength})
    neighbours[child].push({
      index: parent,
      shareWith: parentGiven(childWith, childWithout),
      shareWithout: parentGiven(1 - childWith, 1 - childWithout),
      strength
    })
  })
  return neighbours.map(list => list.sort((a, b) => Math.abs(b.strength) - Math.abs(a.strength) || a.index - b.index))
}

/** Two concepts that a network joins. */
export interface Link {
  readonly a: number
  readonly b: number
  /** The log odds ratio; infinite where one excludes or implies the other. */
  readonly strength: number
  /** Absent where the prevalence of a or b was not measured. */
  readonly shares?: LinkShares
  /** The share of resamples that have the link too. */
  readonly confidence?: number
}

interface LinkShares {
  /** The share of documents with b among those with a, and among those without it. */
  readonly withA: number
  readonly withoutA: number
  /** The same of a, by b. */
  readonly withB: number
  readonly withoutB: number
}

/** Every edge of a network once, strongest first; `confidence` by {@link edgeKey}. */
export function networkLinks(model: Model, confidence?: ReadonlyMap<string, number>): Link[] {
  const neighbours = networkNeighbours(model)
  const isKnown = measuredConcepts(model)
  const links = neighbours.flatMap((list, a) =>
    list
      .filter(({index}) => index > a)
      .map(({index: b, strength, shareWith, shareWithout}): Link => {
        const back = neighbours[b].find(({index}) => index === a)
        const shares = {
          withA: shareWith,
          withoutA: shareWithout,
          withB: back?.shareWith ?? 0,
          withoutB: back?.shareWithout ?? 0
        }
        const found = confidence && (confidence.get(edgeKey(model.concepts[a].name, model.concepts[b].name)) ?? 0)
        const isMeasured = isKnown[a] && isKnown[b]
        return {a, b, strength, ...(isMeasured && {shares}), ...(found !== undefined && {confidence: found})}
      })
  )
  return links.sort((x, y) => Math.abs(y.strength) - Math.abs(x.strength) || x.a - y.a || x.b - y.b)
}

type EdgeChances = Pick<NetworkEdge, 'childWithout' | 'childWith'>

/** In the order of the network's edges. */
function edgeChances(model: Pick<Model, 'network' | 'concepts'>): EdgeChances[] {
  const {network, concepts} = model
  if (isPairNetwork(network) || isDrawable(model))
    return edgeList(
      network,
      concepts.map(({name}) => name)
    )
  return network.parents.flatMap((parents, child) =>
    parents.map((_, at) => meanChances({network, concepts}, child, at))
  )
}

/** P(child) without and with its parent at place `at`; the other parents are independent, at their prevalence. */
function meanChances(
  {network, concepts}: Pick<Model<BayesNetwork>, 'network' | 'concepts'>,
  child: number,
  at: number
): EdgeChances {
  const parents = network.parents[child]
  const isOn = (row: number, place: number) => ((row >> (parents.length - 1 - place)) & 1) === 1
  let [childWithout, childWith] = [0, 0]
  network.cpt[child].forEach((chance, row) => {
    const share = parents.reduce((product, k, place) => {
      const p = concepts[k].prevalence
      return place === at ? product : product * (isOn(row, place) ? p : 1 - p)
    }, 1)
    if (isOn(row, at)) childWith += share * chance
    else childWithout += share * chance
  })
  return {childWithout, childWith}
}

/**
 * How often two concepts occur together, in words: "far more often than by chance". The bounds are odds ratios of about 1.5,
 * 3, 10 and 50.
 */
export function strengthInWords(strength: number): string {
  if (strength === 0) return 'as often as by chance'
  return `${DEGREES[strengthDegree(strength) - 1]} ${strength > 0 ? 'more' : 'less'} often than by chance`
}

const DEGREES = ['barely', 'slightly', 'clearly', 'much', 'far'] as const
const BOUNDS = [0.4, 1.1, 2.3, 3.9] as const

/** From 1, barely, to 5, far; whichever its sign. */
export function strengthDegree(strength: number): number {
  return 1 + BOUNDS.filter(bound => Math.abs(strength) >= bound).length
}

/** A factor of the odds: "× 3.2", "÷ 2.0"; with the interval of an odds ratio, "× 3.1 (2.4 to 4.0)". */
export function oddsText(logOdds: number, range?: IntervalEnds): string {
  const {isMore, factor, interval} = oddsParts(logOdds, range)
  return `${isMore ? '×' : '÷'}\u00a0${factor}${interval === '' ? '' : ` (${interval})`}`
}

/** The interval of a factor alone: "2.4 to 4.0". */
export function oddsInterval(logOdds: number, range: IntervalEnds): string {
  return oddsParts(logOdds, range).interval
}

/** The same in words: "3.1 times the odds", "odds divided by 2.0". */
export function oddsInWords(logOdds: number): string {
  const {isMore, factor} = oddsParts(logOdds, undefined)
  return isMore ? `${factor} times the odds` : `odds divided by ${factor}`
}

function oddsParts(logOdds: number, range: IntervalEnds | undefined) {
  const isMore = logOdds >= 0
  const [low, high] = range === undefined || isMore ? (range ?? []) : [1 / range[1], 1 / range[0]]
  const interval = low === undefined || high === undefined ? '' : `${factorText(low)} to ${factorText(high)}`
  return {isMore, factor: factorText(exp(Math.abs(logOdds))), interval}
}

/**
 * "flu and fever occur together far more often than by chance; fever is in 60% of documents with flu,
 * in 10% without".
 */
export function edgeInWords({parent, child, sign, strength, childWith, childWithout}: ShownEdge): string {
  const how = strengthInWords(sign === 'none' ? 0 : strength)
  const shares =
    childWith === undefined || childWithout === undefined
      ? ''
      : `; ${child} is in ${percent(childWith)} of documents with ${parent}, in ${percent(childWithout)} without`
  return `${parent} and ${child} occur together ${how}${shares}`
}
