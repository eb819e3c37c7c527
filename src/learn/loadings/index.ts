export {failureTree} from './failure.ts'
export {failureNetwork} from './failure-network.ts'
export {LEAK_CEILING} from './leak.ts'
export {
  type GateCertificate,
  type LearnedLoadings,
  type LoadingCertificate,
  type LoadingOptions,
  learnLoadings,
  loadingDefaults,
  loadingPairs,
  withLeaks
} from './learn-loadings.ts'
export {FAILURE_FLOOR, type Loadings} from './loadings.ts'
export {networkSums} from './network-sums.ts'
