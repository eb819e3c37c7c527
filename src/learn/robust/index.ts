export {bestThreshold} from './best-threshold.ts'
export {withoutEdges} from './calibrate.ts'
export {learnGatedLoadings, recoverWordRatios} from './gated-links.ts'
export {
  describePairs,
  type LearnedPairs,
  type Lifts,
  learnPairs,
  networkFromLifts,
  type PairCertificate,
  type PairControl,
  type Resampled,
  recoverLifts
} from './learn-pairs.ts'
export {learnWordWeights, type WordWeightControl} from './learn-word-weights.ts'
export {memberEvidence} from './member-weights.ts'
export {wordLikeness} from './word-likeness.ts'
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
