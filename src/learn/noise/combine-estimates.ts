import {exp, log} from '../../base/numeric/index.ts'
import {labelFreeRates} from './label-free-rates.ts'
import type {AnchorEstimate, AnchorEstimates, NoiseEstimator} from './noise-table.ts'
import {type EstimatedRates, NORMAL_90, type RateRefusal, rateRefusals, ratesAt, usableRates} from './rates.ts'

/** The rates of one anchor with the estimators they rest on. */
export interface SourcedRates extends EstimatedRates {
  /** The estimators used, by weight. */
  readonly sources: readonly (NoiseEstimator | 'labels')[]
  /** Whether they rest on no label and no given rate: see `labelFreeRates`. */
  readonly isGuess: boolean
  /** Root mean square distance of the sources in their own errors: about 1 if all is well, 0 for one source. */
  readonly disagreement: number
}

/** The rates of one anchor by all estimators together. */
export interface CombinedRates extends SourcedRates {
  /** Why the labels refuse the concept; empty when it may be used. */
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

/**
 * The mean of log P(Y=1), weighted by one over squared errors (sampling and assumption). The interval widens where sources
 * disagree more than their errors explain. Irreducible rates and guesses are used only without labels: they are wrong
 * where an anchor fires for much else, which labels reveal. Without labels the intervals are those of `labelFreeRates`, and
 * nothing is refused. Undefined without labels for an anchor that fires in no document, or in all.
 */
export function combineEstimates(row: AnchorEstimates): CombinedRates | undefined {
  const {concept, firing, estimates} = row
  const sources = independentSources(estimates).sort((a, b) => b.weight - a.weight)
  const methods = sources.map(({method}) => method)
  const total = sources.reduce((sum, {weight}) => sum + weight, 0)
  const mean = sources.reduce((sum, {weight, prevalence}) => sum + weight * log(prevalence.value), 0) / total
  const labelled = sources.find(({method}) => method === 'refined' || method === 'pooled')
  if (labelled?.precision === undefined) {
    const precision = sources.find(source => source.precision !== undefined)?.precision?.value
    const rates = labelFreeRates(firing, {
      ...(sources.length > 0 && {prevalence: exp(mean)}),
      ...(precision !== undefined && {precision})
    })
    return rates && {concept, ...rates, sources: methods, isGuess: true, disagreement: 0, refusals: []}
  }
  const squares = sources.reduce((sum, {weight, prevalence}) => sum + weight * (log(prevalence.value) - mean) ** 2, 0)
  const disagreement = sources.length > 1 ? Math.sqrt(squares / (sources.length - 1)) : 0
  const margin = (NORMAL_90 * Math.max(1, disagreement)) / Math.sqrt(total)
  const prevalence = {value: exp(mean), low: exp(mean - margin), high: Math.min(exp(mean + margin), 1)}
  const shares = {prevalence, precision: labelled.precision}
  const rates = usableRates(firing, shares) ?? ratesAt(firing, shares, 0)
  const refusals = rateRefusals(firing, shares)
  return {concept, ...rates, sources: methods, isGuess: false, disagreement, refusals}
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
