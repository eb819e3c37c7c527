export {
  type AnchorScoreControl,
  type AnchorScoreOptions,
  type AnchorScores,
  type ConceptScores,
  scoreAnchors
} from './anchor-scores.ts'
export {type CombinedRates, combineEstimates} from './combine-estimates.ts'
export type {ConceptRates} from './concept-rates.ts'
export {drawNoise} from './draw-noise.ts'
export {
  type EstimatedNoise,
  estimateNoise,
  findRateFaults,
  type NoiseCertificate,
  type NoiseMethod,
  type NoiseRates,
  type SourcedRates
} from './estimate-noise.ts'
export {type GuessEvidence, type GuessedRates, guessRates} from './guess-rates.ts'
export {type IrreducibleRates, irreducibleRates} from './irreducible.ts'
export type {LabelledSample} from './labelled-sample.ts'
export {
  type AnchorEstimate,
  type AnchorEstimates,
  type NoAnchorEstimate,
  type NoiseEstimator,
  type NoiseEvidence,
  noiseEstimators,
  noiseTable
} from './noise-table.ts'
export {oneSidedRates} from './one-sided-rates.ts'
export {type PooledCertificate, type PooledRates, pooledRates} from './pooled-rates.ts'
export {type PositiveOnlyRate, positiveOnlyRate} from './positive-only.ts'
export type {PooledRate} from './rate-from-shares.ts'
export type {RateInterval} from './rate-interval.ts'
export {type RateRefusal, rateRefusals} from './rate-refusals.ts'
export {rateSpread} from './rate-spread.ts'
export {type RefinedRate, type RefinedRates, refinedRates} from './refined-rates.ts'
export {type Conditional, type Decomposition, decomposeTensor, type NotDecomposed} from './tensor-decomposition.ts'
export {
  type EstimatedRates,
  type NoTwoAnchorRates,
  type RateEstimate,
  type TwoAnchorCertificate,
  type TwoAnchorRates,
  twoAnchorRates
} from './two-anchor-rates.ts'
export {usableNoise} from './usable-noise.ts'
