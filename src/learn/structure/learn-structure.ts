import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import type {BayesNetwork} from '../../base/network/index.ts'
import type {Moments, VariableChannel} from '../moments/index.ts'
import {type NamedEdges, numberEdges, numberGraph} from './edge-constraints.ts'
import {bicDefaults, bicScore} from './family-scores.ts'
import {checkGraph, type FoundGraph, findBounded, findByTests, findTree} from './find-graph.ts'
import {networkFromMoments} from './network-from-moments.ts'
import {parameterCount, plainParameters, type StructureScore} from './parameter-counts.ts'
import type {SearchControl, SearchOptions} from './search-graph.ts'

export interface StructureOptions extends SearchOptions {
  /** What a free parameter costs, in units of ln N: 1/2 is the usual BIC, 1 is what the paper prints. */
  readonly penalty: number
  /** What `indegree:K` makes large. */
  readonly score: StructureScore
  /** The anchor noise of each concept, for scores that know it and for the tests of `degree:K`. */
  readonly channels: readonly VariableChannel[] | undefined
  /** Edges that must, or must not, be there. */
  readonly edges: NamedEdges
  /** No parent may make its child rarer, whatever the other parents are. */
  readonly attractive: boolean
}

export const structureDefaults: StructureOptions = {
  penalty: bicDefaults.penalty,
  score: 'bic',
  channels: undefined,
  edges: {},
  attractive: false,
  search: 'exact',
  stepLimit: 100_000,
  timeLimit: undefined,
  seed: 0
}

/** What the concepts are called. */
export interface ConceptNames {
  readonly names: readonly string[]
  /** Concepts that edges and known graphs may name, but that are left out of the model: their edges drop out. */
  readonly skipped: readonly string[]
}

export interface LearnedStructure {
  readonly network: BayesNetwork
  readonly certificate: StructureCertificate
}

export interface StructureCertificate extends Omit<FoundGraph, 'parents'> {
  /** What the search makes large: mutual information summed over the edges of a tree, else the BIC score; in nats. */
  readonly score: number
  /** The BIC score of the graph, whatever was searched for. */
  readonly bic: number
  /** Edges of the user's that name a concept left out of the model. */
  readonly ignoredEdges: number
  /** Probabilities that had to be moved off 0 or 1. */
  readonly clipped: number
  /** Conditional probabilities given a parent state that never occurs; the concept's own prevalence stands in for them. */
  readonly undetermined: number
}

/** G and theta from recovered moments (Algorithm 1, line 2). Concepts are called 0, 1, ... unless they have names. */
export function learnStructure(
  moments: Moments,
  structure: StructureKind,
  options: Partial<StructureOptions & ConceptNames> = {},
  control: SearchControl = {}
): LearnedStructure {
  const numbers = Array.from({length: moments.conceptCount}, (_, i) => String(i))
  const chosen = withDefaults('learnStructure', {...structureDefaults, names: numbers, skipped: []}, options)
  const {names, skipped, edges, attractive, penalty, score, channels, ...search} = chosen
  const parameters =
    score === 'bic'
      ? plainParameters
      : parameterCount(score, moments.table, knownChannels(channels), moments.sampleCount)
  const bicOptions = {penalty, parameters}
  const {constraints, ignored} = numberEdges(edges, names, skipped)
  const rules = {names, constraints, attractive}
  const plan = planStructure(structure)
  let ignoredEdges = ignored
  const {parents, ...found} = findGraph()
  const {network, clipped, undetermined} = networkFromMoments(moments, parents)
  const bic = bicScore(moments.table, parents, moments.sampleCount, bicOptions)
  return {network, certificate: {...found, score: found.score ?? bic, bic, ignoredEdges, clipped, undetermined}}

  function findGraph(): FoundGraph {
    switch (plan.kind) {
      case 'independent':
        return checkGraph(
          moments,
          names.map(() => []),
          rules
        )
      case 'given': {
        const known = numberGraph(plan.graph, names, skipped)
        ignoredEdges += known.ignored
        return checkGraph(moments, known.parents, rules)
      }
      case 'tree':
        return findTree(moments, rules, search, control)
      case 'indegree':
        return findBounded(moments, {maxParents: plan.limit, ...bicOptions}, rules, search, control)
      case 'degree':
        return findByTests(moments, plan.limit, knownChannels(channels), rules, control)
    }
  }
}

function knownChannels(channels: readonly VariableChannel[] | undefined): readonly VariableChannel[] {
  if (channels !== undefined) return channels
  throw new AdfaError(
    'bad-option',
    'scores that know the noise, and tests of independence, need the channels of the anchors'
  )
}

/** Which graphs over the concepts are considered. */
export type StructureKind =
  | 'independent'
  /** One parent at most, most mutual information (Chow and Liu). */
  | 'tree'
  /** At most K parents, best BIC score. */
  | `indegree:${number}`
  /** At most K neighbours, by tests of independence. */
  | `degree:${number}`
  | GivenGraph

/** A kind taken apart. */
type StructurePlan =
  | {readonly kind: 'independent' | 'tree'}
  | {readonly kind: 'indegree' | 'degree'; readonly limit: number}
  | {readonly kind: 'given'; readonly graph: GivenGraph}

/** Tables of `largestLimit + 2` concepts are the largest that are recovered: noise grows with every further one. */
const largestLimit = 6

/** What a kind means; anything else is refused. */
export function planStructure(structure: StructureKind): StructurePlan {
  if (structure === 'independent' || structure === 'tree') return {kind: structure}
  if (typeof structure === 'object' && structure !== null) return {kind: 'given', graph: structure}
  const [, kind, digits] = /^(indegree|degree):(\d+)$/.exec(structure) ?? []
  const limit = Number(digits)
  if ((kind === 'indegree' || kind === 'degree') && limit >= 1 && limit <= largestLimit) return {kind, limit}
  throw new AdfaError(
    'bad-option',
    `structure is independent, tree, indegree:K or degree:K with K from 1 to ${largestLimit}, or a known graph (FILE.bif); ` +
      `got ${JSON.stringify(structure)}`
  )
}

/** How many concepts the largest tables have that a search asks for; a given graph, those of its families. */
export function largestTable(plan: StructurePlan): number {
  switch (plan.kind) {
    case 'independent':
      return 1
    case 'tree':
      return 2
    case 'indegree':
      return plan.limit + 1
    case 'degree':
      return plan.limit + 2
    case 'given':
      return plan.graph.parents.reduce((most, parents) => Math.max(most, parents.length + 1), 1)
  }
}
