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
  pruneFamilies,
  type StructureScore
} from './bic.ts'
export type {DegreeCertificate} from './degree.ts'
export {describePairs, type LearnedPairs, learnPairs, type PairCertificate, type Resampled} from './learn-pairs.ts'
export {
  type ConceptNames,
  type CustomStructure,
  type LearnedStructure,
  largestTable,
  learnStructure,
  networkFromMoments,
  planStructure,
  type StructureCertificate,
  type StructureKind,
  type StructureOptions,
  structureDefaults,
  structureNames
} from './learn-structure.ts'
export {hasRules} from './pair-rules.ts'
export {checkNamedEdges, type EdgeConstraints, familyFilter, type NamedEdges, parseEdges} from './rules.ts'
export type {SearchControl} from './search.ts'
export {exactSearchLimit, type GraphProgress, type GraphSearch, searchExact} from './search-exact.ts'
export {type GreedyOptions, searchGreedy} from './search-greedy.ts'
export type {IntegerOptions} from './search-integer.ts'
export {chowLiuTree} from './tree.ts'
export {wordLikeness} from './word-likeness.ts'
