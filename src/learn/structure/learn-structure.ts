import {AdfaError, shownValue, withDefaults} from '../../base/checks/index.ts'
import type {BayesNetwork, Parents} from '../../base/network/index.ts'
import type {Moments} from '../moments/index.ts'
import type {Rates} from '../noise/index.ts'
import {type GivenGraph, type NamedEdges, numberEdges, numberGraph} from './edge-constraints.ts'
import {bicDefaults, bicScore} from './family-scores.ts'
import {checkGraph, type FoundGraph, findBounded, findByTests, findTree} from './find-graph.ts'
import {networkFromMoments} from './network-from-moments.ts'
import {parameterCount, plainParameters, type StructureScore} from './parameter-counts.ts'
import type {SearchControl, SearchOptions} from './search-graph.ts'

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
  | GivenGraph
  | CustomStructure

/** A search of your own: from moments to the parents of every concept, without a cycle. */
export interface CustomStructure {
  readonly name: string
  /** The number of concepts in the largest table that it asks `moments.table` for: 2 for pairs. */
  readonly tableSize: number
  find(moments: Moments, names: readonly string[]): Parents
}

/** A parsed kind. */
export type StructurePlan =
  | {readonly kind: 'pairs' | 'independent' | 'tree'}
  | {readonly kind: 'indegree' | 'degree'; readonly limit: number}
  | {readonly kind: 'given'; readonly graph: GivenGraph}
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
  /** No parent may make its child rarer, whatever the other parents are. */
  readonly attractive: boolean
}

export const structureDefaults: StructureOptions = {
  penalty: bicDefaults.penalty,
  score: 'bic',
  rates: undefined,
  edges: {},
  attractive: false,
  search: 'exact',
  stepLimit: 100_000,
  timeLimit: undefined,
  seed: 0
}

export interface ConceptNames {
  readonly names: readonly string[]
  /** Concepts that edges and known graphs may name but that are not in the model: their edges are ignored. */
  readonly skipped: readonly string[]
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
  /** Conditional probabilities given a parent state that never occurs, replaced by the concept's prevalence. */
  readonly undetermined: number
}

/** G and theta from recovered moments (Algorithm 1, line 2). Concepts are called 0, 1, ... unless they have names. */
export async function learnStructure(
  moments: Moments,
  structure: StructureKind,
  options: Partial<StructureOptions & ConceptNames> = {},
  control: SearchControl = {}
): Promise<LearnedStructure> {
  const numbers = Array.from({length: moments.conceptCount}, (_, i) => String(i))
  const chosen = withDefaults('learnStructure', {...structureDefaults, names: numbers, skipped: []}, options)
  const {names, skipped, edges, attractive, penalty, score, rates, ...search} = chosen
  const parameters =
    score === 'bic' ? plainParameters : parameterCount(score, moments.table, requireRates(rates), moments.sampleCount)
  const bicOptions = {penalty, parameters}
  const {constraints, ignored} = numberEdges(edges, names, skipped)
  const task = {moments, rules: {names, constraints, attractive}, search, control}
  const plan = planStructure(structure)
  let ignoredEdges = ignored
  const {parents, ...found} = await findGraph()
  const {network, clipped, undetermined} = networkFromMoments(moments, parents)
  const bic = bicScore(moments.table, parents, moments.sampleCount, bicOptions)
  return {network, certificate: {...found, score: found.score ?? bic, bic, ignoredEdges, clipped, undetermined}}

  async function findGraph(): Promise<FoundGraph> {
    switch (plan.kind) {
      case 'pairs':
        throw new AdfaError(
          'bad-option',
          "`structure` 'pairs' is learned from counts, not from moments: use learnPairs"
        )
      case 'independent': {
        const parents = names.map(() => [])
        return checkGraph(task, parents)
      }
      case 'given': {
        const known = numberGraph(plan.graph, names, skipped)
        ignoredEdges += known.ignored
        return checkGraph(task, known.parents)
      }
      case 'custom':
        return {...checkGraph(task, plan.search.find(moments, names)), method: 'custom', status: 'custom'}
      case 'tree':
        return findTree(task)
      case 'indegree':
        return findBounded(task, {maxParents: plan.limit, ...bicOptions})
      case 'degree':
        return findByTests(task, plan.limit, requireRates(rates))
    }
  }
}

/** Tables of `largestLimit + 2` concepts are the largest to recover: noise grows with every further concept. */
const largestLimit = 6

/** What a structure given by name may be, in words. */
export const structureNames = `pairs, independent, tree, indegree:K or degree:K with K from 1 to ${largestLimit}`

/** Parses a kind; anything else is refused. */
export function planStructure(structure: StructureKind): StructurePlan {
  if (structure === 'pairs' || structure === 'independent' || structure === 'tree') return {kind: structure}
  if (typeof structure === 'object' && structure !== null)
    return 'find' in structure ? {kind: 'custom', search: structure} : {kind: 'given', graph: structure}
  const [, kind, digits] = /^(indegree|degree):(\d+)$/.exec(structure) ?? []
  const limit = Number(digits)
  if ((kind === 'indegree' || kind === 'degree') && limit >= 1 && limit <= largestLimit) return {kind, limit}
  throw new AdfaError(
    'bad-option',
    `\`structure\` must be ${structureNames}, a known graph or a search of your own; got ${shownValue(structure)}`,
    {details: {option: 'structure'}}
  )
}

/** The number of concepts in the largest tables that a search needs; for a given graph, in its largest family. */
export function largestTable(plan: StructurePlan): number {
  switch (plan.kind) {
    case 'independent':
      return 1
    case 'pairs':
    case 'tree':
      return 2
    case 'indegree':
      return plan.limit + 1
    case 'degree':
      return plan.limit + 2
    case 'custom':
      return plan.search.tableSize
    case 'given':
      return plan.graph.parents.reduce((most, parents) => Math.max(most, parents.length + 1), 1)
  }
}

function requireRates(rates: readonly Rates[] | undefined): readonly Rates[] {
  if (rates !== undefined) return rates
  throw new AdfaError(
    'bad-option',
    'scores that account for noise, and independence tests, need `rates`, those of the anchors; give them'
  )
}
