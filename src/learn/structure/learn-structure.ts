import {AdfaError, shownValue, withDefaults} from '../../base/checks/index.ts'
import {type BayesNetwork, findCycle, type Parents} from '../../base/network/index.ts'
import {clamp} from '../../base/numeric/index.ts'
import type {Moments} from '../moments/index.ts'
import type {Rates} from '../noise/index.ts'
import {bicDefaults, bicScore, parameterCount, type StructureScore} from './bic.ts'
import {familyFilter, type NamedEdges, namedPath, numberEdges, refuse} from './rules.ts'
import {
  type FoundGraph,
  findBounded,
  findTree,
  type GraphTask,
  type SearchControl,
  type SearchOptions
} from './search.ts'

/** Which graphs over the concepts are considered. */
export type StructureKind =
  /** All pairs of concepts, each with its own coupling: a Markov network, by `learnPairs`. */
  | 'pairs'
  | 'independent'
  /** At most one parent, greatest mutual information (Chow and Liu). */
  | 'tree'
  /** At most K parents, best BIC score. */
  | `indegree:${number}`
  /** At most K neighbours, by independence tests. */
  | `degree:${number}`
  | CustomStructure

/** A search of your own, or a known graph: from moments to the parents of every concept, without a cycle. */
export interface CustomStructure {
  readonly name: string
  find(moments: Moments, names: readonly string[]): Parents
}

/** A parsed kind; `limit` is K. */
type StructurePlan =
  | {readonly kind: 'pairs' | 'independent' | 'tree'}
  | {readonly kind: 'indegree' | 'degree'; readonly limit: number}
  | {readonly kind: 'custom'; readonly search: CustomStructure}

export interface StructureOptions extends SearchOptions {
  /** The cost of a free parameter, in units of ln N: 1/2 is the usual BIC, 1 is printed in the paper. */
  readonly penalty: number
  /** What `indegree:K` maximises. */
  readonly score: StructureScore
  /** The anchor noise of each concept, for scores that account for it and for the tests of `degree:K`. */
  readonly rates: readonly Rates[] | undefined
  /** Edges that are required or forbidden. */
  readonly edges: NamedEdges
  /** The names of the concepts; they are called 0, 1, ... where undefined. */
  readonly names: readonly string[] | undefined
  /** Concepts that edges may name but that are not in the model: their edges are ignored. */
  readonly skipped: readonly string[]
}

export const structureDefaults: StructureOptions = {
  penalty: bicDefaults.penalty,
  score: 'bic',
  rates: undefined,
  edges: {},
  names: undefined,
  skipped: [],
  search: 'exact',
  timeLimit: undefined,
  seed: 0
}

export interface LearnedStructure {
  readonly network: BayesNetwork
  readonly certificate: StructureCertificate
}

export interface StructureCertificate extends Omit<FoundGraph, 'parents'> {
  /** What the search maximises: total mutual information of the edges of a tree, otherwise the BIC score; in nats. */
  readonly score: number
  /** The BIC score of the graph, whatever the search maximised. */
  readonly bic: number
  /** Given edges that name a concept left out of the model. */
  readonly ignoredEdges: number
  /** Probabilities that had to be moved off 0 or 1. */
  readonly clipped: number
}

/** Learns G and theta from recovered moments (Algorithm 1, line 2). */
export async function learnStructure(
  moments: Moments,
  structure: StructureKind,
  options: Partial<StructureOptions> = {},
  control: SearchControl = {}
): Promise<LearnedStructure> {
  const chosen = withDefaults('learnStructure', structureDefaults, options)
  const {names: given, skipped, edges, penalty, score, rates, ...search} = chosen
  const names = given ?? Array.from({length: moments.conceptCount}, (_, i) => String(i))
  const parameters = parameterCount(score, moments.table, score === 'bic' ? [] : requireRates(rates))
  const bicOptions = {penalty, parameters}
  const {constraints, ignored: ignoredEdges} = numberEdges(edges, names, skipped)
  const task = {moments, names, constraints, search, control}
  const {parents, ...found} = await findGraph()
  const {network, clipped} = networkFromMoments(moments, parents)
  const bic = bicScore(moments.table, parents, moments.sampleCount, bicOptions)
  return {network, certificate: {...found, score: found.score ?? bic, bic, ignoredEdges, clipped}}

  async function findGraph(): Promise<FoundGraph> {
    const plan = planStructure(structure)
    switch (plan.kind) {
      case 'pairs':
        throw refuse("`structure` 'pairs' is learned from counts, not from moments: use learnPairs")
      case 'independent':
        return {parents: checkGraph(task, Array(names.length).fill([])), method: 'known', status: 'known'}
      case 'custom':
        return {parents: checkGraph(task, plan.search.find(moments, names)), method: 'custom', status: 'custom'}
      case 'tree':
        return findTree(task)
      case 'indegree':
        return findBounded(task, {maxParents: plan.limit, ...bicOptions})
      case 'degree': {
        const {searchByTests} = await import('./degree.ts')
        return searchByTests(task, plan.limit, requireRates(rates))
      }
    }
  }
}

/** Refuses a graph that has a cycle or breaks the rules. */
function checkGraph({names, constraints}: GraphTask, parents: Parents): Parents {
  const cycle = findCycle(parents)
  if (cycle !== undefined)
    throw refuse(`the graph has a cycle: ${namedPath([...cycle, cycle[0]], names)}; remove one of its edges`)
  const admits = familyFilter(names, constraints)
  const broken = names.find((_, child) => !admits(child, parents[child]))
  if (broken === undefined) return parents
  throw refuse(`the parents of "${broken}" break the rules of \`edges\`; drop these rules, or choose another structure`)
}

/** Tables of `largestLimit + 2` concepts are the largest to recover: noise grows with every further concept. */
const largestLimit = 6

/** What a structure given by name may be, in words. */
export const structureNames = `pairs, independent, tree, indegree:K or degree:K with K from 1 to ${largestLimit}`

/** Parses a kind; anything else is refused. */
export function planStructure(structure: StructureKind): StructurePlan {
  if (structure === 'pairs' || structure === 'independent' || structure === 'tree') return {kind: structure}
  if (typeof structure === 'object' && structure !== null) return {kind: 'custom', search: structure}
  const [, kind, digits] = /^(indegree|degree):(\d+)$/.exec(structure) ?? []
  const limit = Number(digits)
  if ((kind === 'indegree' || kind === 'degree') && limit >= 1 && limit <= largestLimit) return {kind, limit}
  throw new AdfaError(
    'bad-option',
    `\`structure\` must be ${structureNames}, or a search of your own; got ${shownValue(structure)}`,
    {details: {option: 'structure'}}
  )
}

function requireRates(rates: readonly Rates[] | undefined): readonly Rates[] {
  if (rates !== undefined) return rates
  throw refuse('scores that account for noise, and independence tests, need `rates` of the anchors; give them')
}

/** A conditional probability of exactly 0 or 1 would rule out whole documents. */
const PROBABILITY_FLOOR = 1e-6

/**
 * Computes theta, P(child = 1 | parents) of every concept, each family from its own table, the first parent the most significant
 * bit. Without parents it is the single moment, since simplex tables of other sizes may disagree; where a setting of the
 * parents never occurs, it is the prevalence.
 */
export function networkFromMoments(moments: Moments, parents: Parents): {network: BayesNetwork; clipped: number} {
  let clipped = 0
  const cpt = parents.map((list, child) => {
    const prevalence = moments.single(child)
    const table = list.length === 0 ? [1 - prevalence, prevalence] : moments.table([...list, child])
    return Float64Array.from({length: table.length / 2}, (_, s) => {
      const mass = table[2 * s] + table[2 * s + 1]
      const p = mass > 0 ? table[2 * s + 1] / mass : prevalence
      const inside = clamp(p, PROBABILITY_FLOOR, 1 - PROBABILITY_FLOOR)
      if (inside !== p) clipped++
      return inside
    })
  })
  return {network: {parents, cpt}, clipped}
}
