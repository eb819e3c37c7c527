/**
 * adfa/structure: searches for the graph over the concepts (Eq. 5): exact, greedy, by independence tests.
 *
 *     import {learnStructure} from 'adfa/structure'
 *
 *     const {network, certificate} = await learnStructure(moments, 'indegree:2', {names})
 */
export {
  type BicOptions,
  bicScores,
  type Family,
  type FamilyScores,
  type ParameterCount,
  parameterCount,
  type StructureScore
} from './bic.ts'
export {
  type CustomStructure,
  type LearnedStructure,
  learnStructure,
  networkFromMoments,
  planStructure,
  type StructureCertificate,
  type StructureKind,
  type StructureOptions,
  structureDefaults,
  structureNames
} from './learn-structure.ts'
export {checkNamedEdges, type NamedEdges, numberEdges, parseEdges} from './rules.ts'
export {chowLiuTree, type DegreeCertificate, type SearchControl} from './search.ts'
export {exactSearchLimit, type GraphProgress, type GraphSearch, searchExact, searchGreedy} from './search-orders.ts'
