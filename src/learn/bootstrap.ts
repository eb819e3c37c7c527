import {AdfaError, checkOptions, type Rules, throwIfCancelled, whole} from '../base/checks/index.ts'
import {type EdgeConfidence, edgeConfidence, type Network} from '../base/network/index.ts'
import {clamp, type Rng, rng} from '../base/numeric/index.ts'
import {type Counts, resampleCounts} from '../read/counts/index.ts'
import type {FitControl} from './fit.ts'
import {momentStage, networkStage, noiseStage} from './fit-stages.ts'
import {type AnchorScores, drawNoise, type EstimatedNoise, estimateNoise, type NoiseRates} from './noise/index.ts'
import {type CheckedFitOptions, checkFitOptions, type FitOptions} from './options.ts'
import {type Resampled, wordLikeness} from './robust/index.ts'

export interface BootstrapOptions {
  readonly replicates: number
  /** Of the resampling; `seed` of the fit is that of its searches. */
  readonly seed: number
  /** The chance that an interval is meant to cover the truth. */
  readonly level: number
}

export const bootstrapDefaults: BootstrapOptions = {
  replicates: 200,
  seed: 0,
  level: 0.95
}

const bootstrapRules: Rules<BootstrapOptions> = {
  replicates: whole(1, 100_000),
  seed: whole(),
  level: [value => Number(value) > 0 && Number(value) < 1, 'a number between 0 and 1']
}

type RefitControl = Pick<FitControl, 'wasmUrl' | 'clock' | 'signal'>

export interface BootstrapControl extends RefitControl {
  /** As for `fit`. */
  readonly scores?: AnchorScores
  /** Called after each replicate. */
  readonly onProgress?: (done: number, replicates: number) => void
}

/** Estimates from all documents, with percentile intervals and standard errors. */
export interface Intervals {
  readonly estimate: Float64Array
  readonly low: Float64Array
  readonly high: Float64Array
  readonly standardError: Float64Array
}

export interface Bootstrap {
  readonly concepts: readonly string[]
  /** Every edge of the network or of a replicate, the surest first. */
  readonly edges: readonly EdgeConfidence[]
  readonly prevalence: Intervals
  readonly truePositive: Intervals
  readonly falsePositive: Intervals
  readonly certificate: BootstrapCertificate
}

export interface BootstrapCertificate extends BootstrapOptions {
  /** Replicates whose rates could not be estimated. Leaving them out makes intervals too narrow. */
  readonly refused: number
  /** The reason of the first refusal. */
  readonly refusal: string | undefined
  /** The largest certified gap of the moments of a replicate. */
  readonly momentGap: number
}

/** How uncertain a model is, in its file at `certificate.intervals`. */
export interface FitIntervals {
  readonly replicates: number
  /** Replicates that could not be fitted. */
  readonly refused: number
  readonly level: number
  readonly seed: number
  readonly concepts: readonly ConceptIntervals[]
  /** The surest first; edges that the network lacks are listed from {@link LEAST_CONFIDENCE} on. */
  readonly edges: readonly EdgeConfidence[]
}

export interface ConceptIntervals {
  readonly name: string
  readonly prevalence: IntervalEnds
  readonly truePositive: IntervalEnds
  readonly falsePositive: IntervalEnds
}

export type IntervalEnds = readonly [low: number, high: number]

/** The share of replicates from which on an edge that the network lacks is kept. */
const LEAST_CONFIDENCE = 0.1

/** The part of a bootstrap that a model file keeps. */
export function summarizeIntervals(found: Bootstrap): FitIntervals {
  const {replicates, refused, level, seed} = found.certificate
  const ends = ({low, high}: Intervals, i: number): IntervalEnds => [low[i], high[i]]
  return {
    replicates,
    refused,
    level,
    seed,
    concepts: found.concepts.map((name, i) => ({
      name,
      prevalence: ends(found.prevalence, i),
      truePositive: ends(found.truePositive, i),
      falsePositive: ends(found.falsePositive, i)
    })),
    edges: found.edges.filter(({confidence, fitted}) => fitted || confidence >= LEAST_CONFIDENCE)
  }
}

/**
 * How much of a fit is chance: repeats it on bootstrap samples of the counts, without a second pass over the documents.
 * Intervals reach from the (1 - level)/2 to the (1 + level)/2 quantile of the replicates.
 *
 * Given rates are exact, and rates from labels vary with the labels. Other rates vary within their own intervals, from
 * which each replicate draws prevalences and precisions. Replicate r has its own random stream, so adding replicates
 * leaves the first ones unchanged. Words are not resampled: their likeness, and what it adds to a lift, come from all documents.
 */
export async function bootstrap(
  counts: Counts,
  givenFit: FitOptions = {},
  {wasmUrl, clock, signal, onProgress, scores, ...given}: Partial<BootstrapOptions> & BootstrapControl = {}
): Promise<Bootstrap> {
  const fitOptions = checkFitOptions(givenFit)
  const options = checkOptions('bootstrap', bootstrapDefaults, bootstrapRules, given)
  const control = {...(wasmUrl && {wasmUrl}), ...(clock && {clock}), ...(signal && {signal})}
  const {counts: data, noise} = noiseStage(counts, fitOptions, scores)
  const whole = await refit(data, noise, fitOptions, control)
  const resampled = whole.kept && {...whole.kept, likeness: wordLikeness(data, noise.prevalence)}
  const replicates: Refit[] = []
  let refusal: string | undefined
  for (let replicate = 0; replicate < options.replicates; replicate++) {
    const random = rng(options.seed).stream(`replicate ${replicate}`)
    const found = await refitOrRefusal(resampleCounts(data, random, {words: false}), random.stream('rates'))
    if (typeof found === 'string') refusal ??= found
    else replicates.push(found)
    onProgress?.(replicate + 1, options.replicates)
  }
  if (replicates.length === 0)
    throw new AdfaError(
      'bad-rates',
      `none of ${options.replicates} bootstrap samples could be fitted; the documents are too few; the first: ${refusal}`
    )
  const concepts = data.lexicon.anchors.map(({concept}) => concept)
  const intervals = (select: (found: Refit) => ArrayLike<number>) =>
    intervalsOf(select(whole), replicates.map(select), options.level)
  return {
    concepts,
    edges: edgeConfidence(
      concepts,
      whole.network,
      replicates.map(({network}) => network)
    ),
    prevalence: intervals(({prevalence}) => prevalence),
    truePositive: intervals(({rates}) => rates.truePositive),
    falsePositive: intervals(({rates}) => rates.falsePositive),
    certificate: {
      ...options,
      refused: options.replicates - replicates.length,
      refusal,
      momentGap: Math.max(...replicates.map(({gap}) => gap))
    }
  }

  async function refitOrRefusal(sample: Counts, random: Rng): Promise<Refit | string> {
    try {
      return refit(sample, ratesOfSample(sample, noise, random), fitOptions, {...control, resampled})
    } catch (error) {
      if (error instanceof AdfaError && error.code === 'bad-rates') return error.message
      throw error
    }
  }
}

/** A sample has given rates and labels; other rates are drawn from their intervals. */
function ratesOfSample(sample: Counts, {certificate: {method, concepts}}: EstimatedNoise, random: Rng): NoiseRates {
  return method === 'given' || method === 'labels' ? estimateNoise(sample, method) : drawNoise(sample, concepts, random)
}

/** The parts of a fit that replicates are compared by. */
interface Refit {
  readonly rates: NoiseRates
  readonly network: Network
  readonly prevalence: Float64Array
  readonly gap: number
  /** Of a network of pairs: what its replicates share with it. */
  readonly kept: Omit<Resampled, 'likeness'> | undefined
}

/** The first two lines of Algorithm 1. */
async function refit(
  data: Counts,
  rates: NoiseRates,
  options: CheckedFitOptions,
  control: RefitControl & {readonly resampled?: Resampled | undefined}
): Promise<Refit> {
  throwIfCancelled(control.signal)
  const moments = await momentStage(data, rates, options, control)
  throwIfCancelled(control.signal)
  const {network, prevalence, certificate} = await networkStage(moments, data, rates, options, control)
  const kept =
    certificate.method === 'pairs' ? {slope: certificate.wordSlope, share: certificate.couplingShare} : undefined
  return {rates, network, prevalence, gap: moments.certificate.gap, kept}
}

function intervalsOf(estimate: ArrayLike<number>, replicates: readonly ArrayLike<number>[], level: number): Intervals {
  const count = estimate.length
  const [low, high, standardError] = [0, 1, 2].map(() => new Float64Array(count))
  const values = new Float64Array(replicates.length)
  for (let at = 0; at < count; at++) {
    for (let r = 0; r < values.length; r++) values[r] = replicates[r][at]
    values.sort()
    low[at] = quantile(values, (1 - level) / 2)
    high[at] = quantile(values, (1 + level) / 2)
    standardError[at] = deviation(values)
  }
  return {estimate: Float64Array.from(estimate), low, high, standardError}
}

/**
 * Linear between the two nearest sorted values. A further replicate lies below value k of R (from 1) with probability
 * k / (R + 1), so intervals are not too narrow when replicates are few.
 */
function quantile(sorted: Float64Array, share: number): number {
  const place = clamp(share * (sorted.length + 1) - 1, 0, sorted.length - 1)
  const below = Math.floor(place)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below] + (place - below) * (sorted[above] - sorted[below])
}

/** The sample standard deviation; 0 for a single value. */
function deviation(values: Float64Array): number {
  // Relative to the first value, so that rounding leaves equal values a deviation of exactly 0.
  const rest = values.map(value => value - values[0])
  const mean = rest.reduce((sum, value) => sum + value, 0) / rest.length
  const squares = rest.reduce((sum, value) => sum + (value - mean) * (value - mean), 0)
  return Math.sqrt(squares / Math.max(1, rest.length - 1))
}
