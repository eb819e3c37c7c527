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
  type AnchorScoreControl,
  type AnchorScoreOptions,
  type AnchorScores,
  type ConceptScores,
  scoreAnchors
} from './anchor-scores.ts'
export {type CombinedRates, combineEstimates, type RateBasis, type SourcedRates} from './combine-estimates.ts'
export {drawNoise, rateSpread} from './draw-noise.ts'
export {
  countedNoise,
  type EstimatedNoise,
  estimateNoise,
  judgeNoise,
  type NoiseCertificate,
  type NoiseMethod,
  type NoiseVerdict,
  noiseOf,
  usableNoise
} from './estimate-noise.ts'
export {type GuessEvidence, type GuessedRates, guessRates} from './guess-rates.ts'
export {usualShares} from './label-free-rates.ts'
export {anchoredCounts, type LabelledSample} from './labelled-sample.ts'
export {
  type AnchorEstimate,
  type AnchorEstimates,
  FEWEST_LABELLED,
  type NoAnchorEstimate,
  type NoiseEstimator,
  type NoiseEvidence,
  noiseEstimators,
  noiseTable
} from './noise-table.ts'
export {type PooledCertificate, type PooledRate, type PooledRates, pooledRates} from './pooled-rates.ts'
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
export {type RefinedRate, type RefinedRates, refinedRates} from './refined-rates.ts'
export {type IrreducibleRates, irreducibleRates, type PositiveOnlyRate, positiveOnlyRate} from './score-rates.ts'
export {type Conditional, type Decomposition, decomposeTensor, type NotDecomposed} from './tensor-decomposition.ts'
export {
  type NoTwoAnchorRates,
  type RateEstimate,
  type TwoAnchorCertificate,
  type TwoAnchorRates,
  twoAnchorRates
} from './two-anchor-rates.ts'
