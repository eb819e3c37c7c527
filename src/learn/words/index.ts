export {bestThreshold} from './best-threshold.ts'
export {learnWordWeights, type WordWeightControl} from './learn-word-weights.ts'
export {memberEvidence} from './member-weights.ts'
export {weightsFromCounts} from './weights-from-counts.ts'
export {anchorLogLikelihoods, likeliestSlope} from './word-strength.ts'
export {type WordWeightOptions, wordWeightDefaults} from './word-weight-options.ts'
export {
  lengthFactor,
  type WordLength,
  type WordWeightCertificate,
  type WordWeights,
  weightFault,
  weightRange
} from './word-weights.ts'
