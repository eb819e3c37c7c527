import {goldenSection, log, sigmoid} from '../../base/numeric/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {matchMean} from './calibrate.ts'

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

/** A larger slope would exceed the naive log-odds, which the weights already shrink. */
const STEEPEST = 8
/** Tolerance of the slope; the likelihood is flat around its maximum. */
const TOLERANCE = 0.02
/** Relative, of the mean: far below what changes the slope. */
const MEAN_TOLERANCE = 1e-6

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
  const evaluate = (at: number) => ({at, value: sumOf(anchorLogLikelihoods(samples, rates, at, shifts))})
  const {low, high} = goldenSection(evaluate, [0, STEEPEST], TOLERANCE)
  return (low + high) / 2
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}
