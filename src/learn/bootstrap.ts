import {AdfaError, badOption, throwIfCancelled, whole} from '../base/checks/index.ts'
import {type EdgeConfidence, edgeConfidence, type Network} from '../base/network/index.ts'
import {clamp, rng} from '../base/numeric/index.ts'
import {type Counts, dropConcepts, resampleCounts} from '../read/counts/index.ts'
import {type FitControl, type FittedModel, learnNetwork, recoverConceptMoments} from './fit.ts'
import {drawNoise, estimateNoise, isMeasured, type NoiseCertificate, packRates, possibleRates} from './noise/index.ts'
import {checkFitOptions, type FitOptions} from './options.ts'
import {wordSimilarity} from './robust/index.ts'

/** The default number of replicates: the ends of a 95% interval are then about the fifth smallest and fifth largest value. */
export const DEFAULT_REPLICATES = 200

/** The nominal coverage of the intervals. */
export const INTERVAL_LEVEL = 0.95

/** An edge that is not in the network is listed if at least this share of the replicates have it. */
const MIN_CONFIDENCE = 0.1

export interface BootstrapControl extends Pick<FitControl, 'wasmUrl' | 'clock' | 'signal'> {
  readonly replicates?: number
  /** Called after each replicate. */
  readonly onProgress?: (done: number, replicates: number) => void
  /** Called with a message if some replicates could not be fitted. */
  readonly onWarning?: ((message: string) => void) | undefined
}

/** How uncertain a model is; its file keeps this at `certificate.intervals`. */
export interface FitIntervals {
  readonly replicates: number
  /** The number of replicates whose rates could not be estimated; without them the intervals are too narrow. */
  readonly refused: number
  /** The reason why the first refused replicate was refused. */
  readonly refusal?: string
  readonly level: number
  readonly seed: number
  readonly concepts: readonly ConceptIntervals[]
  /** The edges of the network and those that at least a tenth of the replicates have, in order of confidence. */
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
 * Measures how uncertain a model is: fits it again by the same options to bootstrap samples of its counts, without a second
 * pass over the documents. Intervals reach from the 2.5% to the 97.5% quantile of the replicates.
 *
 * Given rates do not vary, and rates from labels vary with the labels. For other rates each replicate draws prevalences and
 * precisions from the ranges in which they may lie, so that the confidence in edges allows for them; such rates get no interval.
 * Replicate r has its own random stream of the fit's seed, so adding replicates leaves the first ones unchanged. Words are not resampled: their similarity comes from all documents.
 */
export async function bootstrap(
  counts: Counts,
  model: Pick<FittedModel, 'network' | 'certificate'>,
  given: FitOptions = {},
  {replicates = DEFAULT_REPLICATES, onProgress, onWarning, ...control}: BootstrapControl = {}
): Promise<FitIntervals> {
  const options = checkFitOptions(given)
  const [isCount, rule] = whole(1, 100_000)
  if (!isCount(replicates)) throw badOption('bootstrap', 'replicates', rule, replicates)
  const {data, noise} = ratesOfModel(counts, model.certificate.noise)
  const {structure} = model.certificate
  const {method} = noise.certificate
  const possible = noise.certificate.concepts.map(possibleRates)
  const isCounted = method === 'given' || method === 'labels'
  const resampled =
    structure.method === 'pairs'
      ? {slope: structure.wordSlope, share: structure.couplingShare, similarity: wordSimilarity(data, noise.prevalence)}
      : undefined
  const refits: (ReturnType<typeof drawNoise> & {readonly network: Network})[] = []
  let refusal: string | undefined
  for (let replicate = 0; replicate < replicates; replicate++) {
    throwIfCancelled(control.signal)
    const random = rng(options.seed).stream(`replicate ${replicate}`)
    const sample = resampleCounts(data, random)
    try {
      const rates = isCounted ? estimateNoise(sample, method) : drawNoise(sample, possible, random.stream('rates'))
      const moments = await recoverConceptMoments(sample, rates, options, {...control, resampled})
      refits.push({...rates, ...(await learnNetwork(moments, sample, rates, options, {...control, resampled}))})
    } catch (error) {
      if (!(error instanceof AdfaError && error.code === 'bad-rates')) throw error
      refusal ??= error.message
    }
    onProgress?.(replicate + 1, replicates)
  }
  const refused = replicates - refits.length
  if (refused === replicates)
    throw new AdfaError(
      'bad-rates',
      `none of ${replicates} bootstrap samples could be fitted; the documents are too few; the first: ${refusal}`
    )
  if (refused > 0)
    onWarning?.(
      `intervals: ${refused} of ${replicates} resamplings could not be fitted and are left out, so the intervals are too narrow; ` +
        `there are too few documents or labels: ${refusal}`
    )
  const names = data.lexicon.anchors.map(({concept}) => concept)
  const networks = refits.map(({network}) => network)
  const edges = edgeConfidence(names, model.network, networks)
  return {
    replicates,
    refused,
    ...(refusal !== undefined && {refusal}),
    level: INTERVAL_LEVEL,
    seed: options.seed,
    concepts: names.flatMap((name, i) => {
      if (!isMeasured(noise.certificate.concepts[i].basis)) return []
      const prevalence = percentileInterval(refits.map(refit => refit.prevalence[i]))
      const truePositive = percentileInterval(refits.map(refit => refit.truePositive[i]))
      return [
        {name, prevalence, truePositive, falsePositive: percentileInterval(refits.map(refit => refit.falsePositive[i]))}
      ]
    }),
    edges: edges.filter(({confidence, fitted}) => fitted || confidence >= MIN_CONFIDENCE)
  }
}

/** Returns the rates of a fitted model, and the counts without the concepts that it leaves out. */
export function ratesOfModel(counts: Counts, {method, concepts}: NoiseCertificate) {
  const isKept = (name: string) => concepts.some(({concept}) => concept === name)
  const skipped = counts.lexicon.anchors
    .filter(({concept}) => !isKept(concept))
    .map(({concept}) => ({concept, reason: 'the model leaves it out'}))
  const data = skipped.length === 0 ? counts : dropConcepts(counts, skipped)
  return {data, noise: packRates(data, method, concepts)}
}

/**
 * Returns the 2.5% and 97.5% quantiles, interpolated linearly between sorted values. A new replicate lies below the k-th of R
 * values with probability k / (R + 1), so intervals are not too narrow when replicates are few.
 */
function percentileInterval(values: readonly number[]): IntervalEnds {
  const sorted = Float64Array.from(values).sort()
  const quantile = (probability: number) => {
    const position = clamp(probability * (sorted.length + 1) - 1, 0, sorted.length - 1)
    const below = Math.floor(position)
    const above = Math.min(below + 1, sorted.length - 1)
    return sorted[below] + (position - below) * (sorted[above] - sorted[below])
  }
  return [quantile((1 - INTERVAL_LEVEL) / 2), quantile((1 + INTERVAL_LEVEL) / 2)]
}
