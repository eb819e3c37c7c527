import {clamp, exp, log} from '../../base/numeric/index.ts'
import {type ConceptRates, impliedRates, PREVALENCE_FLOOR, TRUE_POSITIVE_LIMIT} from './concept-rates.ts'
import type {AnchorEstimate, AnchorEstimates, NoiseEstimator} from './noise-table.ts'
import {NORMAL_90, type RateInterval} from './rate-interval.ts'
import {type RateRefusal, rateRefusals} from './rate-refusals.ts'

/** What all estimators together say of one anchor. */
export interface CombinedRates extends ConceptRates {
  /** What had a say, the weightiest first. */
  readonly sources: readonly NoiseEstimator[]
  /** Whether a guess is among the sources, as nothing better was there. */
  readonly isGuess: boolean
  /** How far the sources lie apart in their own errors, root mean square: about 1 if all is well, 0 for one source. */
  readonly disagreement: number
  /** Why the concept should not be used; empty when it may be. */
  readonly refusals: readonly RateRefusal[]
}

/**
 * Errors in log P(Y=1) on real text that no number of documents removes: of views that are not independent, of words that do not
 * settle the concept; about what research/figures/noise-rates.md measures. Labels have none: their documents were drawn at random.
 * Positive-only has no say at all: it is always wrong to the same side, by up to a factor of 10.
 */
const ASSUMPTION_ERROR: Readonly<Partial<Record<NoiseEstimator, number>>> = {
  refined: 0,
  pooled: 0,
  pair: 0.5,
  irreducible: 1,
  guess: 0
}

/** Where every document is labelled, the interval is a point; its weight must stay a number. */
const LEAST_ERROR = 1e-3

/** Precision of an anchor that nothing is known of: the middle half of eight corpora has 0.7 to 0.9. */
const USUAL_PRECISION: RateInterval = {value: 0.8, low: 0.45, high: 0.97}

/**
 * Estimates of log P(Y=1), averaged with weights one over the square of their error, of chance and of assumption together; where
 * they lie further apart than their errors explain, the interval is widened by as much. Words and a guess have a say only
 * where no document is labelled: they are off where an anchor fires for much else, which labels tell. Undefined if nothing is known.
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

/** Of the two that share the labels the better one, and only without labels the words and a guess; each with its weight. */
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
  // A prevalence below this would need an anchor that fires in more documents than have the concept.
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
    // A guess is as wide as it is, and said to be one; refused for that, nothing could be learned without labels.
    refusals: isGuess ? refusals.filter(({rule}) => rule !== 'wide-interval') : refusals
  }
}
