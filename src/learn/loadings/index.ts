export {FAILURE_FLOOR, type Loadings} from './failure.ts'
export {failureNetwork, networkSums} from './failure-network.ts'
export {LEAK_CEILING} from './leak.ts'
export {
  type GateCertificate,
  type LearnedLoadings,
  type LoadingCertificate,
  type LoadingOptions,
  learnLoadings,
  loadingPairs,
  ROBUST_LEAK_FLOOR,
  withLeaks
} from './learn-loadings.ts'
