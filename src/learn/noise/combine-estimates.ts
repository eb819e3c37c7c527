import {clamp, exp, log} from '../../base/numeric/index.ts'
import type {AnchorEstimate, AnchorEstimates, NoiseEstimator} from './noise-table.ts'
import {
  type EstimatedRates,
  impliedRates,
  NORMAL_90,
  PREVALENCE_FLOOR,
  type RateInterval,
  type RateRefusal,
  rateRefusals,
  TRUE_POSITIVE_LIMIT
} from './rates.ts'

/** The rates of one anchor with the estimators they rest on. */
export interface SourcedRates extends EstimatedRates {
  /** The estimators used, by weight. */
  readonly sources: readonly (NoiseEstimator | 'labels')[]
  /** Whether a guess is among the sources, for lack of anything better. */
  readonly isGuess: boolean
  /** Root mean square distance of the sources in their own errors: about 1 if all is well, 0 for one source. */
  readonly disagreement: number
}

/** The rates of one anchor by all estimators together. */
export interface CombinedRates extends SourcedRates {
  /** Why the concept should not be used; empty when it may be. */
  readonly refusals: readonly RateRefusal[]
}

/**
 * Errors in log P(Y=1) on real text that no number of documents removes: dependent members, words that do not determine
 * the concept; about as measured in research/figures/noise-rates.md. Labels have none: their documents are drawn at random.
 * Positive-only is not used: it is always too high, by up to a factor of 10.
 */
const ASSUMPTION_ERROR: Readonly<Partial<Record<NoiseEstimator, number>>> = {
  refined: 0,
  pooled: 0,
  pair: 0.5,
  irreducible: 1,
  guess: 0
}

/** Keeps the weight finite where every document is labelled and the interval is a point. */
const LEAST_ERROR = 1e-3

/** Precision without any estimate: the middle half of eight corpora has 0.7 to 0.9. */
const USUAL_PRECISION: RateInterval = {value: 0.8, low: 0.45, high: 0.97}

/**
 * The mean of log P(Y=1), weighted by one over squared errors (sampling and assumption). The interval widens where sources
 * disagree more than their errors explain. Irreducible rates and guesses are used only without labels: they are wrong
 * where an anchor fires for much else, which labels reveal. Undefined without estimates.
 */
export function combineEstimates(row: AnchorEstimates): CombinedRates | undefined {
  const sources = independentSources(row.estimates).sort((a, b) => b.weight - a.weight)
  if (sources.length === 0) return undefined
  const total = sources.reduce((sum, {weight}) => sum + weight, 0)
  const mean = sources.reduce((sum, {weight, prevalence}) => sum + weight * log(prevalence.value), 0) / total
  const squares = sources.reduce((sum, {weight, prevalence}) => sum + weight * (log(prevalence.value) - mean) ** 2, 0)
  const disagreement = sources.length > 1 ? Math.sqrt(squares / (sources.length - 1)) : 0
  const margin = (NORMAL_90 * Math.max(1, disagreement)) / Math.sqrt(total)
  const prevalence = {value: exp(mean), low: exp(mean - margin), high: Math.min(exp(mean + margin), 1)}
  return combined(row, prevalence, sources, disagreement)
}

/** The better of the two from labels, or without labels irreducible rates and the guess; each with its weight. */
function independentSources(estimates: readonly AnchorEstimate[]): (AnchorEstimate & {readonly weight: number})[] {
  const has = (name: NoiseEstimator) => estimates.some(({method}) => method === name)
  const isLabelled = has('refined') || has('pooled')
  return estimates.flatMap(estimate => {
    const {method, prevalence} = estimate
    const assumption = ASSUMPTION_ERROR[method]
    const isLesser =
      (method === 'pooled' && has('refined')) || (isLabelled && (method === 'irreducible' || method === 'guess'))
    if (assumption === undefined || isLesser) return []
    const chance = Math.max(log(prevalence.high / prevalence.low) / (2 * NORMAL_90), LEAST_ERROR)
    return [{...estimate, weight: 1 / (chance ** 2 + assumption ** 2)}]
  })
}

function combined(
  {concept, firing, anchoredCount}: AnchorEstimates,
  wanted: RateInterval,
  sources: readonly AnchorEstimate[],
  disagreement: number
): CombinedRates {
  const precision = sources.find(source => source.precision !== undefined)?.precision ?? USUAL_PRECISION
  // Below this the anchor would fire in more documents than have the concept.
  const least = Math.max((precision.value * firing) / TRUE_POSITIVE_LIMIT, PREVALENCE_FLOOR)
  const value = clamp(wanted.value, least, 1 - PREVALENCE_FLOOR)
  const prevalence = {value, low: Math.min(wanted.low, value), high: Math.max(wanted.high, value)}
  const rates = {concept, prevalence, precision, ...impliedRates(firing, value, precision.value)}
  const methods = sources.map(({method}) => method)
  const isGuess = methods.includes('guess')
  const refusals = rateRefusals(rates, anchoredCount)
  return {
    ...rates,
    sources: methods,
    isGuess,
    disagreement,
    // Guesses have wide intervals; refusing them would leave nothing to learn without labels.
    refusals: isGuess ? refusals.filter(({rule}) => rule !== 'wide-interval') : refusals
  }
}
