export {bestThreshold, matchMean} from './calibrate.ts'
export {type AnchorConstants, EvidenceReader, meanOf, memberFactors} from './evidence.ts'
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
export {wordSimilarity} from './weights-from-counts.ts'
export {trainingDocuments} from './word-sample.ts'
export {
  documentScale,
  MIN_SHOWN_WEIGHT,
  type WordScale,
  type WordWeightCertificate,
  type WordWeights,
  weightRange
} from './word-weights.ts'
