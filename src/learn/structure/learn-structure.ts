import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import type {BayesNetwork} from '../../base/network/index.ts'
import type {Moments, Rates} from '../moments/index.ts'
import {bicDefaults, bicScore} from './family-scores.ts'
import {checkGraph, type FoundGraph, findBounded, findByTests, findTree} from './find-graph.ts'
import {type NamedEdges, numberEdges, numberGraph} from './named-edges.ts'
import {networkFromMoments} from './network-from-moments.ts'
import {parameterCount, plainParameters, type StructureScore} from './parameter-counts.ts'
import type {SearchControl, SearchOptions} from './search-graph.ts'
import {planStructure, type StructureKind} from './structure-kind.ts'

export interface StructureOptions extends SearchOptions {
  /** What a free parameter costs, in units of ln N: 1/2 is the usual BIC, 1 is what the paper prints. */
  readonly penalty: number
  /** What `indegree:K` makes large. */
  readonly score: StructureScore
  /** The anchor noise of each concept, for scores that know it and for the tests of `degree:K`. */
  readonly rates: readonly Rates[] | undefined
  /** Edges that must, or must not, be there. */
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
  const {names, skipped, edges, attractive, penalty, score, rates, ...search} = chosen
  const parameters =
    score === 'bic' ? plainParameters : parameterCount(score, moments.table, requireRates(rates), moments.sampleCount)
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
        return findByTests(moments, plan.limit, requireRates(rates), rules, control)
    }
  }
}

function requireRates(rates: readonly Rates[] | undefined): readonly Rates[] {
  if (rates !== undefined) return rates
  throw new AdfaError(
    'bad-option',
    'scores that know the noise, and tests of independence, need the rates of the anchors'
  )
}
