export {type LatentNetwork, logPrior, networkEdges, parentState, topologicalOrder} from './latent-network.ts'
export {
  chowLiuTree,
  type LearnedStructure,
  learnStructure,
  networkFromMoments,
  type StructureCertificate,
  type StructureKind
} from './learn-structure.ts'
export {networkMarginals, networkTable} from './network-table.ts'
