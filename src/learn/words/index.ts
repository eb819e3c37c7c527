export {bestThreshold} from './best-threshold.ts'
export {type Company, createCompanyReader} from './company.ts'
export {forestPrior} from './forest-prior.ts'
export {learnWordWeights, type WordWeightControl} from './learn-word-weights.ts'
export type {PairPriorOptions} from './pair-prior.ts'
export {type WordWeightOptions, wordWeightDefaults} from './word-weight-options.ts'
export {
  type AnchorConstants,
  lengthFactor,
  type WordLength,
  type WordWeightCertificate,
  type WordWeights,
  weightFault
} from './word-weights.ts'
