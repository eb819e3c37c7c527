export {chowLiuTree} from './chow-liu.ts'
export {constrainFamilies, type EdgeConstraints, familyFilter} from './edge-constraints.ts'
export {type BicOptions, bicScores, type Family, type FamilyScores, pruneFamilies} from './family-scores.ts'
export type {GraphProgress, GraphSearch} from './graph-search.ts'
export {type IndependenceTest, independenceTest} from './independence-test.ts'
export {
  type ConceptNames,
  type LearnedStructure,
  learnStructure,
  type StructureCertificate,
  type StructureOptions,
  structureDefaults
} from './learn-structure.ts'
export {checkNamedEdges, type NamedEdges, parseEdges} from './named-edges.ts'
export {networkFromMoments} from './network-from-moments.ts'
export {type ParameterCount, parameterCount, type StructureScore} from './parameter-counts.ts'
export {type NamedScores, readScores, writeScores} from './score-file.ts'
export {
  type DegreeCertificate,
  type DegreeControl,
  type DegreeOptions,
  type DegreeSearch,
  searchDegree
} from './search-degree.ts'
export {searchExact} from './search-exact.ts'
export type {SearchControl} from './search-graph.ts'
export {type GreedyOptions, searchGreedy} from './search-greedy.ts'
export {type IntegerOptions, searchInteger} from './search-integer.ts'
export type {PairTest} from './skeleton-search.ts'
export {type GivenGraph, largestTable, planStructure, type StructureKind} from './structure-kind.ts'
