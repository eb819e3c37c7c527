export {edgeList, edgesToCsv, type NetworkEdge} from './edge-list.ts'
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
