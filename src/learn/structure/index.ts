/**
 * adfa/structure: searches for the graph over the concepts (Eq. 5): exact, greedy, by independence tests.
 *
 *     import {learnStructure} from 'adfa/structure'
 *
 *     const {network, certificate} = learnStructure(moments, 'indegree:2', {names})
 */
export {
  checkNamedEdges,
  constrainFamilies,
  type EdgeConstraints,
  familyFilter,
  type GivenGraph,
  type NamedEdges,
  parseEdges
} from './edge-constraints.ts'
export {type BicOptions, bicScores, type Family, type FamilyScores, pruneFamilies} from './family-scores.ts'
export {chowLiuTree} from './find-graph.ts'
export type {IndependenceTest} from './independence-test.ts'
export {describePairs, type LearnedPairs, learnPairs, type PairCertificate, type Resampled} from './learn-pairs.ts'
export {
  type ConceptNames,
  type CustomStructure,
  type LearnedStructure,
  largestTable,
  learnStructure,
  planStructure,
  type StructureCertificate,
  type StructureKind,
  type StructureOptions,
  structureDefaults,
  structureNames
} from './learn-structure.ts'
export {networkFromMoments} from './network-from-moments.ts'
export {hasRules} from './pair-rules.ts'
export {type ParameterCount, parameterCount, type StructureScore} from './parameter-counts.ts'
export {type NamedScores, readScores, writeScores} from './score-file.ts'
export type {DegreeCertificate, DegreeControl, DegreeOptions, DegreeSearch} from './search-degree.ts'
export {exactSearchLimit, type SearchControl, searchExact} from './search-graph.ts'
export {type GreedyOptions, searchGreedy} from './search-greedy.ts'
export type {IntegerOptions} from './search-integer.ts'
export type {GraphProgress, GraphSearch} from './search-result.ts'
export type {PairTest} from './skeleton-search.ts'
export {wordLikeness} from './word-likeness.ts'
