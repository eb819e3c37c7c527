export {failureDirect, failureTree} from './failure.ts'
export {failureBlanket, markovBlanket, type PooledFailures} from './failure-blanket.ts'
export type {GraphCertificate, RecoverBlanket} from './failure-graph.ts'
export {failureNetwork, type NetworkFailures} from './failure-network.ts'
export {type AbsenceOptions, type LeaklessAbsence, leaklessAbsence} from './leak.ts'
export {type GatedLoadingOptions, learnGatedLoadings} from './learn-gated-loadings.ts'
export {
  type LearnedLoadings,
  type LoadingCertificate,
  type LoadingOptions,
  learnLoadings,
  loadingDefaults,
  loadingPairs
} from './learn-loadings.ts'
export type {Loadings} from './loadings.ts'
export type {NetworkSums} from './tilted-network.ts'
