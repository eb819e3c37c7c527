import {log, sigmoid} from '../../base/numeric/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {bestThreshold} from './best-threshold.ts'
import type {ConceptSample} from './concept-sample.ts'
import {logit} from './logit.ts'
import {matchMean} from './match-mean.ts'
import type {AnchorConstants, WordWeightCertificate, WordWeights} from './word-weights.ts'

/** Word weights without their constants; the words' weights, cell `i*n + j`, before their strength. */
export interface LearnedWords
  extends Omit<WordWeightCertificate, 'expectedF1'>,
    Pick<WordWeights, 'company' | 'length' | 'firedShare'> {
  readonly weights: Float64Array
}

/**
 * The word weights, their constants set so that the mean probability of each concept is what the rates say, anchor by anchor.
 */
export function calibrateWeights(
  samples: readonly ConceptSample[],
  rates: NoiseRates,
  {weights, company, length, firedShare, ...learned}: LearnedWords
): WordWeights {
  const n = weights.length / samples.length
  const facts = anchorFacts(rates)
  const constants = (slope: number) =>
    samples.map((sample, i) => conceptConstants(sample, facts[i], {prior: company.prior[i], slope, firedShare}))
  const spoken = constants(learned.slope)
  const {threshold, expectedF1} = bestThreshold(
    samples.map((sample, i) => probabilities(sample, spoken[i], learned.slope, firedShare)),
    samples.map(sample => sample.weights)
  )
  return {
    kind: 'weights',
    company,
    weights: samples.map((_, i) => Array.from(weights.subarray(i * n, (i + 1) * n), weight => learned.slope * weight)),
    length,
    withWords: byKind(spoken),
    withoutWords: byKind(constants(0)),
    firedShare,
    threshold,
    certificate: {...learned, expectedF1}
  }
}

interface ConceptConstants {
  readonly silent: number
  readonly fired: number
  readonly hidden: number
}

function byKind(concepts: readonly ConceptConstants[]): AnchorConstants {
  return {
    silent: concepts.map(({silent}) => silent),
    fired: concepts.map(({fired}) => fired),
    hidden: concepts.map(({hidden}) => hidden)
  }
}

/**
 * The constants of one concept when words speak with strength `slope`: what Bayes' rule says of its anchor, and what matches the
 * mean; where no document is of the kind, Bayes' rule alone.
 */
function conceptConstants(
  {others, scores, weights, fired}: ConceptSample,
  {precision, missed, prevalence, silent}: AnchorFacts,
  {prior, slope, firedShare}: {readonly prior: number; readonly slope: number; readonly firedShare: number}
): ConceptConstants {
  const where = (state: number) => weights.map((w, d) => (fired[d] === state ? w : 0))
  const match = (alone: number, logOdds: (say: number, d: number) => number, of: Float64Array, target: number) =>
    alone +
    matchMean(
      scores.map((score, d) => alone + logOdds(slope * score, d)),
      of,
      target
    )
  return {
    silent: match(silent, (say, d) => others[d] + say, where(0), missed),
    fired: match(logit(precision), say => firedShare * say, where(1), precision),
    hidden: match(0, say => prior + say, weights, prevalence)
  }
}

/** The probability of a concept in each entry of its sample. */
function probabilities(
  {others, scores, fired}: ConceptSample,
  constants: ConceptConstants,
  slope: number,
  firedShare: number
): Float64Array {
  return others.map((o, d) =>
    sigmoid(fired[d] ? constants.fired + firedShare * slope * scores[d] : o + constants.silent + slope * scores[d])
  )
}

/** What the rates say of one anchor. */
interface AnchorFacts {
  readonly prevalence: number
  /** log P(A=0|Y=1) / P(A=0|Y=0). */
  readonly silent: number
  /** P(Y=1|A=1), the anchor's precision. */
  readonly precision: number
  /** P(Y=1|A=0): how common the concept is where the anchor did not fire. */
  readonly missed: number
}

/** Bayes' rule on each anchor by itself. */
export function anchorFacts({truePositive, falsePositive, prevalence}: NoiseRates): AnchorFacts[] {
  return Array.from(truePositive, (t, i) => {
    const e = falsePositive[i]
    const p = prevalence[i]
    const a = e + (t - e) * p
    return {
      prevalence: p,
      silent: log((1 - t) / (1 - e)),
      precision: (t * p) / a,
      missed: ((1 - t) * p) / (1 - a)
    }
  })
}
