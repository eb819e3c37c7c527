/**
 * adfa/noise: how reliable each anchor is, by every estimator of Section 3.3 and by labels.
 *
 *     import {estimateNoise, noiseTable} from 'adfa/noise'
 *
 *     const {truePositive, falsePositive, certificate} = estimateNoise(counts, 'auto')
 *     noiseTable(counts)   // every estimator that applies, with intervals
 */
export {type SourceGroup, type SourceReliability, sourceFigures, sourceReliability} from '../votes/index.ts'
export {drawNoise, rateSpread} from './draw.ts'
export {
  type CombinedRates,
  combineEstimates,
  countedNoise,
  type EstimatedNoise,
  estimateNoise,
  judgeNoise,
  type NoiseCertificate,
  type NoiseMethod,
  type NoiseVerdict,
  packRates,
  type RateBasis,
  type SourcedRates,
  usableNoise
} from './estimate.ts'
export {
  type AnchorEstimate,
  type AnchorEstimates,
  FEWEST_LABELLED,
  hasEnoughLabels,
  type NoAnchorEstimate,
  type NoiseEstimator,
  type NoiseEvidence,
  noiseEstimators,
  noiseTable
} from './estimators.ts'
export {type GuessEvidence, guessRates, typicalShares} from './guess.ts'
export {anchoredCounts, type LabelledSample, type PooledRate, type PooledRates, pooledRates} from './pooled.ts'
export {
  type EstimatedRates,
  LEAST_PRECISION,
  type NoiseRates,
  oneSidedRates,
  type RateDoubt,
  type RateInterval,
  type RateRefusal,
  type Rates,
  rateDoubts,
  weakAnchor
} from './rates.ts'
export {
  type AnchorScoreControl,
  type AnchorScores,
  type ConceptScores,
  type IrreducibleRates,
  irreducibleRates,
  type PositiveOnlyRate,
  positiveOnlyRate,
  scoreAnchors
} from './scores.ts'
export {type Conditional, type Decomposition, decomposeTensor, type NotDecomposed} from './tensor.ts'
export {
  type NoTwoAnchorRates,
  type RateEstimate,
  type TwoAnchorCertificate,
  type TwoAnchorRates,
  twoAnchorRates
} from './two-anchors.ts'
