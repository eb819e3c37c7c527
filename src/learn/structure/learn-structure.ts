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

/** The kind of network over the concepts. */
export type StructureKind =
  /** A Markov network with a coupling for each pair of concepts, which `learnPairs` learns. */
  | 'pairs'
  | 'independent'
  /** The tree of greatest mutual information (Chow and Liu). */
  | 'tree'
  /** The graph of best BIC score in which a concept has at most K parents. */
  | `indegree:${number}`
  /** A graph found by independence tests in which a concept has at most K neighbours. */
  | `degree:${number}`
  | CustomStructure

/** A search of your own, or a known graph. */
export interface CustomStructure {
  readonly name: string
  /** Returns the parents of every concept; the graph must not have a cycle. */
  find(moments: Moments, names: readonly string[]): Parents
}

/** A parsed {@link StructureKind}. `limit` is its K. */
type StructurePlan =
  | {readonly kind: 'pairs' | 'independent' | 'tree'}
  | {readonly kind: 'indegree' | 'degree'; readonly limit: number}
  | {readonly kind: 'custom'; readonly search: CustomStructure}

export interface StructureOptions extends SearchOptions {
  /** The cost of a free parameter, in units of ln N. It is 1/2 in the usual BIC, and 1 in the paper. */
  readonly penalty: number
  /** The score that `indegree:K` maximises. */
  readonly score: StructureScore
  /** The rates of each concept's anchor, which the noise-aware score and the tests of `degree:K` need. */
  readonly rates: readonly Rates[] | undefined
  /** Edges that are required or forbidden. */
  readonly edges: NamedEdges
  /** The names of the concepts; if undefined, the names are 0, 1, ... */
  readonly names: readonly string[] | undefined
  /** Concepts that `edges` may name though they are not in the model. Their edges are ignored. */
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
  /** The value that the search maximises, in nats: the mutual information of a tree's edges, otherwise the BIC score. */
  readonly score: number
  /** The BIC score of the graph, also for searches that maximise something else. */
  readonly bic: number
  /** The number of given edges that were ignored, since they name a concept left out of the model. */
  readonly ignoredEdges: number
}

/** Learns the graph and its conditional probabilities from recovered moments (Algorithm 1, line 2). */
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
  const network = networkFromMoments(moments, parents)
  const bic = bicScore(moments.table, parents, moments.sampleCount, bicOptions)
  return {network, certificate: {...found, score: found.score ?? bic, bic, ignoredEdges}}

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

/** Returns the graph; refuses it if it has a cycle or breaks the constraints. */
function checkGraph({names, constraints}: GraphTask, parents: Parents): Parents {
  const cycle = findCycle(parents)
  if (cycle !== undefined)
    throw refuse(`the graph has a cycle: ${namedPath([...cycle, cycle[0]], names)}; remove one of its edges`)
  const admits = familyFilter(names, constraints)
  const broken = names.find((_, child) => !admits(child, parents[child]))
  if (broken === undefined) return parents
  throw refuse(`the parents of "${broken}" break the rules of \`edges\`; drop these rules, or choose another structure`)
}

/** The largest K of `indegree:K` and `degree:K`. Tests recover tables of K + 2 concepts, whose noise grows with K. */
const largestLimit = 6

/** The names of structures, for messages. */
export const structureNames = `pairs, independent, tree, indegree:K or degree:K with K from 1 to ${largestLimit}`

/** Parses a kind of structure, and refuses any other value. */
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

/** Conditional probabilities stay this far from 0 and 1, with which some documents would have the probability 0. */
const PROBABILITY_FLOOR = 1e-6

/**
 * Computes theta, P(child = 1 | parents) of every concept, from the table of its family. Without parents it is the single
 * moment, since larger tables recovered over the simplex may disagree with it. For a configuration of the parents of
 * probability 0, it is the prevalence of the child.
 */
export function networkFromMoments(moments: Moments, parents: Parents): BayesNetwork {
  const cpt = parents.map((list, child) => {
    const prevalence = moments.single(child)
    const table = list.length === 0 ? [1 - prevalence, prevalence] : moments.table([...list, child])
    return Float64Array.from({length: table.length / 2}, (_, s) => {
      const mass = table[2 * s] + table[2 * s + 1]
      return clamp(mass > 0 ? table[2 * s + 1] / mass : prevalence, PROBABILITY_FLOOR, 1 - PROBABILITY_FLOOR)
    })
  })
  return {parents, cpt}
}
