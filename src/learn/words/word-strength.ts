import {goldenSection, log, sigmoid} from '../../base/numeric/index.ts'
import type {CorpusDocument} from '../../read/data/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {matchMean} from './match-mean.ts'

/** One concept in a sample of documents. */
export interface ConceptSample {
  /** The log-odds from all other evidence. */
  readonly others: Float64Array
  /** The sum of the weights of the words. */
  readonly scores: Float64Array
  /** The number of documents the entry represents. */
  readonly weights: Float64Array
  /** 1 where the concept's own anchor fired. */
  readonly fired: Uint8Array
}

/** The samples of all m concepts, from scores at `d*m + i`. */
export function conceptSamples(documents: readonly CorpusDocument[], scores: Float64Array, m: number): ConceptSample[] {
  const samples = Array.from({length: m}, (_, i) => ({
    others: new Float64Array(documents.length),
    scores: Float64Array.from(documents, (_, d) => scores[d * m + i]),
    weights: new Float64Array(documents.length).fill(1),
    fired: new Uint8Array(documents.length)
  }))
  documents.forEach(({anchors}, d) => {
    for (const i of anchors) samples[i].fired[d] = 1
  })
  return samples
}

/**
 * The slope of each field's words that maximises the likelihood of a sample's anchors: first one slope for all fields,
 * then each in turn with the others fixed.
 *
 * `fields[f][i]` is the sample of concept i with the scores of the words of field f alone; all else is the same in every
 * field. Words of titles repeat the anchor and predict it better than words of the text, so one common slope would
 * overrate them. Cost: one search for all fields together, and one per field if there are several.
 */
export function likeliestStrengths(fields: readonly (readonly ConceptSample[])[], rates: NoiseRates): number[] {
  const withOthers = (strengths: readonly number[], own: number) =>
    fields[own].map((sample, i) => {
      const others = sample.others.slice()
      fields.forEach((samples, f) => {
        if (f !== own) for (let d = 0; d < others.length; d++) others[d] += strengths[f] * samples[i].scores[d]
      })
      return {...sample, others}
    })
  const together = fields[0].map((sample, i) => ({
    ...sample,
    scores: sample.scores.map((_, d) => fields.reduce((sum, samples) => sum + samples[i].scores[d], 0))
  }))
  const strengths = new Array<number>(fields.length).fill(likeliestSlope(together, rates))
  if (fields.length === 1) return strengths
  // A second round would move a strength by a few hundredths.
  for (let f = 0; f < fields.length; f++) strengths[f] = likeliestSlope(withOthers(strengths, f), rates)
  return strengths
}

/** A larger slope would exceed the naive log-odds, which the weights already shrink. */
const STEEPEST = 8
/** Tolerance of the slope; the likelihood is flat around its maximum. */
const TOLERANCE = 0.02
/** Relative, of the mean: far below what changes the slope. */
const MEAN_TOLERANCE = 1e-6

/** The sum of {@link anchorLogLikelihoods}. */
export function anchorLogLikelihood(
  samples: readonly ConceptSample[],
  rates: NoiseRates,
  slope: number,
  shifts?: Float64Array
): number {
  return anchorLogLikelihoods(samples, rates, slope, shifts).reduce((sum, value) => sum + value, 0)
}

/**
 * sum_i log P(A_i | x) of each document of a sample at this slope: P(A_i = 1 | x) = e + (t - e) sigmoid(o + c + slope s),
 * with o the log-odds from other evidence, s the words' score, and c set so that the mean of the sigmoid is the concept's
 * prevalence. Tags are not read. The search of each c starts at `shifts`, which receive the result.
 */
export function anchorLogLikelihoods(
  samples: readonly ConceptSample[],
  rates: NoiseRates,
  slope: number,
  shifts: Float64Array = new Float64Array(samples.length)
): Float64Array {
  const sums = new Float64Array(samples[0].others.length)
  samples.forEach(({others, scores, weights, fired}, i) => {
    const logOdds = others.map((o, d) => o + slope * scores[d])
    const c = matchMean(logOdds, weights, rates.prevalence[i], {start: shifts[i], tolerance: MEAN_TOLERANCE})
    shifts[i] = c
    const e = rates.falsePositive[i]
    const d = rates.truePositive[i] - e
    for (let at = 0; at < logOdds.length; at++) {
      const chance = e + d * sigmoid(logOdds[at] + c)
      sums[at] += weights[at] * log(fired[at] ? chance : 1 - chance)
    }
  })
  return sums
}

/** The slope that maximises the likelihood of a sample's anchors, by golden section: it rises, then falls. */
export function likeliestSlope(samples: readonly ConceptSample[], rates: NoiseRates): number {
  const shifts = new Float64Array(samples.length)
  const evaluate = (at: number) => ({at, value: anchorLogLikelihood(samples, rates, at, shifts)})
  const {low, high} = goldenSection(evaluate, [0, STEEPEST], TOLERANCE)
  return (low + high) / 2
}
