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
  type AnchorEstimates,
  autoRates,
  type EstimatedNoise,
  estimateNoise,
  isMeasured,
  judgeNoise,
  type NoiseCertificate,
  type NoiseEstimator,
  type NoiseEvidence,
  type NoiseMethod,
  type NoiseVerdict,
  noiseEstimators,
  noiseTable,
  packRates,
  possibleRates,
  type RateBasis,
  type SourcedRates,
  usableNoise
} from './estimate.ts'
export {FEWEST_LABELLED, type LabelledSample, type PooledRates, pooledRates} from './labels.ts'
export {
  anchoredCounts,
  drawNoise,
  type EstimatedRates,
  MIN_PRECISION,
  type NoiseRates,
  oneSidedRates,
  type RateInterval,
  type Rates,
  rateDoubts,
  rateFault
} from './rates.ts'
export {type AnchorScores, irreducibleRates, positiveOnlyRate, scoreAnchors} from './scores.ts'
export {decomposeTensor, twoAnchorRates} from './two-anchors.ts'
