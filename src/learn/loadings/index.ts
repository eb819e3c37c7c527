export {failureTree} from './failure.ts'
export {
  type LearnedLoadings,
  type LoadingCertificate,
  learnGatedLoadings,
  learnLoadings,
  loadingDefaults,
  loadingPairs
} from './learn-loadings.ts'
export type {Loadings} from './loadings.ts'
