import {AdfaError, checkOptions, type Rules, throwIfCancelled, trueOrFalse, whole} from '../base/checks/index.ts'
import {type EdgeConfidence, edgeConfidence, type Network} from '../base/network/index.ts'
import {clamp, type Rng, rng} from '../base/numeric/index.ts'
import {type Counts, resampleCounts} from '../read/counts/index.ts'
import type {FitControl} from './fit.ts'
import {loadingStage, type NetworkStage, networkStage, noiseStage} from './fit-stages.ts'
import {type AnchorScores, drawNoise, type EstimatedNoise, estimateNoise, type NoiseRates} from './noise/index.ts'
import {type CheckedFitOptions, checkFitOptions, type FitOptions} from './options.ts'
import {type Resampled, wordLikeness} from './structure/index.ts'

export interface BootstrapOptions {
  readonly replicates: number
  /** Of the resampling; `seed` of the fit is that of its searches. */
  readonly seed: number
  /** The chance that an interval is meant to cover the truth. */
  readonly level: number
  /** Intervals for P(Y_i = 1, Y_k = 1) too; needs `preset` 'paper', whose estimates are not biased by related concepts. */
  readonly pairs: boolean
  /**
   * Intervals for failures too; needs a `wordShrinkage` of the form C/N. Slower by far, and 4 bytes for
   * each replicate, concept and word.
   */
  readonly failures: boolean
}

export const bootstrapDefaults: BootstrapOptions = {
  replicates: 200,
  seed: 0,
  level: 0.95,
  pairs: false,
  failures: false
}

const bootstrapRules: Rules<BootstrapOptions> = {
  replicates: whole(1, 100_000),
  seed: whole(),
  level: [value => Number(value) > 0 && Number(value) < 1, 'a number between 0 and 1'],
  pairs: trueOrFalse,
  failures: trueOrFalse
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
  /** Of the pairs i < k, row-major; if asked for. */
  readonly pairs: Intervals | undefined
  /** Concept i, word j at `i * wordCount + j`; if asked for. */
  readonly failures: Intervals | undefined
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
 * leaves the first ones unchanged. Words are resampled, and failures learned, only if asked for; likeness of words, and what
 * it adds to a lift, are those of all documents.
 *
 * Resampling shows chance, not bias, so there are intervals only where bias fades as documents come in. Leaks have none: they
 * inherit every failure that was clipped at 1, and their floor does not fade.
 */
export async function bootstrap(
  counts: Counts,
  givenFit: FitOptions = {},
  {wasmUrl, clock, signal, onProgress, scores, ...given}: Partial<BootstrapOptions> & BootstrapControl = {}
): Promise<Bootstrap> {
  const fitOptions = checkFitOptions(givenFit)
  const options = checkOptions('bootstrap', bootstrapDefaults, bootstrapRules, given)
  checkBias(options, fitOptions)
  const control = {...(wasmUrl && {wasmUrl}), ...(clock && {clock}), ...(signal && {signal})}
  const {counts: data, noise} = noiseStage(counts, fitOptions, scores)
  const whole = await refit(data, noise, fitOptions, options, control)
  const resampled = whole.kept && {...whole.kept, likeness: wordLikeness(data, noise.prevalence)}
  const replicates: Refit[] = []
  let refusal: string | undefined
  for (let replicate = 0; replicate < options.replicates; replicate++) {
    const random = rng(options.seed).stream(`replicate ${replicate}`)
    const found = await refitOrRefusal(resampleCounts(data, random, {words: options.failures}), random.stream('rates'))
    if (typeof found === 'string') refusal ??= found
    else replicates.push({...found, failures: Float32Array.from(found.failures)})
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
    pairs: options.pairs ? intervals(({pairs}) => pairs) : undefined,
    failures: options.failures ? intervals(({failures}) => failures) : undefined,
    certificate: {
      ...options,
      refused: options.replicates - replicates.length,
      refusal,
      momentGap: Math.max(...replicates.map(({gap}) => gap))
    }
  }

  async function refitOrRefusal(sample: Counts, random: Rng): Promise<Refit | string> {
    try {
      return refit(sample, ratesOfSample(sample, noise, random), fitOptions, options, {...control, resampled})
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
  readonly pairs: Float64Array
  readonly failures: Float32Array | Float64Array
  readonly gap: number
  /** Of a network of pairs: what its replicates share with it. */
  readonly kept: Omit<Resampled, 'likeness'> | undefined
}

/** Algorithm 1 as far as is asked for; other parts are empty. */
async function refit(
  data: Counts,
  rates: NoiseRates,
  options: CheckedFitOptions,
  wanted: BootstrapOptions,
  control: RefitControl & {readonly resampled?: Resampled | undefined}
): Promise<Refit> {
  const begin = () => {
    throwIfCancelled(control.signal)
    return control
  }
  const stage = await networkStage(data, rates, options, {
    moments: begin,
    structure: begin,
    resampled: control.resampled
  })
  const {network, prevalence, structure} = stage
  const isPairs = structure.method === 'pairs'
  return {
    rates,
    network,
    prevalence,
    pairs: wanted.pairs ? bothPresent(stage) : new Float64Array(),
    failures: wanted.failures ? loadingStage(data, rates, network, options).loadings.failure : new Float64Array(),
    gap: stage.moments.gap,
    kept: isPairs ? {slope: structure.wordSlope, threshold: structure.couplingThreshold} : undefined
  }
}

function bothPresent({prevalence, both: chanceOf}: NetworkStage): Float64Array {
  const m = prevalence.length
  const both = new Float64Array((m * (m - 1)) / 2)
  let at = 0
  for (let i = 0; i < m; i++) for (let k = i + 1; k < m; k++) both[at++] = chanceOf(i, k)
  return both
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

/** Refuses intervals of estimates whose bias does not fade as documents come in. */
function checkBias({pairs, failures}: BootstrapOptions, {preset, wordShrinkage}: CheckedFitOptions): void {
  if (pairs && preset !== 'paper') throw biased('pairs', "under `preset` 'robust'", "`preset` 'paper'")
  if (failures && wordShrinkage === 'gated') throw biased('failures', 'behind a gate', "`wordShrinkage` '10/N'")
  if (failures && typeof wordShrinkage === 'number' && wordShrinkage > 0)
    throw biased('failures', 'under a fixed `wordShrinkage`', "`wordShrinkage` '10/N'")
}

function biased(option: 'pairs' | 'failures', where: string, instead: string): AdfaError {
  return new AdfaError(
    'bad-option',
    `bootstrap: \`${option}\` have no interval ${where}, where estimates have a bias that does not fade as documents come in; fit with ${instead}`,
    {details: {option}}
  )
}
