export {failureDirect, failureTree} from './failure.ts'
export {leaklessAbsence} from './leak.ts'
export {
  type LearnedLoadings,
  type LoadingCertificate,
  type LoadingOptions,
  learnLoadings,
  loadingDefaults
} from './learn-loadings.ts'
export type {Loadings} from './loadings.ts'
