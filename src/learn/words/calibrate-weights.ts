import {clamp, log, logit, sigmoid} from '../../base/numeric/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {bestThreshold} from './best-threshold.ts'
import type {ConceptSample} from './concept-sample.ts'
import {matchMean} from './match-mean.ts'
import type {AnchorConstants, WordWeightCertificate, WordWeights} from './word-weights.ts'

/** Word weights without their constants; `weights`, cell `i*n + j`, before the slope. */
export interface LearnedWords
  extends Omit<WordWeightCertificate, 'expectedF1'>,
    Pick<WordWeights, 'company' | 'length' | 'firedShare'> {
  readonly weights: Float64Array
}

/** A precision this close to 0 or 1 is rounding. */
const EDGE = 1e-12

/** Sets the constants so that the mean probability of each concept is the one the rates imply, anchor by anchor. */
export function calibrateWeights(
  samples: readonly ConceptSample[],
  rates: NoiseRates,
  {weights, company, length, firedShare, ...learned}: LearnedWords
): WordWeights {
  const n = weights.length / samples.length
  const facts = anchorFacts(rates)
  const constants = (slope: number) =>
    samples.map((sample, i) => conceptConstants(sample, facts[i], {prior: company.prior[i], slope, firedShare}))
  const withWords = constants(learned.slope)
  const {threshold, expectedF1} = bestThreshold(
    samples.map((sample, i) => probabilities(sample, withWords[i], learned.slope, firedShare)),
    samples.map(sample => sample.weights)
  )
  return {
    kind: 'weights',
    company,
    weights: samples.map((_, i) => Array.from(weights.subarray(i * n, (i + 1) * n), weight => learned.slope * weight)),
    length,
    withWords: byKind(withWords),
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

/** The constants of one concept for a slope: Bayes' rule on its anchor, plus the shift that matches the mean. */
function conceptConstants(
  {others, scores, weights, fired}: ConceptSample,
  {precision, missed, prevalence, silent}: AnchorFacts,
  {prior, slope, firedShare}: {readonly prior: number; readonly slope: number; readonly firedShare: number}
): ConceptConstants {
  const where = (state: number) => weights.map((w, d) => (fired[d] === state ? w : 0))
  const match = (alone: number, logOdds: (score: number, d: number) => number, of: Float64Array, target: number) =>
    alone +
    matchMean(
      scores.map((score, d) => alone + logOdds(slope * score, d)),
      of,
      target
    )
  return {
    silent: match(silent, (score, d) => others[d] + score, where(0), missed),
    fired: match(logit(clamp(precision, EDGE, 1 - EDGE)), score => firedShare * score, where(1), precision),
    hidden: match(0, score => prior + score, weights, prevalence)
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

/** What the rates of one anchor imply. */
interface AnchorFacts {
  readonly prevalence: number
  /** log P(A=0|Y=1) / P(A=0|Y=0). */
  readonly silent: number
  /** P(Y=1|A=1), the anchor's precision. */
  readonly precision: number
  /** P(Y=1|A=0). */
  readonly missed: number
}

/** Bayes' rule on each anchor. */
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
