/**
 * adfa/noise: how reliable each anchor is, by every estimator of Section 3.3 and by labels.
 *
 *     import {estimateNoise, noiseTable} from 'adfa/noise'
 *
 *     const {truePositive, falsePositive, certificate} = estimateNoise(counts, 'auto')
 *     noiseTable(counts)   // every estimator that applies, with intervals
 */
export {type SourceGroup, type SourceReliability, sourceFigures, sourceReliability} from '../votes/index.ts'
export {
  type AnchorEstimate,
  type AnchorEstimates,
  autoRates,
  countedNoise,
  type EstimatedNoise,
  estimateNoise,
  judgeNoise,
  type NoiseCertificate,
  type NoiseEstimator,
  type NoiseEvidence,
  type NoiseMethod,
  type NoiseVerdict,
  noiseEstimators,
  noiseTable,
  packRates,
  type RateBasis,
  type SourcedRates,
  usableNoise
} from './estimate.ts'
export {
  FEWEST_LABELLED,
  hasEnoughLabels,
  type LabelledSample,
  type PooledRate,
  type PooledRates,
  pooledRates
} from './labels.ts'
export {
  anchoredCounts,
  drawNoise,
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
  type AnchorScores,
  type ConceptScores,
  type IrreducibleRates,
  irreducibleRates,
  positiveOnlyRate,
  scoreAnchors
} from './scores.ts'
export {decomposeTensor, type TwoAnchorRates, twoAnchorRates} from './two-anchors.ts'
