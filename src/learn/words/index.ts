export {bestThreshold} from './best-threshold.ts'
export {withoutEdges} from './calibrate.ts'
export {learnWordWeights, type WordWeightControl} from './learn-word-weights.ts'
export {memberEvidence} from './member-weights.ts'
export {weightsFromCounts} from './weights-from-counts.ts'
export {anchorLogLikelihoods, likeliestSlope} from './word-strength.ts'
export {
  documentScale,
  memberShares,
  type WordScale,
  type WordWeightCertificate,
  type WordWeights,
  weightFault,
  weightRange
} from './word-weights.ts'
