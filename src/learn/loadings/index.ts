export {failureBlanket, failureDirect, failureTree, markovBlanket} from './failure.ts'
export {failureNetwork} from './failure-network.ts'
export {leaklessAbsence} from './leak.ts'
export {
  type LearnedLoadings,
  type LoadingCertificate,
  learnGatedLoadings,
  learnLoadings,
  loadingDefaults,
  loadingPairs
} from './learn-loadings.ts'
export type {Loadings} from './loadings.ts'
