import {AdfaError} from '../../base/checks/index.ts'

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

/** A graph that is known: its probabilities alone are learned. */
export interface GivenGraph {
  readonly names: readonly string[]
  readonly parents: readonly (readonly number[])[]
}

/** A kind taken apart. */
export type StructurePlan =
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
