export {constrainFamilies, type Edge, type EdgeConstraints, familyFilter} from './edge-constraints.ts'
export {edgeList, edgesToCsv, type NetworkEdge} from './edge-list.ts'
export {
  type BicOptions,
  bicScores,
  type ConceptTables,
  type Family,
  type FamilyScores,
  momentTables,
  pruneFamilies
} from './family-scores.ts'
export type {GraphSearch} from './graph-search.ts'
export {type LatentNetwork, logPrior, networkEdges, parentState, topologicalOrder} from './latent-network.ts'
export {
  chowLiuTree,
  type LearnedStructure,
  learnStructure,
  networkFromMoments,
  type StructureCertificate,
  type StructureKind
} from './learn-structure.ts'
export {type BifNetwork, networkFromBif} from './network-from-bif.ts'
export {networkMarginals, networkTable} from './network-table.ts'
export {networkToBif} from './network-to-bif.ts'
export {type DotOptions, networkToDot} from './network-to-dot.ts'
export {networkToUai} from './network-to-uai.ts'
export {type NamedScores, readScores, writeScores} from './score-file.ts'
export {searchExact} from './search-exact.ts'
export {type GreedyOptions, searchGreedy} from './search-greedy.ts'
export {type IntegerOptions, searchInteger} from './search-integer.ts'
