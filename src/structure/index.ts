export {chowLiuTree} from './chow-liu.ts'
export type {ConceptTables} from './concept-tables.ts'
export {type EdgeConfidence, edgeConfidence} from './edge-confidence.ts'
export {constrainFamilies, type EdgeConstraints, familyFilter} from './edge-constraints.ts'
export {edgeList, edgesToCsv, type NetworkEdge} from './edge-list.ts'
export {type EliminationOrder, eliminationOrder} from './elimination-order.ts'
export {
  type BicOptions,
  bicScores,
  type Family,
  type FamilyScores,
  pruneFamilies
} from './family-scores.ts'
export type {GraphProgress, GraphSearch} from './graph-search.ts'
export {type IndependenceTest, independenceTest} from './independence-test.ts'
export {type JunctionTree, junctionTree} from './junction-tree.ts'
export {type Edge, type LatentNetwork, logPrior, networkEdges, parentState, topologicalOrder} from './latent-network.ts'
export {
  type ConceptNames,
  type LearnedStructure,
  learnStructure,
  type StructureCertificate,
  type StructureOptions,
  structureDefaults
} from './learn-structure.ts'
export {completedGraph, markovEquivalent} from './markov-equivalence.ts'
export type {PartialGraph} from './mixed-graph.ts'
export {checkNamedEdges, type NamedEdges, parseEdges} from './named-edges.ts'
export {type BifNetwork, networkFromBif} from './network-from-bif.ts'
export {networkFromMoments} from './network-from-moments.ts'
export {networkMarginals, networkTable} from './network-table.ts'
export {networkTables} from './network-tables.ts'
export {networkToBif} from './network-to-bif.ts'
export {type DotOptions, networkToDot} from './network-to-dot.ts'
export {networkToUai} from './network-to-uai.ts'
export {type ParameterCount, parameterCount, type StructureScore} from './parameter-counts.ts'
export {forwardSampler, sampleNetwork} from './sample-network.ts'
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
export {type GivenGraph, largestTable, planStructure, type StructureKind} from './structure-kind.ts'
