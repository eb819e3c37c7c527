import {AdfaError, badOption, throwIfCancelled, whole} from '../base/checks/index.ts'
import {type EdgeConfidence, edgeConfidence} from '../base/network/index.ts'
import {clamp, type Rng, rng} from '../base/numeric/index.ts'
import {type Counts, resampleCounts} from '../read/counts/index.ts'
import type {FitControl} from './fit.ts'
import {estimateRates, learnNetwork, recoverConcepts} from './fit-stages.ts'
import {drawNoise, type EstimatedNoise, estimateNoise, type NoiseRates} from './noise/index.ts'
import {type CheckedFitOptions, checkFitOptions, type FitOptions} from './options.ts'
import {type Resampled, wordLikeness} from './robust/index.ts'

/** The usual number of replicates: the ends of a 95% interval are then the fifth value from either side. */
export const DEFAULT_REPLICATES = 200

/** The chance that an interval is meant to cover the truth. */
export const INTERVAL_LEVEL = 0.95

/** An edge that the network lacks is listed if at least this share of the replicates have it. */
const LEAST_CONFIDENCE = 0.1

export interface BootstrapControl extends Pick<FitControl, 'wasmUrl' | 'clock' | 'signal' | 'scores'> {
  readonly replicates?: number
  /** Called after each replicate. */
  readonly onProgress?: (done: number, replicates: number) => void
}

/** How uncertain a model is; its file keeps this at `certificate.intervals`. */
export interface FitIntervals {
  readonly replicates: number
  /** The number of replicates whose rates could not be estimated. Leaving them out makes intervals too narrow. */
  readonly refused: number
  /** Why the first of them was refused. */
  readonly refusal?: string
  readonly level: number
  readonly seed: number
  readonly concepts: readonly ConceptIntervals[]
  /** Edges of the network and those that a tenth of the replicates have, the surest first. */
  readonly edges: readonly EdgeConfidence[]
}

export interface ConceptIntervals {
  readonly name: string
  readonly prevalence: IntervalEnds
  readonly truePositive: IntervalEnds
  readonly falsePositive: IntervalEnds
}

export type IntervalEnds = readonly [low: number, high: number]

/**
 * Measures how much of a fit is chance: repeats it on bootstrap samples of the counts, without a second pass over the documents.
 * Intervals reach from the 2.5% to the 97.5% quantile of the replicates.
 *
 * Given rates are exact, and rates from labels vary with the labels. Other rates vary within their own intervals, from
 * which each replicate draws prevalences and precisions. Replicate r has its own random stream of the fit's seed, so adding
 * replicates leaves the first ones unchanged. Words are not resampled: their likeness comes from all documents.
 */
export async function bootstrap(
  counts: Counts,
  given: FitOptions = {},
  {replicates = DEFAULT_REPLICATES, onProgress, scores, ...control}: BootstrapControl = {}
): Promise<FitIntervals> {
  const options = checkFitOptions(given)
  const [isCount, rule] = whole(1, 100_000)
  if (!isCount(replicates)) throw badOption('bootstrap', 'replicates', rule, replicates)
  const {counts: data, noise} = estimateRates(counts, options, {scores})
  const {network, kept} = await refit(data, noise, options, control)
  const resampled = kept && {...kept, likeness: wordLikeness(data, noise.prevalence)}
  const refits: Awaited<ReturnType<typeof refit>>[] = []
  let refusal: string | undefined
  for (let replicate = 0; replicate < replicates; replicate++) {
    const random = rng(options.seed).stream(`replicate ${replicate}`)
    const sample = resampleCounts(data, random, {words: false})
    try {
      const rates = ratesOfSample(sample, noise, random.stream('rates'))
      refits.push(await refit(sample, rates, options, {...control, resampled}))
    } catch (error) {
      if (!(error instanceof AdfaError && error.code === 'bad-rates')) throw error
      refusal ??= error.message
    }
    onProgress?.(replicate + 1, replicates)
  }
  if (refits.length === 0)
    throw new AdfaError(
      'bad-rates',
      `none of ${replicates} bootstrap samples could be fitted; the documents are too few; the first: ${refusal}`
    )
  const names = data.lexicon.anchors.map(({concept}) => concept)
  const networks = refits.map(found => found.network)
  const edges = edgeConfidence(names, network, networks)
  return {
    replicates,
    refused: replicates - refits.length,
    ...(refusal !== undefined && {refusal}),
    level: INTERVAL_LEVEL,
    seed: options.seed,
    concepts: names.map((name, i) => ({
      name,
      prevalence: percentileInterval(refits.map(({prevalence}) => prevalence[i])),
      truePositive: percentileInterval(refits.map(({rates}) => rates.truePositive[i])),
      falsePositive: percentileInterval(refits.map(({rates}) => rates.falsePositive[i]))
    })),
    edges: edges.filter(({confidence, fitted}) => fitted || confidence >= LEAST_CONFIDENCE)
  }
}

/** Estimates the rates of a sample: given rates and labels are in its counts, other rates are drawn from their intervals. */
function ratesOfSample(sample: Counts, {certificate: {method, concepts}}: EstimatedNoise, random: Rng): NoiseRates {
  return method === 'given' || method === 'labels' ? estimateNoise(sample, method) : drawNoise(sample, concepts, random)
}

/** Runs lines 1 and 2 of Algorithm 1. `kept` is what the replicates of a network of pairs take from it. */
async function refit(
  data: Counts,
  rates: NoiseRates,
  options: CheckedFitOptions,
  control: Pick<FitControl, 'wasmUrl' | 'clock' | 'signal'> & {readonly resampled?: Resampled | undefined}
) {
  throwIfCancelled(control.signal)
  const moments = await recoverConcepts(data, rates, options, control)
  const {network, prevalence, certificate} = await learnNetwork(moments, data, rates, options, control)
  const kept = certificate.method === 'pairs' ? {share: certificate.couplingShare} : undefined
  return {rates, network, prevalence, kept}
}

/**
 * Returns quantiles, linear between the two nearest sorted values. A further replicate lies below value k of R (counted from 1)
 * with probability k / (R + 1), so intervals are not too narrow when replicates are few.
 */
function percentileInterval(values: readonly number[]): IntervalEnds {
  const sorted = Float64Array.from(values).sort()
  const quantile = (share: number) => {
    const place = clamp(share * (sorted.length + 1) - 1, 0, sorted.length - 1)
    const below = Math.floor(place)
    const above = Math.min(below + 1, sorted.length - 1)
    return sorted[below] + (place - below) * (sorted[above] - sorted[below])
  }
  return [quantile((1 - INTERVAL_LEVEL) / 2), quantile((1 + INTERVAL_LEVEL) / 2)]
}
